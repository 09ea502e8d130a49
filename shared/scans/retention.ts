/**
 * What is forgotten of scans, and when (docs/privacy.md). Each rule walks along the ids, which are times, and keeps a mark
 * of how far it came: a run touches what has come of age since the last one, and no partition before or after that.
 */
import type { Clock } from '../clock.ts';
import { withTransaction, type Pool } from '../db.ts';
import { uuidFloor } from '../ids.ts';
import {
  forgetPseudonyms,
  lockMark,
  makeCoarse,
  moveMark,
  type RetentionStep,
} from './retention-repository.ts';

const DAY_MS = 86_400_000;
/** Rows of one transaction: a few tens of milliseconds. */
const BATCH = 2_000;

const RULES = { addresses: makeCoarse, pseudonyms: forgetPseudonyms } as const;

export interface RetentionPeriods {
  /** Until addresses, browsers, sessions and exact positions go. */
  addressDays: number;
  /** Until what is left of the network goes. */
  pseudonymDays: number;
}

/** Applies both rules to all that has come of age. @returns how many scans were changed. */
export async function applyRetention(
  { db, clock }: { db: Pool; clock: Clock },
  { addressDays, pseudonymDays }: RetentionPeriods,
  batch = BATCH,
): Promise<number> {
  const before = (days: number) => uuidFloor(new Date(clock.now().getTime() - days * DAY_MS));
  const limits = { addresses: before(addressDays), pseudonyms: before(pseudonymDays) };
  let changed = 0;
  for (const rule of ['addresses', 'pseudonyms'] as const) {
    for (;;) {
      const rows = await step(db, rule, RULES[rule], limits[rule], batch);
      changed += rows;
      if (rows < batch) break;
    }
  }
  return changed;
}

function step(db: Pool, rule: string, apply: RetentionStep, limit: string, batch: number): Promise<number> {
  return withTransaction(db, async (uow) => {
    const from = await lockMark(uow.db, rule);
    const { rows, last } = await apply(uow.db, from, limit, batch);
    if (last !== null) await moveMark(uow.db, rule, last);
    return rows;
  });
}
