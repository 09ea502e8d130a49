/** Throws away what is over: sessions, links and secrets that nothing needs any more. */
import { deleteEndedSecrets } from '../api-keys/service.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { deleteOldInvitations } from '../invitations/service.ts';
import { deleteSettledMails } from '../mail/sending.ts';
import { deleteExpiredSignUps } from '../sign-ups/service.ts';
import { deleteExpiredSignIns } from '../single-sign-on/service.ts';
import { deleteExpiredResets } from './repository.ts';
import { deleteOldSessions } from './session-repository.ts';

// For somebody who looks into what happened.
const KEPT_DAYS = 30;

/** @returns how many sessions, invitations, mails and secrets of keys went. */
export async function forgetOldAccountData(
  { clock }: { clock: Clock },
  db: Db,
): Promise<{ sessions: number; invitations: number; mails: number; keySecrets: number }> {
  const now = clock.now();
  const before = new Date(now.getTime() - KEPT_DAYS * 24 * 3600 * 1000);
  await deleteExpiredResets(db, now);
  await deleteExpiredSignUps(db, now);
  await deleteExpiredSignIns(db, now);
  return {
    sessions: await deleteOldSessions(db, before),
    invitations: await deleteOldInvitations(db, before),
    mails: await deleteSettledMails(db, before),
    keySecrets: await deleteEndedSecrets(db, before),
  };
}
