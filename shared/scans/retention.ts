/** What is forgotten of scans, and when (docs/privacy.md). */
import type { Clock } from '../clock.ts';
import type { Db, Pool } from '../db.ts';
import { RETENTION_BATCH, walkAged, type RetentionStep } from '../retention/walk.ts';
import { coarseProfile, coarseSignals } from '../risk/coarse.ts';
import {
  deleteOldestScans,
  forgetPseudonyms,
  listAged,
  listUnitsWithExactScans,
  lockProfiles,
  makeScansCoarse,
  replaceProfiles,
  type DeletedRows,
} from './retention-repository.ts';

/**
 * A visitor's own position is not only in its scan: the unit's profile remembers it, and becomes coarse as a whole as soon as one
 * of its exact positions comes of age. Evidence names it coarsely (`coarsePlace`); what it says of addresses becomes coarse as its scan does.
 */
const makeCoarse: RetentionStep = async (db, fromId, toId, batch) => {
  const aged = await listAged(db, fromId, toId, batch);
  const last = aged.at(-1);
  if (last === undefined) return { rows: 0, last: null };
  // Profiles before scans, as scoring locks them.
  await makeProfilesCoarse(
    db,
    aged.filter((scan) => scan.is_exact).map((scan) => scan.unit_id),
  );
  await makeScansCoarse(
    db,
    aged.map(({ id, signals }) => ({ id, signals: signals && coarseSignals(signals) })),
  );
  return { rows: aged.length, last: last.id };
};

async function makeProfilesCoarse(db: Db, unitIds: readonly string[]): Promise<void> {
  const profiles = unitIds.length === 0 ? [] : await lockProfiles(db, [...new Set(unitIds)]);
  if (profiles.length === 0) return;
  await replaceProfiles(
    db,
    profiles.map(({ unit_id, profile }) => ({ unit_id, profile: coarseProfile(profile) })),
  );
}

/**
 * Deletes the oldest scans of an organization from before a time. Such as were not made coarse before leave no exact position
 * behind in their unit's profile.
 * @param db in a transaction
 */
export async function deleteScans(db: Db, orgId: string, before: Date, limit: number): Promise<DeletedRows> {
  await makeProfilesCoarse(db, await listUnitsWithExactScans(db, orgId, before, limit));
  return deleteOldestScans(db, orgId, before, limit);
}

export interface RetentionPeriods {
  /** Until addresses, browsers, sessions and exact positions go. */
  addressDays: number;
  /** Until what is left of the network goes. */
  pseudonymDays: number;
}

/** Applies both rules to all that has come of age. @returns how many scans were changed. */
export async function applyRetention(
  deps: { db: Pool; clock: Clock },
  { addressDays, pseudonymDays }: RetentionPeriods,
  batch = RETENTION_BATCH,
): Promise<number> {
  const coarse = await walkAged(deps, 'addresses', makeCoarse, addressDays, batch);
  return coarse + (await walkAged(deps, 'pseudonyms', forgetPseudonyms, pseudonymDays, batch));
}
