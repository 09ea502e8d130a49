/** Claims due mail, sends it, settles it. A mail may go out twice when its sender dies in between; never not at all. */
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import type { SecretBox } from '../secret-box.ts';
import type { RenderedMail } from './message.ts';
import { mailOwner } from './outbox.ts';
import { claimDueMails, markMailSettled, postponeMail } from './repository.ts';
import type { MailTransport } from './transport.ts';

export { deleteSettledMails, findNextDueAt } from './repository.ts';

export interface SendingDeps {
  db: Pool;
  clock: Clock;
  secretBox: SecretBox;
  mailTransport: MailTransport;
  leaseSeconds: number;
}

/** After each failed attempt, how long until the next; after the last one the mail has failed. About a day in all. */
export const RETRY_DELAYS_SECONDS = [10, 60, 300, 1800, 7200, 21_600, 43_200] as const;

const CLAIM_LIMIT = 10;

/** @returns how many were sent and how many were not; zero of both when nothing is due. */
export async function sendDueMails(deps: SendingDeps): Promise<{ sent: number; failed: number }> {
  const now = deps.clock.now();
  const leaseUntil = new Date(now.getTime() + deps.leaseSeconds * 1000);
  const claimed = await claimDueMails(deps.db, now, leaseUntil, CLAIM_LIMIT);
  let sent = 0;
  for (const row of claimed) {
    const mail = { id: row.id, leaseEpoch: row.lease_epoch };
    try {
      const content = deps.secretBox.open(row.sealed, mailOwner(row.id));
      await deps.mailTransport.send(row.id, JSON.parse(content) as RenderedMail);
      await markMailSettled(deps.db, mail, { state: 'sent', error: null, now: deps.clock.now() });
      sent += 1;
    } catch (error) {
      await settleFailure(deps, mail, row.attempts, error);
    }
  }
  return { sent, failed: claimed.length - sent };
}

async function settleFailure(
  { db, clock }: SendingDeps,
  mail: { id: string; leaseEpoch: number },
  attempts: number,
  error: unknown,
): Promise<void> {
  const now = clock.now();
  const reason = (error as Error).message.slice(0, 500);
  const delaySeconds = isPermanent(error) ? undefined : RETRY_DELAYS_SECONDS[attempts - 1];
  if (delaySeconds === undefined) await markMailSettled(db, mail, { state: 'failed', error: reason, now });
  else await postponeMail(db, mail, new Date(now.getTime() + delaySeconds * 1000), reason);
}

/** A reply of 5xx to the envelope: trying again would get the same (RFC 5321 §4.2.1). Refused credentials (535) may be mended. */
function isPermanent(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500;
}
