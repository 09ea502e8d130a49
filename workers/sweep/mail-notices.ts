/** What endpoints' circuits have to tell becomes mail to the administrators; what concerns security, to its contact. */
import { takeSecurityNotices, type SecurityNoticeRow } from '../../shared/audit/service.ts';
import { withTransaction } from '../../shared/db.ts';
import { DEFAULT_LANGUAGE, type Language } from '../../shared/languages.ts';
import type { Message } from '../../shared/mail/message.ts';
import { securityNotice, webhookDisabled, webhookFailing } from '../../shared/mail/messages.ts';
import { postMail } from '../../shared/mail/outbox.ts';
import type { WhyDisabled } from '../../shared/mail/words.ts';
import { listAdministrators } from '../../shared/users/service.ts';
import { takeNotices, type NoticeRow } from '../../shared/webhooks/notices.ts';
import type { WorkerDeps } from '../deps.ts';

const MOST_NOTICES = 100;

export type NoticeDeps = Pick<WorkerDeps, 'db' | 'clock' | 'waker' | 'secretBox'>;

function messageOf(language: Language, { kind, data, created_at: at }: NoticeRow): Message {
  const url = data.url ?? '';
  if (kind === 'webhook_endpoint.disabled')
    return webhookDisabled(language, url, whyDisabled(data.reason ?? null));
  const [since, until] = [data.failingSince, data.disablesAt].map((iso) => new Date(iso ?? at));
  return webhookFailing(language, url, since!, until!);
}

const whyDisabled = (reason: string | null): WhyDisabled =>
  reason === 'gone' || reason === 'unreadable' ? reason : 'failing';

/** Takes the notices that wait and posts a mail for each administrator, in their language, in one transaction. @returns how many mails. */
export async function mailNotices(deps: NoticeDeps): Promise<number> {
  return withTransaction(deps.db, async (uow) => {
    let mails = 0;
    for (const notice of await takeNotices(uow.db, MOST_NOTICES, deps.clock.now())) {
      for (const { email, language } of await listAdministrators(uow.db, notice.org_id)) {
        await postMail(deps, uow, notice.kind, email, messageOf(language, notice));
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
      const key = JSON.stringify([row.address, row.organization_name, row.language]);
      mails.set(key, [...(mails.get(key) ?? []), row]);
    }
    for (const rows of mails.values()) {
      const { address, language, organization_name: name } = rows[0]!;
      const message = securityNotice(language ?? DEFAULT_LANGUAGE, name, rows);
      await postMail(deps, uow, 'security-notice', address, message);
    }
    return mails.size;
  });
}
