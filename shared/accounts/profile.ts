/** What a person sees and changes about themselves. */
import type { AlertMails } from '../alerts/service.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError } from '../errors.ts';
import type { Language } from '../languages.ts';
import { weekOf, type SummaryMails } from '../summaries/service.ts';
import { findAccount, lockAccount, storeProfile, type AccountRow } from './repository.ts';

export { countRecoveryCodes, lockAccount, type AccountRow } from './repository.ts';

/** @throws AppError NOT_FOUND */
export async function getAccount(db: Db, userId: string): Promise<AccountRow> {
  const account = await findAccount(db, userId);
  if (account === null) throw new AppError('NOT_FOUND', { detail: 'no such user' });
  return account;
}

/** Changes what is given and leaves the rest. @throws AppError NOT_FOUND */
export async function changeSelf(
  { clock }: { clock: Clock },
  db: Db,
  userId: string,
  changes: {
    name?: string | null | undefined;
    language?: Language | undefined;
    alertMails?: AlertMails | undefined;
    summaryMails?: SummaryMails | undefined;
  },
): Promise<void> {
  // Held, so that of two changes at once neither undoes the other.
  const account = await lockAccount(db, userId);
  if (account === null) throw new AppError('NOT_FOUND', { detail: 'no such user' });
  const alertMails = changes.alertMails ?? account.alert_mails;
  const summaryMails = changes.summaryMails ?? account.summary_mails;
  await storeProfile(db, userId, {
    name: changes.name === undefined ? account.name : changes.name,
    language: changes.language ?? account.language,
    alertMails,
    // Who wanted no mails is told of what comes from now on.
    toldUntil: account.alert_mails === 'never' && alertMails !== 'never' ? clock.now() : null,
    summaryMails,
    summarizedUntil:
      account.summary_mails === 'never' && summaryMails !== 'never'
        ? weekOf(account.time_zone, clock.now())
        : null,
  });
}
