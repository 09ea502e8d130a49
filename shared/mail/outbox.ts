/** Mail is a row that commits with its reason; `worker-maintenance` sends it. */
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { newUuid } from '../ids.ts';
import type { Waker } from '../queues.ts';
import type { SealedKind } from '../reseal.ts';
import type { SecretBox, SecretOwner } from '../secret-box.ts';
import { renderMessage, type Message } from './message.ts';
import { discardMail, insertMail, listStaleMails, replaceSealedMail } from './repository.ts';

export interface OutboxDeps {
  clock: Clock;
  secretBox: SecretBox;
  waker: Waker;
}

/** A mail is nobody's but its own: some are sent before there is an organization. */
export const mailOwner = (id: string): SecretOwner => ({ organizationId: '', resource: `mail:${id}` });

export const WAITING_MAILS: SealedKind = {
  listStale: async (...page) =>
    (await listStaleMails(...page)).map((row) => ({ ...row, owner: mailOwner(row.id) })),
  replace: replaceSealedMail,
};

/**
 * Writes a mail in the caller's transaction, and wakes its sender after the commit.
 * @param message null writes a row that is never sent, so that timing does not tell whether an address is known.
 * @param options `expiresAt` when its link stops working: it is not sent any more by then. `id` of what it is about, by which it
 *   can be withdrawn; its own by default.
 */
export async function postMail(
  deps: OutboxDeps,
  uow: UnitOfWork,
  kind: string,
  to: string,
  message: Message | null,
  { id = newUuid(), expiresAt = null }: { id?: string; expiresAt?: Date | null } = {},
): Promise<void> {
  const sealed =
    message === null ? null : deps.secretBox.seal(JSON.stringify(renderMessage(to, message)), mailOwner(id));
  await insertMail(uow.db, { id, kind, sealed, expiresAt, now: deps.clock.now() });
  uow.afterCommit(() => deps.waker.sendMail());
}

/** Sends a mail no more that waits; nothing happens where it went out already, or is just about to. */
export const withdrawMail = ({ clock }: Pick<OutboxDeps, 'clock'>, db: Db, id: string): Promise<void> =>
  discardMail(db, id, clock.now());
