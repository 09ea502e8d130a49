/** People are mailed what is new and waits for somebody, as often as they chose. */
import { listDue, lockDue, readAlerts, storeTold, toldUntil } from '../../shared/alerts/service.ts';
import { withTransaction } from '../../shared/db.ts';
import { encodeId, NIL_UUID } from '../../shared/ids.ts';
import { alertsMail } from '../../shared/mail/alerts.ts';
import { postMail } from '../../shared/mail/outbox.ts';
import type { WorkerDeps } from '../deps.ts';

const PAGE = 200;

export type AlertDeps = Pick<
  WorkerDeps,
  'db' | 'clock' | 'log' | 'waker' | 'secretBox' | 'config' | 'stopping'
>;

/**
 * Posts a mail to each person who has something to be told; one that fails holds up none of the others.
 * @returns how many mails
 * @throws Error after the last, where any failed
 */
export async function mailAlerts(deps: AlertDeps): Promise<number> {
  const now = deps.clock.now();
  let mails = 0;
  let people = 0;
  let failed = 0;
  let after = NIL_UUID;
  for (;;) {
    const due = await listDue(deps.db, now, after, PAGE);
    for (const id of due) {
      if (deps.stopping.aborted) return mails;
      people += 1;
      try {
        if (await mailTo(deps, id, now)) mails += 1;
      } catch (error) {
        deps.log.error({ err: error, userId: encodeId('user', id) }, 'alerts were not posted to somebody');
        failed += 1;
      }
    }
    if (due.length < PAGE) break;
    after = due.at(-1)!;
  }
  if (failed > 0) throw new Error(`alerts were not posted to ${failed} of ${people} people`);
  return mails;
}

/** In a transaction for each: what is told is told, whatever happens to the next. */
const mailTo = (deps: AlertDeps, id: string, now: Date): Promise<boolean> =>
  withTransaction(deps.db, async (uow) => {
    const person = await lockDue(uow.db, id, now);
    if (person === null) return false;
    const alerts = await readAlerts(uow.db, person, now);
    if (alerts === 'gathering') return false;
    if (alerts === null) {
      // What others dealt with, or was known, is not looked through again a minute later.
      await storeTold(uow.db, id, toldUntil(now), null);
      return false;
    }
    const message = alertsMail(person.language, deps.config.PUBLIC_URL, {
      organizationName: person.organization_name,
      every: person.alert_mails,
      alerts,
    });
    await postMail(deps, uow, 'alerts', person.email, message);
    await storeTold(uow.db, id, toldUntil(now), now);
    return true;
  });
