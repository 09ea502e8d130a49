import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { RETENTION_BATCH } from '../retention/walk.ts';
import { eraseContacts, erasePseudonyms } from './repository.ts';

const DAY_MS = 86_400_000;

/**
 * Each step is a statement of its own: whoever works on a report waits for no other's, and where a setting was lowered, a
 * million come of age at once, which is a minute's work.
 */
async function inBatches(step: (limit: number) => Promise<number>): Promise<number> {
  for (let erased = 0; ;) {
    const reports = await step(RETENTION_BATCH);
    erased += reports;
    if (reports < RETENTION_BATCH) return erased;
  }
}

/**
 * Erases contact details that have served their time: `days` after the report was closed, or was filed and is still open.
 * @returns in how many reports
 */
export async function forgetOldContacts(
  { db, clock }: { db: Db; clock: Clock },
  days: number,
): Promise<number> {
  const now = clock.now();
  return inBatches((limit) => eraseContacts(db, new Date(now.getTime() - days * DAY_MS), now, limit));
}

/**
 * Forgets from which network reports came that were filed `days` ago: its pseudonym is that of the network's scans, and the
 * fingerprint is made with it. Whoever says the same again from then on files another report.
 * @returns of how many reports
 */
export async function forgetReporters(
  { db, clock }: { db: Db; clock: Clock },
  days: number,
): Promise<number> {
  const before = new Date(clock.now().getTime() - days * DAY_MS);
  return inBatches((limit) => erasePseudonyms(db, before, limit));
}
