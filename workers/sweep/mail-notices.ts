/** What endpoints' circuits have to tell becomes mail to the administrators. */
import { withTransaction } from '../../shared/db.ts';
import { webhookDisabled, webhookFailing } from '../../shared/mail/messages.ts';
import { postMail } from '../../shared/mail/outbox.ts';
import { listAdministratorAddresses } from '../../shared/users/service.ts';
import { takeNotices, type NoticeRow } from '../../shared/webhooks/notices.ts';
import type { WorkerDeps } from '../deps.ts';

const MOST_NOTICES = 100;

export type NoticeDeps = Pick<WorkerDeps, 'db' | 'clock' | 'waker' | 'secretBox'>;

const messageOf = ({ kind, data }: NoticeRow) =>
  kind === 'webhook_endpoint.warned'
    ? webhookFailing(data.url ?? '', data.failingSince ?? '', data.disablesAt ?? '')
    : webhookDisabled(data.url ?? '', data.reason === 'gone');

/** Takes the notices that wait and posts a mail for each administrator, in one transaction. @returns how many mails. */
export async function mailNotices(deps: NoticeDeps): Promise<number> {
  return withTransaction(deps.db, async (uow) => {
    let mails = 0;
    for (const notice of await takeNotices(uow.db, MOST_NOTICES, deps.clock.now())) {
      for (const address of await listAdministratorAddresses(uow.db, notice.org_id)) {
        await postMail(deps, uow, notice.kind, address, messageOf(notice));
        mails += 1;
      }
    }
    return mails;
  });
}
