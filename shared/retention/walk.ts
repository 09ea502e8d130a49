/**
 * Walks along ids, which are times, and keeps a mark of how far it came: a run touches what has come of age since the last one,
 * and no partition before or after that.
 */
import type { Clock } from '../clock.ts';
import { withTransaction, type Db, type Pool } from '../db.ts';
import { uuidFloor } from '../ids.ts';
import { lockMark, moveMark } from './marks-repository.ts';

const DAY_MS = 86_400_000;
/** Rows of one transaction: a few tens of milliseconds. */
export const RETENTION_BATCH = 2_000;

/** Sees to up to `batch` rows with `fromId < id < toId`. @returns how many, and the last one's id. */
export type RetentionStep = (
  db: Db,
  fromId: string,
  toId: string,
  batch: number,
) => Promise<{ rows: number; last: string | null }>;

/** Applies a rule to all that has come to this age. @param rule names its mark. @returns how many rows it saw. */
export async function walkAged(
  { db, clock }: { db: Pool; clock: Clock },
  rule: string,
  apply: RetentionStep,
  days: number,
  batch = RETENTION_BATCH,
): Promise<number> {
  const limit = uuidFloor(new Date(clock.now().getTime() - days * DAY_MS));
  for (let seen = 0; ;) {
    const rows = await withTransaction(db, async (uow) => {
      const from = await lockMark(uow.db, rule);
      const step = await apply(uow.db, from, limit, batch);
      if (step.last !== null) await moveMark(uow.db, rule, step.last);
      return step.rows;
    });
    seen += rows;
    if (rows < batch) return seen;
  }
}
