/**
 * Units by number, for replays: from 0 on, in the order in which they are first asked for. Their names lie outside the heap, and beyond
 * 32 MB in a temporary file. 1 and '1' are two units.
 */
import { hash as digest } from 'node:crypto';
import { cursorOn, RecordLog, type RecordLogOptions } from './record-log.ts';

const FIRST_SLOTS = 1 << 16;
/** Twelve bytes a slot. */
const MAX_LOAD = 0.75;
/** Ahead of a name: its unit's number, and its length. */
const NUMBER_BYTES = 4;
const PREFIX_BYTES = NUMBER_BYTES + 2;
const LONG_NAME = 200;
/** A character, as JavaScript counts them, is three bytes of UTF-8 at the most. */
const MAX_BYTES = PREFIX_BYTES + 3 * LONG_NAME;

export class UnitNumbers {
  private readonly log: RecordLog;
  /** An open-addressing table: each unit's hash, and one more than the position of its record. */
  private hashes = new Uint32Array(FIRST_SLOTS);
  private positions = new Float64Array(FIRST_SLOTS);
  private units = 0;
  private readonly record = cursorOn(Buffer.alloc(MAX_BYTES));

  constructor(options: RecordLogOptions = {}) {
    this.log = new RecordLog({ segmentsInMemory: 8, ...options });
  }

  numberOf(unit: string | number): number {
    const name = nameOf(unit);
    const hash = hashOf(name);
    const mask = this.positions.length - 1;
    let slot = hash & mask;
    for (; this.positions[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.hashes[slot] !== hash) continue;
      const number = this.numberAt(this.positions[slot]! - 1, name);
      if (number !== null) return number;
    }
    return this.add(name, hash, slot);
  }

  close(): void {
    this.log.close();
  }

  /** @returns null where the record is another unit's */
  private numberAt(position: number, name: string): number | null {
    const { bytes, view, at } = this.log.read(position);
    const start = at + PREFIX_BYTES;
    const isOf = bytes.toString('utf8', start, start + view.getUint16(at + NUMBER_BYTES, true)) === name;
    return isOf ? view.getUint32(at, true) : null;
  }

  private add(name: string, hash: number, slot: number): number {
    const number = this.units++;
    const { bytes, view } = this.record;
    const length = bytes.write(name, PREFIX_BYTES);
    view.setUint32(0, number, true);
    view.setUint16(NUMBER_BYTES, length, true);
    this.positions[slot] = 1 + this.log.append(bytes, PREFIX_BYTES + length);
    this.hashes[slot] = hash;
    if (this.units > this.positions.length * MAX_LOAD) this.grow();
    return number;
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
  }
}

/** Well-formed text, and another one for each unit; what is too long stands there by its hash. */
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
