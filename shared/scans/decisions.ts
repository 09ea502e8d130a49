/** People's decisions on units, beside what scoring finds; and the lock that puts the two in order. */
import type { Db } from '../db.ts';
import { lockAnyProfileRow, lockProfileRow, storeDecision, storeSuspicion } from './scoring-repository.ts';

/** Holds the unit's profile, and with it its scoring, until the transaction ends. */
export async function lockProfile(db: Db, unitId: string): Promise<void> {
  await lockProfileRow(db, unitId);
}

/** As {@link lockProfile}, of a unit that nobody may have scanned. */
export async function lockAnyProfile(db: Db, unit: { orgId: string; unitId: string }): Promise<void> {
  await lockAnyProfileRow(db, unit);
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

/**
 * Puts a unit under suspicion, until somebody dismisses it: its page no longer says that nothing is known against it, and a
 * scan of it abroad is no diversion. It makes no scan suspicious. The caller holds the profile.
 */
export async function raiseSuspicion(db: Db, unitId: string, now: Date): Promise<void> {
  await storeSuspicion(db, unitId, now);
}
