/**
 * A unit that cannot be scored (a mistake of ours, a row that a constraint refuses) must not hold up all the others: its batch is
 * scored again unit by unit, and the one that fails alone is set aside for a while, with an error in the log (ADR 0109).
 */
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import { isPassing } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { holdUnit, type WaitingUnitRow } from './scoring-repository.ts';

export interface ScoredBatch {
  /** Units taken on, those set aside included. */
  units: number;
  scans: number;
}

/** Scores up to `maxUnits` units in one transaction and says which they are as soon as it has locked them. */
export type ScoreBatch = (
  maxUnits: number,
  onLocked: (units: readonly WaitingUnitRow[]) => void,
) => Promise<ScoredBatch>;

/** As long again as its scans have waited, within these bounds: a lasting failure is tried ever less often. */
const LEAST_PAUSE_MS = 60_000;
const MOST_PAUSE_MS = 3_600_000;

/** @throws what is nobody's fault and passes: Postgres is away, or chose this transaction to end a deadlock. */
export async function scoreSettingAside(
  deps: { db: Pool; clock: Clock; log: Logger },
  maxUnits: number,
  score: ScoreBatch,
): Promise<ScoredBatch> {
  let units: readonly WaitingUnitRow[] = [];
  try {
    return await score(maxUnits, (locked) => {
      units = locked;
    });
  } catch (error) {
    if (units.length === 0 || isPassing(error)) throw error;
    const [unit] = units;
    if (units.length === 1) {
      await setAside(deps, unit!, error);
      return { units: 1, scans: 0 };
    }
  }
  const done = { units: 0, scans: 0 };
  while (done.units < units.length) {
    const one = await scoreSettingAside(deps, 1, score);
    if (one.units === 0) break;
    done.units += one.units;
    done.scans += one.scans;
  }
  return done;
}

async function setAside(
  { db, clock, log }: { db: Pool; clock: Clock; log: Logger },
  { unit_id: unitId, org_id: orgId, unscored_since: since }: WaitingUnitRow,
  error: unknown,
): Promise<void> {
  const now = clock.now().getTime();
  const pauseMs = Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, now - since.getTime()));
  await holdUnit(db, unitId, new Date(now + pauseMs));
  log.error({ err: error, unitId, orgId, pauseMs }, 'a unit’s scans cannot be scored; it is set aside');
}
