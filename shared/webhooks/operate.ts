/** What a person does to an endpoint beside changing it: new secret, test, disable, enable; and the replay of an event. */
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError } from '../errors.ts';
import { EVENT_CATALOGUE, type EventType } from '../events/catalogue.ts';
import { findEventSubject, recordEventWithoutDispatches } from '../events/service.ts';
import { encodeId, newUuid } from '../ids.ts';
import type { Waker } from '../queues.ts';
import type { SecretBox } from '../secret-box.ts';
import { disableCircuit, earliestAttempt, enableCircuit } from './circuit-breaker.ts';
import {
  insertDispatch,
  listDispatchesOfEvent,
  releaseBehind,
  replayDispatches,
  type DispatchRow,
} from './dispatch-repository.ts';
import {
  findTestedAt,
  listEndpointIdsForEvent,
  lockEndpoint,
  markTested,
  releaseHold,
  storeCircuit,
  type EndpointRow,
} from './endpoint-repository.ts';
import { secretOwner } from './secret-owner.ts';
import { deleteExpiredSecrets, expireSecrets, insertSecret } from './secret-repository.ts';
import { getEndpoint, holdEndpoint } from './service.ts';
import { generateSecret } from './signature.ts';

export type { DispatchRow } from './dispatch-repository.ts';

/** Each valid secret is one signature in every request's header. */
const MAX_VALID_SECRETS = 5;
export const MAX_OVERLAP_SECONDS = 7 * 24 * 3600;
/** A test says nothing that a delivery would not say; this keeps it from being used to probe the world quickly. */
const TEST_INTERVAL_SECONDS = 5;

export interface OperateDeps {
  clock: Clock;
  waker: Waker;
}

/**
 * Gives the endpoint a new signing secret. The present ones stay valid for the overlap (0: they end now).
 * @returns the secret, which cannot be read again.
 * @throws AppError NOT_FOUND; CONFLICT where with the overlap more than {@link MAX_VALID_SECRETS} would be valid
 */
export async function rotateSecret(
  deps: { clock: Clock; random(bytes: number): Buffer; secretBox: SecretBox },
  db: Db,
  orgId: string,
  id: string,
  overlapSeconds: number,
): Promise<{ endpoint: EndpointRow; secret: string; previousValidUntil: Date }> {
  const endpoint = await holdEndpoint(db, orgId, id);
  const now = deps.clock.now();
  const previousValidUntil = new Date(now.getTime() + overlapSeconds * 1000);
  const valid = await expireSecrets(db, id, now, previousValidUntil);
  if (overlapSeconds > 0 && valid >= MAX_VALID_SECRETS) {
    throw new AppError('CONFLICT', {
      detail: `${valid} secrets are valid already; wait for one to end, or rotate with an overlap of 0`,
    });
  }
  await deleteExpiredSecrets(db, id, now);
  const secret = generateSecret(deps.random);
  const sealed = deps.secretBox.seal(secret, secretOwner(orgId, id));
  await insertSecret(db, { id: newUuid(), endpointId: id, sealed, now });
  return { endpoint, secret, previousValidUntil };
}

/**
 * Sends a `webhook.test` event to this endpoint alone, before all that wait for it but in FIFO order.
 * @returns the event's UUID, and when it may go: it waits with the others while the circuit is open or the endpoint is held.
 *   What came of it is in the delivery log.
 * @throws AppError NOT_FOUND; CONFLICT while the endpoint is disabled; RATE_LIMITED more often than every
 *   {@link TEST_INTERVAL_SECONDS}
 */
export async function sendTestEvent(
  deps: OperateDeps,
  uow: UnitOfWork,
  orgId: string,
  id: string,
): Promise<{ eventId: string; nextAttemptAt: Date }> {
  const endpoint = await holdEndpoint(uow.db, orgId, id);
  const now = deps.clock.now();
  const nextAttemptAt = earliestAttempt(endpoint.circuit, endpoint.held_until, now);
  if (nextAttemptAt === null)
    throw new AppError('CONFLICT', { detail: 'the endpoint is disabled; enable it first' });
  const testedAt = await findTestedAt(uow.db, id);
  const waitMs = testedAt === null ? 0 : testedAt.getTime() + TEST_INTERVAL_SECONDS * 1000 - now.getTime();
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1000);
    throw new AppError('RATE_LIMITED', {
      detail: `one test every ${TEST_INTERVAL_SECONDS} seconds; try again in ${seconds} s`,
      headers: { 'Retry-After': String(seconds) },
    });
  }
  await markTested(uow.db, id, now);
  const data = {
    endpointId: encodeId('whep', id),
    message: 'This is a test. Nothing happened.',
    at: now.toISOString(),
  };
  const eventId = await recordEventWithoutDispatches(deps, uow.db, {
    type: 'webhook.test',
    orgId,
    productId: null,
    data,
  });
  // Whoever has mended a receiver wants to know now, and not after all that has gathered meanwhile.
  const isFirst = !endpoint.fifo;
  await insertDispatch(uow.db, { eventId, endpointId: id, orgId, dueAt: now }, { isFirst });
  uow.afterCommit(() => deps.waker.deliverWebhooks([id]));
  return { eventId, nextAttemptAt };
}

/** Lets events go again, from a clean slate; what waited is sent, whatever patience the receiver had asked for. Already closed: no effect beyond that. @throws AppError NOT_FOUND */
export async function enableEndpoint(
  deps: OperateDeps,
  uow: UnitOfWork,
  orgId: string,
  id: string,
): Promise<EndpointRow> {
  const endpoint = await holdEndpoint(uow.db, orgId, id);
  const { state } = enableCircuit(endpoint.circuit, deps.clock.now().getTime());
  await storeCircuit(uow.db, id, state);
  await releaseHold(uow.db, id);
  uow.afterCommit(() => deps.waker.deliverWebhooks([id]));
  return getEndpoint(uow.db, orgId, id);
}

/** Stops deliveries; events are kept and wait. Already disabled: no effect. @throws AppError NOT_FOUND */
export async function disableEndpoint(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
): Promise<EndpointRow> {
  const endpoint = await holdEndpoint(db, orgId, id);
  const { state } = disableCircuit(endpoint.circuit, 'manual', clock.now().getTime());
  await storeCircuit(db, id, state);
  return getEndpoint(db, orgId, id);
}

/**
 * Sends an event again, with its id and a full schedule of retries: to one endpoint whatever its filter, or to all that have it or
 * want it. @returns the endpoints' UUIDs. @throws AppError NOT_FOUND; CONFLICT where no endpoint wants it
 */
export async function replayEvent(
  deps: OperateDeps,
  uow: UnitOfWork,
  orgId: string,
  eventId: string,
  endpointId: string | null,
): Promise<string[]> {
  const event = await findEventSubject(uow.db, orgId, eventId);
  const endpointIds =
    endpointId === null
      ? await holdWanting(uow.db, orgId, event)
      : [(await holdEndpoint(uow.db, orgId, endpointId)).id];
  if (endpointIds.length === 0)
    throw new AppError('CONFLICT', { detail: 'no endpoint subscribes to this event; name one' });
  await replayDispatches(uow.db, { id: eventId, orgId }, endpointIds, deps.clock.now());
  await releaseBehind(uow.db, eventId, endpointIds);
  uow.afterCommit(() => deps.waker.deliverWebhooks(endpointIds));
  return endpointIds;
}

/** The endpoints that have an event or want it, held until the transaction ends. One that somebody deletes meanwhile costs the others nothing. */
async function holdWanting(
  db: Db,
  orgId: string,
  event: Awaited<ReturnType<typeof findEventSubject>>,
): Promise<string[]> {
  const { isSubscribable } = EVENT_CATALOGUE[event.type as EventType];
  const held: string[] = [];
  // In id order, as the deliverer locks them.
  for (const id of await listEndpointIdsForEvent(db, { ...event, orgId, isSubscribable }))
    if ((await lockEndpoint(db, id)) !== null) held.push(id);
  return held;
}

/** What became of an event at each endpoint. */
export async function listEventDispatches(db: Db, eventId: string): Promise<DispatchRow[]> {
  return listDispatchesOfEvent(db, eventId);
}
