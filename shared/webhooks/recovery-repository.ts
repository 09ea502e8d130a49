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
  lastEventId: string | null;
}

/**
 * Takes the next events of the range and makes those due that never arrived: without a dispatch, exhausted, or discarded. What
 * was delivered, and what is on its way anyway, stays as it is. Recovered ones have a full schedule of retries.
 * @param inEventOrder for a FIFO endpoint: due in the order of the events
 */
export async function recoverEvents(
  db: Db,
  endpointId: string,
  range: EventRange,
  { limit, now, inEventOrder }: { limit: number; now: Date; inEventOrder: boolean },
): Promise<RecoveredBatch> {
  const { rows } = await db.query<{ examined: number; recovered: number; last_event_id: string | null }>(
    `with candidates as materialized (
       select id, org_id, created_at from events
        where org_id = $2 and id > $3 and id < $4 and type = any($5) and ($6::uuid[] is null or product_id = any($6))
        order by id
        limit $7
     ), recovered as (
       insert into webhook_dispatches as d (event_id, endpoint_id, org_id, due_at)
       select id, $1, org_id, case when $9 then created_at else $8::timestamptz end from candidates
       on conflict (event_id, endpoint_id) do update
          set state = 'pending', attempts = 0, due_at = excluded.due_at, lease_until = null,
              lease_epoch = d.lease_epoch + 1, settled_at = null
        where d.state in ('exhausted', 'discarded')
       returning 1
     )
     select (select count(*) from candidates) as examined, (select count(*) from recovered) as recovered,
            (select id from candidates order by id desc limit 1) as last_event_id`,
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
    ],
  );
  const row = rows[0]!;
  return { examined: row.examined, recovered: row.recovered, lastEventId: row.last_event_id };
}

export async function listDueRecoveryIds(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from webhook_recoveries where due_at <= $1 order by due_at limit $2',
    [now, limit],
  );
  return rows.map((row) => row.id);
}
