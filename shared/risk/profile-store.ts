/**
 * Profiles of many units in little memory, for replays: as bytes (`profile-bytes.ts`) outside the heap, and beyond 128 MB in
 * a temporary file. Nothing is ever dropped, because no rule forgets a unit: what comes out is what went in, so a replay
 * stays exact. Every profile is packed at once. Kept as objects for a while, they cost more than that: each lives just long
 * enough for the garbage collector to copy it twice.
 */
import { hash as digest } from 'node:crypto';
import { readProfile, writeProfile } from './profile-bytes.ts';
import { cursorOn, MAX_RECORD_BYTES, RecordLog, type RecordLogOptions } from './record-log.ts';
import type { RiskProfile } from './types.ts';

const FIRST_SLOTS = 1 << 16;
/** Twelve bytes a slot. */
const MAX_LOAD = 0.75;
/** Ahead of a name: its length. */
const NAME_PREFIX = 2;
const LONG_NAME = 200;

interface Found {
  unit: string | number;
  name: string;
  hash: number;
  slot: number;
}

/** No unit is equal to it. */
const NOT_FOUND: Found = { unit: Number.NaN, name: '', hash: 0, slot: 0 };

/** A store of profiles by unit. 1 and '1' are two units. */
export class ProfileStore {
  private readonly log: RecordLog;
  /** An open-addressing table: each unit's hash, and one more than the position of its record. */
  private hashes = new Uint32Array(FIRST_SLOTS);
  private positions = new Float64Array(FIRST_SLOTS);
  private units = 0;
  private readonly record = cursorOn(Buffer.alloc(MAX_RECORD_BYTES));
  /** Of the unit that was asked for last, which is stored next. */
  private found = NOT_FOUND;

  constructor(options: RecordLogOptions = {}) {
    this.log = new RecordLog(options);
  }

  /** @returns the unit's profile, null for a unit never seen. */
  get(unit: string | number): RiskProfile | null {
    const position = this.positions[this.find(unit).slot]!;
    if (position === 0) return null;
    const record = this.log.read(position - 1);
    record.at += NAME_PREFIX + record.view.getUint16(record.at, true);
    return readProfile(record);
  }

  set(unit: string | number, profile: RiskProfile): void {
    const { name, hash, slot } = this.find(unit);
    const { record } = this;
    const nameBytes = record.bytes.write(name, NAME_PREFIX);
    record.view.setUint16(0, nameBytes, true);
    record.at = NAME_PREFIX + nameBytes;
    writeProfile(record, profile);
    const position = this.positions[slot]!;
    this.positions[slot] =
      1 +
      (position === 0
        ? this.log.append(record.bytes, record.at)
        : this.log.replace(position - 1, record.bytes, record.at));
    if (position > 0) return;
    this.hashes[slot] = hash;
    this.units += 1;
    if (this.units > this.positions.length * MAX_LOAD) this.grow();
  }

  close(): void {
    this.log.close();
  }

  private find(unit: string | number): Found {
    if (this.found.unit === unit) return this.found;
    const name = nameOf(unit);
    const hash = hashOf(name);
    this.found = { unit, name, hash, slot: this.slotOf(name, hash) };
    return this.found;
  }

  /** @returns the slot that the unit has, or the free one that it may have. */
  private slotOf(name: string, hash: number): number {
    const mask = this.positions.length - 1;
    let slot = hash & mask;
    for (; this.positions[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.hashes[slot] === hash && this.isOf(name, this.positions[slot]! - 1)) break;
    }
    return slot;
  }

  private isOf(name: string, position: number): boolean {
    const { bytes, view, at } = this.log.read(position);
    const start = at + NAME_PREFIX;
    return bytes.toString('utf8', start, start + view.getUint16(at, true)) === name;
  }

  private grow(): void {
    const { hashes, positions } = this;
    this.hashes = new Uint32Array(2 * hashes.length);
    this.positions = new Float64Array(2 * positions.length);
    const mask = this.positions.length - 1;
    for (const [old, position] of positions.entries()) {
      if (position === 0) continue;
      let slot = hashes[old]! & mask;
      while (this.positions[slot] !== 0) slot = (slot + 1) & mask;
      this.hashes[slot] = hashes[old]!;
      this.positions[slot] = position;
    }
    this.found = NOT_FOUND;
  }
}

/** Well-formed text, and another one for each unit; what is too long for a record stands there by its hash. */
function nameOf(unit: string | number): string {
  const name = typeof unit === 'number' ? String(unit) : JSON.stringify(unit);
  return name.length <= LONG_NAME ? name : digest('sha256', name, 'base64');
}

/** FNV-1a, 32 bits. */
function hashOf(name: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) state = Math.imul(state ^ name.charCodeAt(i), 0x01000193);
  // Its low bits, which pick the slot, are the poorer ones.
  return (state ^ (state >>> 15)) >>> 0;
}
