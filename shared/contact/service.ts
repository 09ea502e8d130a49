/** The contact form: stored, and mailed to whoever runs the service. */
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { newUuid } from '../ids.ts';
import { contactMessage } from '../mail/messages.ts';
import { postMail, type OutboxDeps } from '../mail/outbox.ts';
import { deleteContactMessages, insertContactMessage } from './repository.ts';

const DAY_MS = 86_400_000;

/** @param operatorEmail null where nobody is to be mailed; the message is stored in any case. */
export async function receiveContactMessage(
  deps: OutboxDeps,
  uow: UnitOfWork,
  operatorEmail: string | null,
  input: { name: string; email: string; message: string },
): Promise<void> {
  await insertContactMessage(uow.db, { id: newUuid(), ...input, now: deps.clock.now() });
  if (operatorEmail !== null) await postMail(deps, uow, 'contact', operatorEmail, contactMessage(input));
}

/** Deletes messages that came more than `days` ago. @returns how many. */
export const forgetContactMessages = (
  { db, clock }: { db: Db; clock: Clock },
  days: number,
): Promise<number> => deleteContactMessages(db, new Date(clock.now().getTime() - days * DAY_MS));
