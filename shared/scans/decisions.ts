/** People's decisions on units, beside what scoring finds; and the lock that puts the two in order. */
import type { Db } from '../db.ts';
import { lockProfileRow, storeDecision } from './scoring-repository.ts';

/** Holds the unit's profile, and with it its scoring, until the transaction ends. */
export async function lockProfile(db: Db, unitId: string): Promise<void> {
  await lockProfileRow(db, unitId);
}

/**
 * Stores a decision. After `dismissed`, only what comes later can put the unit under suspicion again; after `confirmed`,
 * each scan of it is suspicious.
 */
export async function decideUnit(
  db: Db,
  unitId: string,
  decision: 'dismissed' | 'confirmed',
  now: Date,
): Promise<void> {
  await storeDecision(db, unitId, decision, now);
}
