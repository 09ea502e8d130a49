/** Events: written with their dispatches in the transaction of the fact, and read by the organization. */
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError } from '../errors.ts';
import { newUuid } from '../ids.ts';
import type { Waker } from '../queues.ts';
import { parseEventData, type EventType } from './catalogue.ts';
import {
  findEvent,
  findSubject,
  insertEvent,
  insertEventsWithDispatches,
  type EventRow,
} from './repository.ts';

export { listEvents, type EventRow } from './repository.ts';

export interface EventToRecord<T extends EventType = EventType> {
  type: T;
  orgId: string;
  /** UUID of the product that it is about, or null. */
  productId: string | null;
  /** Checked against the catalogue before anything is written. */
  data: unknown;
}

/**
 * Records events in the caller's transaction, and wakes their endpoints after its commit.
 * @throws TypeError where data does not fit the catalogue: a fault of the program, so that the fact rolls back too.
 */
export async function recordEvents(
  { clock, waker }: { clock: Clock; waker: Waker },
  uow: UnitOfWork,
  events: readonly EventToRecord[],
): Promise<void> {
  if (events.length === 0) return;
  const createdAt = clock.now();
  await insertEventsWithDispatches(
    uow.db,
    events.map(({ type, orgId, productId, data }) => ({
      id: newUuid(),
      orgId,
      type,
      productId,
      data: parseEventData(type, data),
      createdAt,
    })),
  );
  const orgIds = [...new Set(events.map((event) => event.orgId))];
  uow.afterCommit(() => waker.fanOutEvents(orgIds));
}

/** @throws AppError NOT_FOUND */
export async function getEvent(db: Db, orgId: string, id: string): Promise<EventRow> {
  const event = await findEvent(db, orgId, id);
  if (event === null) throw new AppError('NOT_FOUND', { detail: 'no such event' });
  return event;
}

/** Records an event that no filter applies to; its caller makes the dispatches. @returns its UUID. @throws TypeError */
export async function recordEventWithoutDispatches(
  { clock }: { clock: Clock },
  db: Db,
  { type, orgId, productId, data }: EventToRecord,
): Promise<string> {
  const id = newUuid();
  const parsed = parseEventData(type, data);
  await insertEvent(db, { id, orgId, type, productId, data: parsed, createdAt: clock.now() });
  return id;
}

/** What filters look at. @throws AppError NOT_FOUND */
export async function findEventSubject(
  db: Db,
  orgId: string,
  id: string,
): Promise<{ id: string; type: string; productId: string | null }> {
  const subject = await findSubject(db, orgId, id);
  if (subject === null) throw new AppError('NOT_FOUND', { detail: 'no such event' });
  return subject;
}
