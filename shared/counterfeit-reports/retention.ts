import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { eraseContacts, erasePseudonyms } from './repository.ts';

const DAY_MS = 86_400_000;

/**
 * Erases contact details that have served their time: `days` after the report was closed, or was filed and is still open.
 * @returns in how many reports
 */
export async function forgetOldContacts(
  { db, clock }: { db: Db; clock: Clock },
  days: number,
): Promise<number> {
  const now = clock.now();
  return eraseContacts(db, new Date(now.getTime() - days * DAY_MS), now);
}

/**
 * Forgets from which network reports came that were filed `days` ago: its pseudonym is that of the network's scans, and the
 * fingerprint is made with it. Whoever says the same again from then on files another report.
 * @returns of how many reports
 */
export const forgetReporters = ({ db, clock }: { db: Db; clock: Clock }, days: number): Promise<number> =>
  erasePseudonyms(db, new Date(clock.now().getTime() - days * DAY_MS));
