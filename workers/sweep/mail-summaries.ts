/** People who want to be are mailed what their organization's last week came to. */
import { rollUpWholly } from '../../shared/analytics/service.ts';
import { withTransaction } from '../../shared/db.ts';
import { encodeId, NIL_UUID } from '../../shared/ids.ts';
import { postMail } from '../../shared/mail/outbox.ts';
import { summaryMail } from '../../shared/mail/summary.ts';
import {
  isQuiet,
  lastWeek,
  listSubscribers,
  lockSubscriber,
  readWeek,
  storeSummarized,
  type SubscriberRow,
  type Week,
  type WeekSummary,
} from '../../shared/summaries/service.ts';
import type { AlertDeps } from './mail-alerts.ts';

const PAGE = 200;

/**
 * Posts a mail to each person who was not told of the last week; one that fails holds up none of the others.
 * @returns how many mails
 * @throws Error after the last, where any failed
 */
export async function mailSummaries(deps: AlertDeps): Promise<number> {
  const now = deps.clock.now();
  const weeks = new Map<string, Week>();
  /** Finding it takes a fifth of a millisecond, and many organizations are in one zone. */
  const weekIn = (timeZone: string): Week => {
    const week = weeks.get(timeZone) ?? lastWeek(timeZone, now);
    weeks.set(timeZone, week);
    return week;
  };
  /** Of the organization that the last was of: a run may be long, and need not keep all. */
  let known = null as { orgId: string; summary: WeekSummary } | null;
  let mails = 0;
  let dealtWith = 0;
  let failed = 0;
  let after = { org_id: NIL_UUID, id: NIL_UUID };
  for (;;) {
    const page = await listSubscribers(deps.db, after, PAGE);
    for (const person of page) {
      if (deps.stopping.aborted) return mails;
      const { org_id: orgId, time_zone: timeZone } = person;
      try {
        const week = weekIn(timeZone);
        if (person.summarized_until > week.dueUntil) continue;
        // While no worker ran, days may have gathered.
        if (known === null) await rollUpWholly(deps.db);
        if (known?.orgId !== orgId)
          known = { orgId, summary: await readWeek(deps.db, { orgId, timeZone, week }) };
        if (await mailTo(deps, person, known.summary)) mails += 1;
        dealtWith += 1;
      } catch (error) {
        deps.log.error(
          { err: error, userId: encodeId('user', person.id) },
          'a summary was not posted to somebody',
        );
        failed += 1;
      }
    }
    if (page.length < PAGE) break;
    after = page.at(-1)!;
  }
  if (failed > 0) throw new Error(`summaries were not posted to ${failed} of ${failed + dealtWith} people`);
  return mails;
}

/** In a transaction for each: what is told is told, whatever happens to the next. */
const mailTo = (deps: AlertDeps, { id }: SubscriberRow, summary: WeekSummary): Promise<boolean> =>
  withTransaction(deps.db, async (uow) => {
    const person = await lockSubscriber(uow.db, id, summary.week.dueUntil);
    if (person === null) return false;
    await storeSummarized(uow.db, id, summary.week.to);
    if (isQuiet(summary)) return false;
    const { language, organization_name: organizationName, role } = person;
    const message = summaryMail(language, deps.config.PUBLIC_URL, { organizationName, role, summary });
    await postMail(deps, uow, 'summary', person.email, message);
    return true;
  });
