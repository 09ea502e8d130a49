import type { Db } from '../db.ts';
import type { AttemptOutcome } from './attempt.ts';

/** What an attempt's row says whose worker ended with it. @param now the parameter with the time */
const asLost = (now: string): string =>
  `outcome = 'failed', settled_at = ${now}, error_class = 'lost',
                error_message = 'the worker ended before the answer came; whether it was received is not known'`;

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
  /** Whether leases count for nothing: who serves the endpoint alone and holds nothing knows that nobody else does. */
  ignoresLeases: boolean;
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
         select * from unnest($1::uuid[], $2::integer[], $3::boolean[], $7::boolean[])
                  as t (endpoint_id, most, is_probe, ignores_leases)
       ), due as materialized (
         select d.event_id, d.endpoint_id, w.is_probe, d.due_at,
                row_number() over (order by d.endpoint_id, d.due_at, d.event_id) as n
           from wanted w cross join lateral (
                  select event_id, endpoint_id, due_at from webhook_dispatches
                   where endpoint_id = w.endpoint_id and state = 'pending' and due_at <= $5
                     and (lease_until is null or lease_until <= $5 or w.ignores_leases)
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
            set ${asLost('$5')}
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
      claims.map((claim) => claim.ignoresLeases),
    ],
  });
  return rows;
}

/**
 * Frees what is leased and was not just claimed, at endpoints where nobody can hold it, and closes its attempts as lost: a later claim would
 * skip it until its lease ends, and in FIFO order send what is younger first; and where the circuit lets none go, the log would call them
 * pending for days. The caller holds the endpoints' locks.
 * @param endpoints with how many are leased at most: they are the oldest that are due, so that no more is read of however many wait
 */
export async function freeAbandonedLeases(
  db: Db,
  endpoints: readonly { endpointId: string; most: number }[],
  claimed: readonly Pick<ClaimedDispatch, 'endpoint_id' | 'event_id'>[],
  now: Date,
): Promise<void> {
  await db.query({
    name: 'free-abandoned-leases',
    text: `with abandoned as materialized (
         select d.endpoint_id, d.event_id
           from unnest($1::uuid[], $5::integer[]) as t (endpoint_id, most) cross join lateral (
                  select endpoint_id, event_id, lease_until from webhook_dispatches
                   where endpoint_id = t.endpoint_id and state = 'pending' and due_at <= $4
                   order by due_at, event_id
                   limit t.most) d
          where d.lease_until is not null
         except
         select * from unnest($2::uuid[], $3::uuid[])
       ), lost as (
         update webhook_deliveries l
            set ${asLost('$4')}
           from abandoned a
          where l.endpoint_id = a.endpoint_id and l.event_id = a.event_id and l.outcome is null
       )
       update webhook_dispatches d set lease_until = null
         from abandoned a where d.endpoint_id = a.endpoint_id and d.event_id = a.event_id`,
    values: [
      endpoints.map(({ endpointId }) => endpointId),
      claimed.map((row) => row.endpoint_id),
      claimed.map((row) => row.event_id),
      now,
      endpoints.map(({ most }) => most),
    ],
  });
}

export interface AttemptSettlement {
  endpointId: string;
  eventId: string;
  deliveryId: string;
  leaseEpoch: number;
  state: 'delivered' | 'exhausted' | 'pending';
  /** When a pending one is due again; null leaves it as it was. */
  dueAt: Date | null;
  /** Gives the attempt back: it says nothing about the receiver, or was a probe. */
  refundAttempt: boolean;
  /** Null where nothing was sent: an attempt that was written down and never made leaves no trace. */
  outcome: AttemptOutcome | null;
  /** What the log keeps of them. */
  requestHeaders: Record<string, string>;
  nextAttemptAt: Date | null;
}

/**
 * Writes what came of attempts, in their log and their dispatches. A worker that lost its lease changes no dispatch, but
 * for a success: what was delivered is delivered, and must not be sent again; also where the endpoint was deleted meanwhile. Writing the same twice (the commit's answer
 * was lost) changes nothing. A late answer overwrites what was thought to be lost.
 */
export async function settleAttempts(
  db: Db,
  settlements: readonly AttemptSettlement[],
  now: Date,
): Promise<void> {
  await db.query({
    name: 'settle-attempts',
    // One JSON text: a tenth of the bytes that arrays of JSON need for their quotes, and one parse.
    text: `with s as materialized (
         select * from json_to_recordset($1::json) as t (
                  endpoint_id uuid, event_id uuid, delivery_id uuid, lease_epoch integer, state text, due_at timestamptz,
                  refund boolean, outcome text, error_class text, error_message text, status smallint,
                  response_headers jsonb, snippet text, truncated boolean, timings jsonb, request_headers jsonb,
                  next_attempt_at timestamptz)
       ), logged as (
         update webhook_deliveries d
            set outcome = s.outcome, settled_at = $2, error_class = s.error_class, error_message = s.error_message,
                response_status = s.status, response_headers = s.response_headers, response_snippet = s.snippet,
                response_truncated = s.truncated, timings = s.timings, request_headers = s.request_headers,
                next_attempt_at = s.next_attempt_at
           from s where d.endpoint_id = s.endpoint_id and d.id = s.delivery_id and s.outcome is not null
       ), unsent as (
         delete from webhook_deliveries d using s
          where d.endpoint_id = s.endpoint_id and d.id = s.delivery_id and s.outcome is null and d.outcome is null
       )
       update webhook_dispatches d
          set state = s.state,
              due_at = coalesce(s.due_at, d.due_at),
              attempts = d.attempts - case when s.refund then 1 else 0 end,
              settled_at = case when s.state = 'pending' then null else $2::timestamptz end,
              lease_until = null
         from s
        where d.endpoint_id = s.endpoint_id and d.event_id = s.event_id
          and ((d.lease_epoch = s.lease_epoch and d.state = 'pending' and d.lease_until is not null)
               or (s.state = 'delivered' and d.state in ('pending', 'exhausted', 'discarded')))`,
    values: [storableJson(settlements.map(recordOf)), now],
  });
}

/** As the statement's columns are called. */
const recordOf = ({ outcome, ...s }: AttemptSettlement) => ({
  endpoint_id: s.endpointId,
  event_id: s.eventId,
  delivery_id: s.deliveryId,
  lease_epoch: s.leaseEpoch,
  state: s.state,
  due_at: s.dueAt,
  refund: s.refundAttempt,
  ...(outcome === null
    ? {}
    : {
        outcome: outcome.ok ? 'delivered' : 'failed',
        error_class: outcome.errorClass,
        error_message: outcome.error,
        status: outcome.status,
        response_headers: outcome.responseHeaders,
        snippet: outcome.responseBody,
        truncated: outcome.responseTruncated,
        timings: outcome.timings,
        request_headers: s.requestHeaders,
        next_attempt_at: s.nextAttemptAt,
      }),
});

// What a receiver may answer with and Postgres cannot store: NUL, and halves of a surrogate pair. An escaped backslash is taken along, so that
// what follows it is no escape: many receivers answer with JSON in which characters are spelled out so.
const BACKSLASH_OR_UNSTORABLE = /\\(?:\\|u(?:0000|d[89a-f][0-9a-f]{2}))/g;
const storableJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(BACKSLASH_OR_UNSTORABLE, (found) =>
    found === '\\\\' ? found : '\\ufffd',
  );

/** When each endpoint's next dispatch that nobody holds is due; endpoints without one are left out. */
export async function findNextDueTimes(
  db: Db,
  endpoints: readonly Pick<DispatchClaim, 'endpointId' | 'ignoresLeases'>[],
  now: Date,
): Promise<Map<string, Date>> {
  const { rows } = await db.query<{ endpoint_id: string; due_at: Date }>({
    name: 'find-next-due-times',
    text: `select t.endpoint_id, d.due_at
             from unnest($1::uuid[], $3::boolean[]) as t (endpoint_id, ignores_leases)
             cross join lateral (
               select due_at from webhook_dispatches
                where endpoint_id = t.endpoint_id and state = 'pending'
                  and (lease_until is null or lease_until <= $2 or t.ignores_leases)
                order by due_at, event_id
                limit 1) d`,
    values: [
      endpoints.map(({ endpointId }) => endpointId),
      now,
      endpoints.map(({ ignoresLeases }) => ignoresLeases),
    ],
  });
  return new Map(rows.map((row) => [row.endpoint_id, row.due_at]));
}

/**
 * Makes one dispatch of an event that no filter asked for: a test.
 * @param isFirst whether it goes before all that wait: what is due longest goes first
 */
export async function insertDispatch(
  db: Db,
  dispatch: { eventId: string; endpointId: string; orgId: string; dueAt: Date },
  { isFirst }: { isFirst: boolean },
): Promise<void> {
  await db.query(
    `insert into webhook_dispatches (event_id, endpoint_id, org_id, due_at)
     select $1, $2, $3, least($4::timestamptz, (select min(due_at) - interval '1 millisecond' from webhook_dispatches
                                                 where $5 and endpoint_id = $2 and state = 'pending'))`,
    [dispatch.eventId, dispatch.endpointId, dispatch.orgId, dispatch.dueAt, isFirst],
  );
}

/**
 * Makes an event's dispatches due again with a full schedule, whatever became of them, or makes them. What some worker
 * is sending at this moment keeps its lease: that attempt delivers, or its failure counts for nothing and it goes again. In FIFO order an
 * event has, or keeps, its place. Nothing is made of an event that retention has deleted by then, and none is deleted before the commit.
 */
export async function replayDispatches(
  db: Db,
  event: { id: string; orgId: string },
  endpointIds: readonly string[],
  now: Date,
): Promise<void> {
  await db.query(
    `insert into webhook_dispatches as d (event_id, endpoint_id, org_id, due_at)
     select e.id, p.id, $2, case when p.fifo then e.created_at else $4::timestamptz end
       from webhook_endpoints p join events e on e.id = $1
      where p.id = any($3::uuid[])
        for key share of e
     on conflict (event_id, endpoint_id) do update
        set state = 'pending', attempts = 0, due_at = excluded.due_at,
            lease_until = case when d.lease_until > $4 then d.lease_until end,
            lease_epoch = d.lease_epoch + 1, settled_at = null`,
    [event.id, event.orgId, endpointIds, now],
  );
}

/** Lets FIFO endpoints go on that wait for the event in front, where that is the one that was just made due again. */
export async function releaseBehind(db: Db, eventId: string, endpointIds: readonly string[]): Promise<void> {
  await db.query(
    `update webhook_endpoints e set held_until = null
      where id = any($2::uuid[]) and fifo and held_until is not null
        and $1 = (select event_id from webhook_dispatches
                   where endpoint_id = e.id and state = 'pending' order by due_at, event_id limit 1)`,
    [eventId, endpointIds],
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

/**
 * Discards some of what waits for a deleted endpoint; an attempt that is open there counts as lost unless its answer comes yet. What a
 * deliverer settles at this moment is left for the next time: the two would wait for each other's rows. @returns how many.
 */
export async function discardWaiting(
  db: Db,
  endpointId: string,
  { deletedAt, now, limit }: { deletedAt: Date; now: Date; limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `with slice as materialized (
       select event_id from webhook_dispatches
        where endpoint_id = $1 and state = 'pending'
        limit $3
          for update skip locked
     ), lost as (
       update webhook_deliveries l
          set ${asLost('$4')}
        -- Open ones are so few that Postgres counts none, and reads all of the endpoint for them: each is looked up by its event.
        where l.endpoint_id = $1 and l.outcome is null
          and l.id = any (array(select o.id
                                  from slice
                                 cross join lateral (select id, endpoint_id, outcome from webhook_deliveries
                                                      where event_id = slice.event_id offset 0) o
                                 where o.endpoint_id = $1 and o.outcome is null))
     )
     update webhook_dispatches d set state = 'discarded', settled_at = $2, lease_until = null
       from slice where d.endpoint_id = $1 and d.event_id = slice.event_id`,
    [endpointId, deletedAt, limit, now],
  );
  return rowCount!;
}

/** An event's dispatches, oldest endpoint first. What waited for a deleted one is discarded, whether its row says so by now or not. */
export async function listDispatchesOfEvent(db: Db, eventId: string): Promise<DispatchRow[]> {
  const { rows } = await db.query<DispatchRow>(
    `select d.endpoint_id, e.circuit_state, d.attempts, d.due_at, e.held_until,
            case when d.state = 'pending' and e.deleted_at is not null then 'discarded' else d.state end as state,
            coalesce(d.settled_at, e.deleted_at) as settled_at
       from webhook_dispatches d join webhook_endpoints e on e.id = d.endpoint_id
      where d.event_id = $1
      order by d.endpoint_id`,
    [eventId],
  );
  return rows;
}
