/** Sends what is due in the mail outbox, until nothing is. */
import { findNextDueAt, sendDueMails, type SendingDeps } from '../../shared/mail/sending.ts';
import type { WorkerDeps } from '../deps.ts';

export interface SendMailResult {
  sent: number;
  failed: number;
}

export const sendMail = (deps: WorkerDeps) => {
  const sending: SendingDeps = { ...deps, leaseSeconds: Math.max(deps.config.LEASE_SECONDS, 300) };
  return async (): Promise<SendMailResult> => {
    const result = { sent: 0, failed: 0 };
    while (!deps.stopping.aborted) {
      const { sent, failed } = await sendDueMails(sending);
      result.sent += sent;
      result.failed += failed;
      if (sent + failed > 0) continue;
      const next = await findNextDueAt(deps.db);
      if (next !== null)
        await deps.waker.sendMailLater(Math.max(1, next.getTime() - deps.clock.now().getTime()));
      break;
    }
    return result;
  };
};
