import type { Db } from '../db.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';

export interface RecoveryRow {
  id: string;
  org_id: string;
  endpoint_id: string;
  status: 'queued' | 'running' | 'completed' | 'cancelled';
  since: Date;
  until: Date;
  rate_per_second: number;
  cursor_event_id: string;
  /** Events to look at; null until they are counted. */
  total: number | null;
  examined: number;
  recovered: number;
  due_at: Date | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export async function insertRecovery(
  db: Db,
  recovery: {
    id: string;
    orgId: string;
    endpointId: string;
    since: Date;
    until: Date;
    ratePerSecond: number;
    cursorEventId: string;
  },
): Promise<void> {
  await db.query(
    `insert into webhook_recoveries (id, org_id, endpoint_id, since, until, rate_per_second, cursor_event_id, due_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $5, $5)`,
    [
      recovery.id,
      recovery.orgId,
      recovery.endpointId,
      recovery.since,
      recovery.until,
      recovery.ratePerSecond,
      recovery.cursorEventId,
    ],
  );
}

export async function findRecovery(db: Db, endpointId: string, id: string): Promise<RecoveryRow | null> {
  const { rows } = await db.query<RecoveryRow>(
    `select id, org_id, endpoint_id, status, since, until, rate_per_second, cursor_event_id, total, examined, recovered,
            due_at, created_at, started_at, finished_at
       from webhook_recoveries where endpoint_id = $1 and id = $2`,
    [endpointId, id],
  );
  return rows[0] ?? null;
}

export async function listRecoveries(
  db: Db,
  endpointId: string,
  page: PageRequest,
): Promise<Page<RecoveryRow>> {
  const { rows } = await db.query<RecoveryRow>(
    `select id, org_id, endpoint_id, status, since, until, rate_per_second, cursor_event_id, total, examined, recovered,
            due_at, created_at, started_at, finished_at
       from webhook_recoveries
      where endpoint_id = $1 and ($2::uuid is null or id < $2)
      order by id desc
      limit $3`,
    [endpointId, page.beforeId, page.limit + 1],
  );
  return pageOf(rows, page);
}

/** Which endpoint a recovery is of; it never changes. */
export async function findRecoverySubject(db: Db, id: string): Promise<{ endpoint_id: string } | null> {
  const { rows } = await db.query<{ endpoint_id: string }>(
    'select endpoint_id from webhook_recoveries where id = $1',
    [id],
  );
  return rows[0] ?? null;
}

/** An open recovery, held until the transaction ends; null where it is finished or another worker is at it. */
export async function lockOpenRecovery(db: Db, id: string): Promise<RecoveryRow | null> {
  const { rows } = await db.query<RecoveryRow>(
    `select id, org_id, endpoint_id, status, since, until, rate_per_second, cursor_event_id, total, examined, recovered,
            due_at, created_at, started_at, finished_at
       from webhook_recoveries where id = $1 and due_at is not null for update skip locked`,
    [id],
  );
  return rows[0] ?? null;
}

export async function storeProgress(
  db: Db,
  recovery: Pick<
    RecoveryRow,
    'id' | 'status' | 'cursor_event_id' | 'total' | 'examined' | 'recovered' | 'due_at' | 'started_at'
  >,
  now: Date,
): Promise<void> {
  await db.query(
    `update webhook_recoveries
        set status = $2, cursor_event_id = $3, total = $4, examined = $5, recovered = $6, due_at = $7, started_at = $8,
            finished_at = case when $2 = 'completed' then $9::timestamptz end
      where id = $1`,
    [
      recovery.id,
      recovery.status,
      recovery.cursor_event_id,
      recovery.total,
      recovery.examined,
      recovery.recovered,
      recovery.due_at,
      recovery.started_at,
      now,
    ],
  );
}

/** @returns whether it was open. */
export async function markCancelled(db: Db, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_recoveries set status = 'cancelled', due_at = null, finished_at = $2
      where id = $1 and due_at is not null`,
    [id, now],
  );
  return rowCount === 1;
}

/** What of the organization's events a recovery is about. */
export interface EventRange {
  orgId: string;
  /** Exclusive. */
  afterId: string;
  /** Exclusive. */
  beforeId: string;
  types: string[];
  productIds: string[] | null;
}

export async function countEvents(db: Db, range: EventRange): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) as count from events
      where org_id = $1 and id > $2 and id < $3 and type = any($4) and ($5::uuid[] is null or product_id = any($5))`,
    [range.orgId, range.afterId, range.beforeId, range.types, range.productIds],
  );
  return rows[0]!.count;
}

export interface RecoveredBatch {
  examined: number;
  recovered: number;
  /** In FIFO order: whether one of them was waiting for its next attempt, as the one in front does. */
  hadWaited: boolean;
  lastEventId: string | null;
  /** Whether the range has no more. */
  isLast: boolean;
}

/**
 * Takes the next events of the range and makes those due that have not arrived: without a dispatch, exhausted, discarded, or waiting for a
 * later attempt. What was delivered, and what is due anyway or out, stays as it is. Recovered ones have a full schedule of retries.
 * @param mostExamined events to look at, however many of them were delivered
 * @param limit events to make due
 * @param inEventOrder for a FIFO endpoint: due in the order of the events. What failed there is due all the time, and the endpoint waits
 */
export async function recoverEvents(
  db: Db,
  endpointId: string,
  range: EventRange,
  {
    mostExamined,
    limit,
    now,
    inEventOrder,
  }: { mostExamined: number; limit: number; now: Date; inEventOrder: boolean },
): Promise<RecoveredBatch> {
  const { rows } = await db.query<{
    examined: number;
    recovered: number;
    had_waited: boolean;
    last_event_id: string | null;
    is_last: boolean;
  }>(
    `with seen as materialized (
       select e.id, e.org_id, e.created_at,
              d.state is null or d.state in ('exhausted', 'discarded')
                or (d.state = 'pending' and (d.due_at > $8 or $9 and d.attempts > 0)
                    and (d.lease_until is null or d.lease_until <= $8)) as is_missing,
              $9 and d.state = 'pending' and d.attempts > 0 as has_waited
         from (select id, org_id, created_at from events
                where org_id = $2 and id > $3 and id < $4 and type = any($5) and ($6::uuid[] is null or product_id = any($6))
                order by id
                limit $10) e
         left join webhook_dispatches d on d.event_id = e.id and d.endpoint_id = $1
     ), examined as materialized (
       select * from (select *, count(*) filter (where is_missing) over (order by id) as missing from seen) s
        where missing <= $7
     ), kept as materialized (
       -- What retention has deleted by then is not among them, and it waits for what is. One by one in their order, which is retention's.
       select e.* from (select id from examined where is_missing order by id) x
        cross join lateral (select id, org_id, created_at from events where id = x.id and id > $3 and id < $4 for key share) e
     ), recovered as (
       insert into webhook_dispatches as d (event_id, endpoint_id, org_id, due_at)
       select id, $1, org_id, case when $9 then created_at else $8::timestamptz end from kept
       on conflict (event_id, endpoint_id) do update
          set state = 'pending', attempts = 0, due_at = excluded.due_at, lease_until = null,
              lease_epoch = d.lease_epoch + 1, settled_at = null
        -- As it is now: a worker may have claimed or settled it since it was seen.
        where d.state in ('exhausted', 'discarded')
           or (d.state = 'pending' and (d.due_at > $8 or $9 and d.attempts > 0)
               and (d.lease_until is null or d.lease_until <= $8))
       returning event_id
     ), counted as (
       select (select count(*) from seen) as seen, (select count(*) from examined) as examined
     )
     select examined, (select count(*) from recovered) as recovered,
            exists (select from recovered r join examined x on x.id = r.event_id where x.has_waited) as had_waited,
            (select id from examined order by id desc limit 1) as last_event_id,
            seen < $10 and examined = seen as is_last
       from counted`,
    [
      endpointId,
      range.orgId,
      range.afterId,
      range.beforeId,
      range.types,
      range.productIds,
      limit,
      now,
      inEventOrder,
      mostExamined,
    ],
  );
  const row = rows[0]!;
  return {
    examined: row.examined,
    recovered: row.recovered,
    hadWaited: row.had_waited,
    lastEventId: row.last_event_id,
    isLast: row.is_last,
  };
}

export async function listDueRecoveryIds(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from webhook_recoveries where due_at <= $1 order by due_at limit $2',
    [now, limit],
  );
  return rows.map((row) => row.id);
}

/** Lets a FIFO endpoint go on where the event in front has no failed attempt, and so nothing to wait for. */
export async function releaseFront(db: Db, endpointId: string): Promise<void> {
  await db.query(
    `update webhook_endpoints set held_until = null
      where id = $1 and held_until is not null
        and (select attempts = 0 from webhook_dispatches
              where endpoint_id = $1 and state = 'pending' order by due_at, event_id limit 1)`,
    [endpointId],
  );
}
