/**
 * Recovery: everything since a time that did not arrive at an endpoint is sent again, also what was never tried (events
 * from before the endpoint was there, or before it asked for their type). A recovery is a row: it resumes where it was
 * after a crash, keeps to its rate, shows its progress and can be cancelled.
 */
import type { Clock } from '../clock.ts';
import {
  BEGIN_BY_KEYS,
  beginWithin,
  isStatementTimeout,
  withTransaction,
  type Db,
  type Pool,
  type UnitOfWork,
} from '../db.ts';
import { AppError, constraintOf, invalidField, invalidTransition } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { SUBSCRIBABLE_EVENT_TYPES } from '../events/catalogue.ts';
import { newUuid, uuidFloor } from '../ids.ts';
import type { Page, PageRequest } from '../page.ts';
import type { Waker } from '../queues.ts';
import { findEndpoint, lockEndpoint, type EndpointRow } from './endpoint-repository.ts';
import {
  countEvents,
  findRecovery,
  findRecoverySubject,
  insertRecovery,
  listRecoveries,
  lockOpenRecovery,
  markCancelled,
  recoverEvents,
  releaseFront,
  storeProgress,
  type EventRange,
  type RecoveryRow,
} from './recovery-repository.ts';
import { getEndpoint, holdEndpoint } from './service.ts';

export { listDueRecoveryIds, type RecoveryRow } from './recovery-repository.ts';

/** Events a second that a recovery makes due, unless it is told otherwise: fresh events keep most of the room. */
export const DEFAULT_RECOVERY_RATE = 100;
/** How often a recovery takes a step. */
const STEP_MS = 1_000;
/** Events that a step looks at: most of them were delivered, as a rule, and what the rate spares is the receiver. */
const MOST_EXAMINED = 5_000;
/** Longest that its events are counted: that is only for the progress. */
const MAX_COUNT_MS = 10_000;

export interface RecoveryDeps {
  clock: Clock;
  waker: Waker;
}

/**
 * Starts a recovery of the events from `since` to now.
 * @throws AppError NOT_FOUND; VALIDATION_FAILED for a time to come; CONFLICT while another one of the endpoint is open
 */
export async function startRecovery(
  deps: RecoveryDeps,
  uow: UnitOfWork,
  orgId: string,
  endpointId: string,
  { since, ratePerSecond }: { since: Date; ratePerSecond: number },
): Promise<RecoveryRow> {
  await holdEndpoint(uow.db, orgId, endpointId);
  const until = deps.clock.now();
  if (since >= until) throw invalidField('since', refusal('NOT_IN_PAST', 'must be in the past'));
  const id = newUuid();
  const recovery = { id, orgId, endpointId, since, until, ratePerSecond, cursorEventId: uuidFloor(since) };
  await insertRecovery(uow.db, recovery).catch((error: unknown) => {
    if (constraintOf(error) !== 'webhook_recoveries_open') throw error;
    throw new AppError('CONFLICT', { detail: 'a recovery of this endpoint is under way', cause: error });
  });
  uow.afterCommit(() => deps.waker.recoverWebhooks([id]));
  return getRecovery(uow.db, orgId, endpointId, id);
}

/** @throws AppError NOT_FOUND */
export async function getRecovery(
  db: Db,
  orgId: string,
  endpointId: string,
  id: string,
): Promise<RecoveryRow> {
  await getEndpoint(db, orgId, endpointId);
  const recovery = await findRecovery(db, endpointId, id);
  if (recovery === null) throw new AppError('NOT_FOUND', { detail: 'no such recovery' });
  return recovery;
}

/** @throws AppError NOT_FOUND */
export async function listEndpointRecoveries(
  db: Db,
  orgId: string,
  endpointId: string,
  page: PageRequest,
): Promise<Page<RecoveryRow>> {
  await getEndpoint(db, orgId, endpointId);
  return listRecoveries(db, endpointId, page);
}

/**
 * Stops a recovery; what it made due stays due. Cancelling a cancelled one has no effect.
 * @throws AppError NOT_FOUND, INVALID_TRANSITION for a completed one
 */
export async function cancelRecovery(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  endpointId: string,
  id: string,
): Promise<RecoveryRow> {
  const { status } = await getRecovery(db, orgId, endpointId, id);
  if (status === 'completed') throw invalidTransition('completed', 'cancelled');
  if (status !== 'cancelled' && !(await markCancelled(db, id, clock.now()))) {
    // It finished between the two statements.
    return cancelRecovery({ clock }, db, orgId, endpointId, id);
  }
  return getRecovery(db, orgId, endpointId, id);
}

export type RecoveryStep =
  /** Finished, cancelled, or another worker is at it. */
  { type: 'over' } | { type: 'again'; at: Date };

/** Takes one step of a recovery, if it is due: one second's worth of events to send, in one transaction with its progress. */
export async function stepRecovery(deps: RecoveryDeps & { db: Pool }, id: string): Promise<RecoveryStep> {
  const counted = await countInTime(deps.db, id);
  const step = async (uow: UnitOfWork): Promise<RecoveryStep> => {
    const subject = await findRecoverySubject(uow.db, id);
    // The endpoint first, as whoever deletes it does: in the other order the two would wait for each other for ever.
    const endpoint = subject === null ? null : await lockEndpoint(uow.db, subject.endpoint_id);
    const recovery = endpoint === null ? null : await lockOpenRecovery(uow.db, id);
    if (endpoint === null || recovery === null) return { type: 'over' };
    const now = deps.clock.now();
    if (recovery.due_at! > now) return { type: 'again', at: recovery.due_at! };
    const range = rangeOf(recovery, endpoint);
    const total = recovery.total ?? counted;
    const limit = Math.ceil((recovery.rate_per_second * STEP_MS) / 1000);
    const batch = await recoverEvents(uow.db, endpoint.id, range, {
      mostExamined: MOST_EXAMINED,
      limit,
      now,
      inEventOrder: endpoint.fifo,
    });
    if (batch.hadWaited) await releaseFront(uow.db, endpoint.id);
    const isDone = batch.isLast;
    const examined = recovery.examined + batch.examined;
    const next = new Date(now.getTime() + STEP_MS);
    await storeProgress(
      uow.db,
      {
        id,
        status: isDone ? 'completed' : 'running',
        cursor_event_id: batch.lastEventId ?? recovery.cursor_event_id,
        // The filter may have changed since they were counted, retention have deleted some, a late commit have brought others.
        total: isDone ? examined : total === null ? null : Math.max(total, examined),
        examined,
        recovered: recovery.recovered + batch.recovered,
        due_at: isDone ? null : next,
        started_at: recovery.started_at ?? now,
      },
      now,
    );
    if (batch.recovered > 0) uow.afterCommit(() => deps.waker.deliverWebhooks([endpoint.id]));
    return isDone ? { type: 'over' } : { type: 'again', at: next };
  };
  return withTransaction(deps.db, step, BEGIN_BY_KEYS);
}

/**
 * How many events a recovery that begins is about. Of millions that takes long, and nothing is locked meanwhile: it can be cancelled, and its
 * endpoint is served and changed.
 * @returns null where it has begun, is over, or has too many
 */
async function countInTime(db: Pool, id: string): Promise<number | null> {
  const subject = await findRecoverySubject(db, id);
  const recovery = subject === null ? null : await findRecovery(db, subject.endpoint_id, id);
  if (recovery?.status !== 'queued') return null;
  const endpoint = await findEndpoint(db, recovery.org_id, recovery.endpoint_id);
  if (endpoint === null) return null;
  try {
    return await withTransaction(
      db,
      (uow) => countEvents(uow.db, rangeOf(recovery, endpoint)),
      beginWithin(MAX_COUNT_MS),
    );
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

/** By the filter as it is now: whoever adds a type and recovers wants that type's past. */
const rangeOf = (recovery: RecoveryRow, endpoint: EndpointRow): EventRange => ({
  orgId: recovery.org_id,
  afterId: recovery.cursor_event_id,
  beforeId: uuidFloor(recovery.until),
  types: endpoint.events.includes('*') ? [...SUBSCRIBABLE_EVENT_TYPES] : endpoint.events,
  productIds: endpoint.product_ids,
});
