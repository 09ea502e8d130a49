/** What endpoints' circuits have to tell becomes mail to the administrators; what concerns security, to its contact. */
import {
  describeSecurityNotice,
  takeSecurityNotices,
  type SecurityNoticeRow,
} from '../../shared/audit/service.ts';
import { withTransaction } from '../../shared/db.ts';
import { securityNotice, webhookDisabled, webhookFailing } from '../../shared/mail/messages.ts';
import { postMail } from '../../shared/mail/outbox.ts';
import { listAdministratorAddresses } from '../../shared/users/service.ts';
import { takeNotices, type NoticeRow } from '../../shared/webhooks/notices.ts';
import type { WorkerDeps } from '../deps.ts';

const MOST_NOTICES = 100;

export type NoticeDeps = Pick<WorkerDeps, 'db' | 'clock' | 'waker' | 'secretBox'>;

const messageOf = ({ kind, data }: NoticeRow) =>
  kind === 'webhook_endpoint.warned'
    ? webhookFailing(data.url ?? '', data.failingSince ?? '', data.disablesAt ?? '')
    : webhookDisabled(data.url ?? '', data.reason ?? '');

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

/** Takes what security contacts are to be told: one mail for each of them, however much it is. @returns how many mails. */
export async function mailSecurityNotices(deps: NoticeDeps): Promise<number> {
  return withTransaction(deps.db, async (uow) => {
    const mails = new Map<string, SecurityNoticeRow[]>();
    for (const row of await takeSecurityNotices(uow.db, MOST_NOTICES)) {
      const key = JSON.stringify([row.address, row.organization_name]);
      mails.set(key, [...(mails.get(key) ?? []), row]);
    }
    for (const rows of mails.values()) {
      const { address, organization_name: name } = rows[0]!;
      await postMail(
        deps,
        uow,
        'security-notice',
        address,
        securityNotice(name, rows.map(describeSecurityNotice)),
      );
    }
    return mails.size;
  });
}
