/**
 * Writes scans, those of many visitors in one statement, which waits for the row of each of its units. A row is held while its unit is
 * scored, some milliseconds; by a scorer that was stopped in the middle, or whose machine is gone, until Postgres ends that one's
 * transaction a minute later. Whoever scans such a unit is refused; who came with them is not, and nobody comes with them from then on.
 */
import { createBatcher, type Gap } from '../batcher.ts';
import { isLockTimeout, type Pool } from '../db.ts';
import { keepSome } from '../keep-some.ts';
import { findHeldUnits, insertScans, type NewScan, type UnitCount } from './repository.ts';

/** @param isApart for a scan that waits among its like, such as one of a flood. @throws what is said of its unit, or of all of its batch. */
export type RecordScan = (scan: NewScan, isApart: boolean) => Promise<UnitCount>;

export interface RecorderOptions {
  db: Pool;
  maxItems: number;
  /** Statements under way at a time, of those apart as many again. */
  concurrency: number;
  gap: Gap;
  /** Milliseconds, never set back. */
  nowMs(): number;
  /** Called after each commit. */
  recorded(): void;
}

/** As long as Postgres waits for whoever holds a row and says nothing; a scan that is written ends it. */
const HELD_MS = 60_000;
const MAX_HELD = 10_000;

export function createRecorder({ db, nowMs, recorded, ...batching }: RecorderOptions): RecordScan {
  /** Units whose row somebody held for too long, and until when that is expected. */
  const held = new Map<string, number>();

  const write = async (scans: readonly NewScan[]): Promise<Map<string, UnitCount>> => {
    if (scans.length === 0) return new Map();
    const rows = await insertScans(db, scans);
    recorded();
    if (held.size > 0) for (const { unit_id: unitId } of rows) held.delete(unitId);
    return new Map(rows.map((count) => [count.unit_id, count]));
  };
  const writePastHeld = async (
    scans: readonly NewScan[],
    error: unknown,
  ): Promise<Map<string, UnitCount>> => {
    const units = new Set(await findHeldUnits(db, [...new Set(scans.map(({ unitId }) => unitId))]));
    // It was a table: that is to be waited for once, not twice.
    if (units.size === 0) throw error;
    for (const unitId of units) keepSome(held, unitId, nowMs() + HELD_MS, MAX_HELD);
    return write(scans.filter(({ unitId }) => !units.has(unitId)));
  };

  const createLane = () =>
    createBatcher<NewScan, UnitCount | { error: unknown }>({
      ...batching,
      run: async (scans) => {
        let error: unknown;
        const counts = await write(scans).catch((reason: unknown) => {
          if (!isLockTimeout(reason)) throw reason;
          error = reason;
          return writePastHeld(scans, reason);
        });
        return scans.map(({ unitId }) => counts.get(unitId) ?? { error });
      },
    });
  const together = createLane();
  const apart = createLane();

  return async (scan, isApart) => {
    const isHeld = (held.get(scan.unitId) ?? 0) > nowMs();
    const written = await (isApart || isHeld ? apart : together)(scan);
    if ('error' in written) throw written.error;
    return written;
  };
}
