/** People who are mailed by the sweeper, and what they are sent. */
import { newUuid } from '../../shared/ids.ts';
import type { RenderedMail } from '../../shared/mail/message.ts';
import { sendDueMails } from '../../shared/mail/sending.ts';
import type { TestApi } from './api.ts';

/** @param fields columns of `users`, beside those that everybody has */
export async function addPerson(
  api: TestApi,
  fields: Record<string, unknown>,
): Promise<{ id: string; email: string }> {
  const row = {
    id: newUuid(),
    email: `${newUuid()}@people.example`,
    password_digest: 'x',
    role: 'analyst',
    ...fields,
  };
  const names = Object.keys(row);
  await api.database.pool.query(
    `insert into users (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  );
  return row;
}

/** Sends what was posted. */
export async function sentMails(api: TestApi): Promise<RenderedMail[]> {
  const mails: RenderedMail[] = [];
  const mailTransport = {
    send: async (_id: string, mail: RenderedMail) => void mails.push(mail),
    close: () => undefined,
  };
  while ((await sendDueMails({ ...api.deps, mailTransport, leaseSeconds: 60 })).sent > 0);
  return mails;
}
