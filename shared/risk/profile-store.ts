/**
 * Profiles of many units in little memory, for replays: as bytes (`profile-bytes.ts`) outside the heap, and beyond 128 MB in
 * a temporary file. Nothing is ever dropped, because no rule forgets a unit: what comes out is what went in, so a replay
 * stays exact. Every profile is packed at once. Kept as objects for a while, they cost more than that: each lives just long
 * enough for the garbage collector to copy it twice.
 */
import { readProfile, writeProfile } from './profile-bytes.ts';
import { cursorOn, MAX_RECORD_BYTES, RecordLog, type RecordLogOptions } from './record-log.ts';
import type { RiskProfile } from './types.ts';

const FIRST_UNITS = 1 << 16;

/** A store of profiles by the number of their unit (`unit-numbers.ts`). */
export class ProfileStore {
  private readonly log: RecordLog;
  /** One more than that of each unit's record. */
  private positions = new Float64Array(FIRST_UNITS);
  private readonly record = cursorOn(Buffer.alloc(MAX_RECORD_BYTES));

  constructor(options: RecordLogOptions = {}) {
    this.log = new RecordLog(options);
  }

  /** @returns the unit's profile, null for a unit never seen. */
  get(unit: number): RiskProfile | null {
    const position = this.positions[unit] ?? 0;
    return position === 0 ? null : readProfile(this.log.read(position - 1));
  }

  set(unit: number, profile: RiskProfile): void {
    while (unit >= this.positions.length) this.grow();
    const { record } = this;
    record.at = 0;
    writeProfile(record, profile);
    const position = this.positions[unit]!;
    this.positions[unit] =
      1 +
      (position === 0
        ? this.log.append(record.bytes, record.at)
        : this.log.replace(position - 1, record.bytes, record.at));
  }

  close(): void {
    this.log.close();
  }

  private grow(): void {
    const positions = new Float64Array(2 * this.positions.length);
    positions.set(this.positions);
    this.positions = positions;
  }
}
