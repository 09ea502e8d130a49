/** Claims due mail, sends it, settles it. A mail may go out twice when its sender dies in between; never not at all. */
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import type { Logger } from '../logger.ts';
import type { SecretBox } from '../secret-box.ts';
import type { RenderedMail } from './message.ts';
import { mailOwner } from './outbox.ts';
import { claimDueMails, markMailSettled, postponeMail, type ClaimedMailRow } from './repository.ts';
import type { MailTransport } from './transport.ts';

export { deleteSettledMails, findNextDueAt, findOldestUnsent } from './repository.ts';

export interface SendingDeps {
  db: Pool;
  clock: Clock;
  log: Logger;
  secretBox: SecretBox;
  mailTransport: MailTransport;
  leaseSeconds: number;
}

/** After each failed attempt, how long until the next; after the last one the mail has failed. About a day in all. */
export const RETRY_DELAYS_SECONDS = [10, 60, 300, 1800, 7200, 21_600, 43_200] as const;

/** One after another, so that no mail's lease runs out behind a server that takes its time. */
const CLAIM_LIMIT = 1;
/** Who reads a mail needs a moment, too. */
const LEAST_REST_MS = 60_000;

class Unsendable extends Error {}

/** @returns how many were sent and how many were not; zero of both when nothing is due. */
export async function sendDueMails(deps: SendingDeps): Promise<{ sent: number; failed: number }> {
  const now = deps.clock.now();
  const leaseUntil = new Date(now.getTime() + deps.leaseSeconds * 1000);
  const claimed = await claimDueMails(deps.db, now, leaseUntil, CLAIM_LIMIT);
  let sent = 0;
  for (const row of claimed) {
    let recipient = '';
    try {
      if (restMs(row, deps.clock.now()) < LEAST_REST_MS)
        throw new Unsendable('its link had expired, or was about to, before it could be sent');
      const content = deps.secretBox.open(row.sealed, mailOwner(row.id));
      const mail = JSON.parse(content) as RenderedMail;
      recipient = mail.to;
      await deps.mailTransport.send(row.id, mail);
    } catch (error) {
      await settleFailure(deps, row, error, recipient);
      continue;
    }
    await markMailSettled(deps.db, leaseOf(row), { state: 'sent', error: null, now: deps.clock.now() });
    sent += 1;
  }
  return { sent, failed: claimed.length - sent };
}

const leaseOf = (row: ClaimedMailRow) => ({ id: row.id, leaseEpoch: row.lease_epoch });

/** How long the link of a mail still works. */
const restMs = ({ expires_at: at }: ClaimedMailRow, now: Date): number =>
  at === null ? Number.POSITIVE_INFINITY : at.getTime() - now.getTime();

async function settleFailure(
  { db, clock, log }: SendingDeps,
  row: ClaimedMailRow,
  error: unknown,
  recipient: string,
): Promise<void> {
  const now = clock.now();
  const reason = withoutRecipient((error as Error).message, recipient).slice(0, 500);
  const told = { mailId: row.id, kind: row.kind, attempt: row.attempts, reason };
  const waitMs = isPermanent(error) ? undefined : waitMsAfter(row, now);
  if (waitMs === undefined) {
    await markMailSettled(db, leaseOf(row), { state: 'failed', error: reason, now });
    log.error(told, 'a mail was given up');
    return;
  }
  const nextAt = new Date(now.getTime() + waitMs);
  await postponeMail(db, leaseOf(row), nextAt, reason);
  log.warn({ ...told, nextAt }, 'a mail could not be sent');
}

/** Servers quote whom they refuse, perhaps in capitals, and a domain in its ASCII form: that is for neither the log nor a row that stays. */
function withoutRecipient(message: string, recipient: string): string {
  const [local] = recipient.split('@', 1);
  if (local === '') return message;
  const escaped = local!.replaceAll(/\W/g, String.raw`\$&`);
  const quoted = new RegExp(String.raw`${escaped}@[^\s<>()"',:;]+`, 'gi');
  return message.replaceAll(quoted, '[recipient]');
}

/** One with a link is tried for as long as that works, and waits at most a quarter of the time that is left to it. */
function waitMsAfter(row: ClaimedMailRow, now: Date): number | undefined {
  const last = row.expires_at === null ? undefined : RETRY_DELAYS_SECONDS.at(-1);
  const delaySeconds = RETRY_DELAYS_SECONDS[row.attempts - 1] ?? last;
  return delaySeconds === undefined ? undefined : Math.min(delaySeconds * 1000, restMs(row, now) / 4);
}

/**
 * A recipient that the server refuses with 5xx: trying again would get the same (RFC 5321 §4.2.1). A sender or credentials that
 * it refuses are the operator's to mend.
 */
function isPermanent(error: unknown): boolean {
  if (error instanceof Unsendable) return true;
  const { code, command, responseCode } = error as {
    code?: string;
    command?: string;
    responseCode?: number;
  };
  return code === 'EENVELOPE' && command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500;
}
