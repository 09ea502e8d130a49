import type { Db } from '../db.ts';

export interface ClaimedDispatch {
  endpoint_id: string;
  delivery_id: string;
  event_id: string;
  lease_epoch: number;
  /** Attempts made, this one included. */
  attempts: number;
  event_type: string;
  /** JSON as Postgres writes it: the same bytes at each attempt, and no parsing on the way through. */
  event_data: string;
  event_created_at: Date;
}

export interface DispatchClaim {
  endpointId: string;
  limit: number;
  isProbe: boolean;
}

/**
 * Claims due dispatches, oldest due first, or those whose lease has run out, and writes their attempts down. Attempts
 * that a dead worker left open are closed as lost. The caller holds the endpoints' locks.
 * @param deliveryIds as many as all limits together
 */
export async function claimDueDispatches(
  db: Db,
  claims: readonly DispatchClaim[],
  deliveryIds: readonly string[],
  now: Date,
  leaseUntil: Date,
): Promise<ClaimedDispatch[]> {
  const { rows } = await db.query<ClaimedDispatch>({
    name: 'claim-due-dispatches',
    text: `with wanted as (
         select * from unnest($1::uuid[], $2::integer[], $3::boolean[]) as t (endpoint_id, most, is_probe)
       ), due as materialized (
         select d.event_id, d.endpoint_id, w.is_probe, d.due_at,
                row_number() over (order by d.endpoint_id, d.due_at, d.event_id) as n
           from wanted w cross join lateral (
                  select event_id, endpoint_id, due_at from webhook_dispatches
                   where endpoint_id = w.endpoint_id and state = 'pending' and due_at <= $5
                     and (lease_until is null or lease_until <= $5)
                   order by due_at, event_id
                   limit w.most) d
       ), claimed as (
         update webhook_dispatches d
            set lease_until = $6, lease_epoch = d.lease_epoch + 1, attempts = d.attempts + 1
           from due where d.event_id = due.event_id and d.endpoint_id = due.endpoint_id
         returning d.event_id, d.endpoint_id, d.org_id, d.lease_epoch, d.attempts, due.n, due.is_probe,
                   ($4::uuid[])[due.n] as delivery_id
       ), lost as (
         update webhook_deliveries l
            set outcome = 'failed', settled_at = $5, error_class = 'lost',
                error_message = 'the worker ended before the answer came; whether it was received is not known'
           from claimed c
          where c.lease_epoch > 1 and l.event_id = c.event_id and l.endpoint_id = c.endpoint_id and l.outcome is null
       ), known as (
         select c.*, e.type as event_type, e.data::text as event_data, e.created_at as event_created_at
           from claimed c join events e on e.id = c.event_id
       ), written as (
         insert into webhook_deliveries (id, org_id, endpoint_id, event_id, event_type, attempt, started_at, is_probe)
         select delivery_id, org_id, endpoint_id, event_id, event_type, attempts, $5, is_probe from known
       )
       select endpoint_id, delivery_id, event_id, lease_epoch, attempts, event_type, event_data, event_created_at
         from known order by n`,
    values: [
      claims.map((claim) => claim.endpointId),
      claims.map((claim) => claim.limit),
      claims.map((claim) => claim.isProbe),
      deliveryIds,
      now,
      leaseUntil,
    ],
  });
  return rows;
}

export interface DispatchSettlement {
  endpointId: string;
  eventId: string;
  leaseEpoch: number;
  state: 'delivered' | 'exhausted' | 'pending';
  /** When a pending one is due again; null leaves it as it was. */
  dueAt: Date | null;
  /** Gives the attempt back: it says nothing about the receiver, or was a probe. */
  refundAttempt: boolean;
}

/**
 * Writes outcomes. A worker that lost its lease changes nothing, but for a success: what was delivered is
 * delivered, and must not be sent again.
 */
export async function settleDispatches(
  db: Db,
  settlements: readonly DispatchSettlement[],
  now: Date,
): Promise<void> {
  await db.query({
    name: 'settle-dispatches',
    text: `update webhook_dispatches d
              set state = s.state,
                  due_at = coalesce(s.due_at, d.due_at),
                  attempts = d.attempts - case when s.refund then 1 else 0 end,
                  settled_at = case when s.state = 'pending' then null else $7::timestamptz end,
                  lease_until = null
             from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[], $5::timestamptz[], $6::boolean[])
               as s (endpoint_id, event_id, lease_epoch, state, due_at, refund)
            where d.endpoint_id = s.endpoint_id and d.event_id = s.event_id
              and ((d.lease_epoch = s.lease_epoch and d.state = 'pending')
                   or (s.state = 'delivered' and d.state in ('pending', 'exhausted')))`,
    values: [
      settlements.map((s) => s.endpointId),
      settlements.map((s) => s.eventId),
      settlements.map((s) => s.leaseEpoch),
      settlements.map((s) => s.state),
      settlements.map((s) => s.dueAt),
      settlements.map((s) => s.refundAttempt),
      now,
    ],
  });
}

/** When each endpoint's next dispatch that nobody holds is due; endpoints without one are left out. */
export async function findNextDueTimes(
  db: Db,
  endpointIds: readonly string[],
  now: Date,
): Promise<Map<string, Date>> {
  const { rows } = await db.query<{ endpoint_id: string; due_at: Date }>({
    name: 'find-next-due-times',
    text: `select t.endpoint_id, d.due_at
             from unnest($1::uuid[]) as t (endpoint_id)
             cross join lateral (
               select due_at from webhook_dispatches
                where endpoint_id = t.endpoint_id and state = 'pending' and (lease_until is null or lease_until <= $2)
                order by due_at, event_id
                limit 1) d`,
    values: [endpointIds, now],
  });
  return new Map(rows.map((row) => [row.endpoint_id, row.due_at]));
}

/** Makes one dispatch of an event that no filter asked for: a test. */
export async function insertDispatch(
  db: Db,
  dispatch: { eventId: string; endpointId: string; orgId: string; dueAt: Date },
): Promise<void> {
  await db.query(
    'insert into webhook_dispatches (event_id, endpoint_id, org_id, due_at) values ($1, $2, $3, $4)',
    [dispatch.eventId, dispatch.endpointId, dispatch.orgId, dispatch.dueAt],
  );
}

/**
 * Makes an event's dispatches due again with a full schedule, whatever became of them, or makes them. What some worker
 * is sending at this moment is left alone. @returns the endpoints.
 */
export async function replayDispatches(
  db: Db,
  event: { id: string; orgId: string },
  endpointIds: readonly string[],
  now: Date,
): Promise<void> {
  await db.query(
    `insert into webhook_dispatches as d (event_id, endpoint_id, org_id, due_at)
     select $1, t.endpoint_id, $2, $4 from unnest($3::uuid[]) as t (endpoint_id)
     on conflict (event_id, endpoint_id) do update
        set state = 'pending', attempts = 0, due_at = excluded.due_at, lease_until = null,
            lease_epoch = d.lease_epoch + 1, settled_at = null
      where d.lease_until is null or d.lease_until <= $4`,
    [event.id, event.orgId, endpointIds, now],
  );
}

export interface DispatchRow {
  endpoint_id: string;
  state: 'pending' | 'delivered' | 'exhausted' | 'discarded';
  circuit_state: 'closed' | 'open' | 'half-open' | 'disabled';
  attempts: number;
  due_at: Date;
  held_until: Date | null;
  settled_at: Date | null;
}

/** An event's dispatches, oldest endpoint first. */
export async function listDispatchesOfEvent(db: Db, eventId: string): Promise<DispatchRow[]> {
  const { rows } = await db.query<DispatchRow>(
    `select d.endpoint_id, d.state, e.circuit_state, d.attempts, d.due_at, e.held_until, d.settled_at
       from webhook_dispatches d join webhook_endpoints e on e.id = d.endpoint_id
      where d.event_id = $1
      order by d.endpoint_id`,
    [eventId],
  );
  return rows;
}

/** For an endpoint that becomes FIFO: what waits is due in the order of its events, not of its retries. */
export async function restoreEventOrder(db: Db, endpointId: string): Promise<void> {
  await db.query(
    `update webhook_dispatches d set due_at = e.created_at
       from events e
      where d.endpoint_id = $1 and d.state = 'pending' and e.id = d.event_id and d.due_at <> e.created_at`,
    [endpointId],
  );
}
