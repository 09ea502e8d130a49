import type { Db } from '../db.ts';
import type { Language } from '../languages.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import type { EndpointFormat } from './body.ts';
import type { CircuitState } from './circuit-breaker.ts';
import type { RecentOutcomes } from './recent-outcomes.ts';
import { circuitColumns } from './serving-repository.ts';

export interface EndpointRow {
  id: string;
  org_id: string;
  url: string;
  events: string[];
  format: EndpointFormat;
  /** Of messages; an event has none. */
  language: Language;
  description: string | null;
  /** Null: the service's default. */
  concurrency: number | null;
  /** Null: as fast as its concurrency allows. */
  rate_per_second: number | null;
  fifo: boolean;
  /** Seconds; null: the default schedule. */
  retry_delays: number[] | null;
  header_names: string[];
  /** Null: events about any product, and those about none. */
  product_ids: string[] | null;
  circuit: CircuitState;
  created_at: Date;
  updated_at: Date;
  recent: RecentOutcomes;
  /** Nothing goes before that time: the receiver asked for patience or, in FIFO order, the event in front failed. */
  held_until: Date | null;
  /** When the first that waits is due by its own schedule; null where none waits. */
  next_due_at: Date | null;
  /** Events that wait, counted up to {@link MOST_COUNTED}. */
  waiting: number;
}

/** A disabled endpoint may gather millions: whoever looks at it wants to know that there are many, and not to wait. */
export const MOST_COUNTED = 1_000;

const COLUMNS = `id, org_id, url, events, format, language, description, concurrency, rate_per_second, fifo, retry_delays, header_names,
              product_ids, circuit, created_at, updated_at, recent, held_until,
              (select d.due_at from webhook_dispatches d
                where d.endpoint_id = webhook_endpoints.id and d.state = 'pending'
                order by d.due_at limit 1) as next_due_at,
              (select count(*)::integer
                 from (select 1 from webhook_dispatches d
                        where d.endpoint_id = webhook_endpoints.id and d.state = 'pending'
                        limit ${MOST_COUNTED}) w) as waiting`;

/** What its owner decides about an endpoint. */
export interface EndpointFields {
  url: string;
  events: string[];
  format: EndpointFormat;
  language: Language;
  description: string | null;
  concurrency: number | null;
  ratePerSecond: number | null;
  fifo: boolean;
  retryDelays: number[] | null;
  headerNames: string[];
  sealedHeaders: string | null;
  productIds: string[] | null;
}

const fieldColumns = (fields: EndpointFields): unknown[] => [
  fields.url,
  fields.events,
  fields.format,
  fields.language,
  fields.description,
  fields.concurrency,
  fields.ratePerSecond,
  fields.fifo,
  fields.retryDelays,
  fields.headerNames,
  fields.sealedHeaders,
  fields.productIds,
];

export interface NewEndpoint extends EndpointFields {
  id: string;
  orgId: string;
  circuit: CircuitState;
  now: Date;
}

export async function insertEndpoint(db: Db, endpoint: NewEndpoint): Promise<void> {
  await db.query(
    `insert into webhook_endpoints (id, org_id, created_at, updated_at, circuit_state, circuit, circuit_due_at,
            disabled_reason, url, events, format, language, description, concurrency, rate_per_second, fifo, retry_delays,
            header_names, sealed_headers, product_ids)
     values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    [
      endpoint.id,
      endpoint.orgId,
      endpoint.now,
      ...circuitColumns(endpoint.circuit),
      ...fieldColumns(endpoint),
    ],
  );
}

export async function findEndpoint(db: Db, orgId: string, id: string): Promise<EndpointRow | null> {
  const { rows } = await db.query<EndpointRow>(
    `select ${COLUMNS}
       from webhook_endpoints where org_id = $1 and id = $2 and deleted_at is null`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

/** Holds the endpoint, and with it its circuit, until the transaction ends. */
export async function lockEndpoint(db: Db, id: string): Promise<EndpointRow | null> {
  const { rows } = await db.query<EndpointRow>({
    name: 'lock-endpoint',
    text: `select ${COLUMNS}
             from webhook_endpoints where id = $1 and deleted_at is null for update`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Until the transaction ends, nobody else counts or creates endpoints of the organization. */
export async function lockEndpointCount(db: Db, orgId: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('webhook-endpoints:' || $1, 0))`, [orgId]);
}

export async function countEndpoints(db: Db, orgId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*) as count from webhook_endpoints where org_id = $1 and deleted_at is null',
    [orgId],
  );
  return rows[0]!.count;
}

export async function listEndpoints(db: Db, orgId: string, page: PageRequest): Promise<Page<EndpointRow>> {
  const { rows } = await db.query<EndpointRow>(
    `select ${COLUMNS}
       from webhook_endpoints
      where org_id = $1 and deleted_at is null and ($2::uuid is null or id < $2)
      order by id desc
      limit $3`,
    [orgId, page.beforeId, page.limit + 1],
  );
  return pageOf(rows, page);
}

/** Writes all fields; `sealedHeaders` undefined leaves the headers as they are. */
export async function updateEndpoint(
  db: Db,
  id: string,
  fields: Omit<EndpointFields, 'headerNames' | 'sealedHeaders'>,
  headers: Pick<EndpointFields, 'headerNames' | 'sealedHeaders'> | null,
  now: Date,
): Promise<void> {
  await db.query(
    `update webhook_endpoints
        set updated_at = $2, url = $3, events = $4, description = $5, concurrency = $6, rate_per_second = $7, fifo = $8,
            retry_delays = $9, product_ids = $10, format = $11, language = $12,
            header_names = case when $13 then $14::text[] else header_names end,
            sealed_headers = case when $13 then $15 else sealed_headers end
      where id = $1`,
    [
      id,
      now,
      fields.url,
      fields.events,
      fields.description,
      fields.concurrency,
      fields.ratePerSecond,
      fields.fifo,
      fields.retryDelays,
      fields.productIds,
      fields.format,
      fields.language,
      headers !== null,
      headers?.headerNames ?? [],
      headers?.sealedHeaders ?? null,
    ],
  );
}

export async function storeCircuit(db: Db, id: string, circuit: CircuitState): Promise<void> {
  await db.query(
    `update webhook_endpoints
        set circuit_state = $2, circuit = $3, circuit_due_at = $4, disabled_reason = $5
      where id = $1`,
    [id, ...circuitColumns(circuit)],
  );
}

/** Lets an endpoint go on that waits for the event in front, or because its receiver asked for patience. */
export async function releaseHold(db: Db, id: string): Promise<void> {
  await db.query('update webhook_endpoints set held_until = null where id = $1 and held_until is not null', [
    id,
  ]);
}

/** Notes that a test was asked for. */
export async function markTested(db: Db, id: string, now: Date): Promise<void> {
  await db.query('update webhook_endpoints set tested_at = $2 where id = $1', [id, now]);
}

export async function findTestedAt(db: Db, id: string): Promise<Date | null> {
  const { rows } = await db.query<{ tested_at: Date | null }>(
    'select tested_at from webhook_endpoints where id = $1',
    [id],
  );
  return rows[0]?.tested_at ?? null;
}

/** Which of these products are the organization's. */
export async function countOwnProducts(
  db: Db,
  orgId: string,
  productIds: readonly string[],
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*) as count from products where org_id = $1 and id = any($2::uuid[])',
    [orgId, productIds],
  );
  return rows[0]!.count;
}

/** Endpoints that an event is for: those that have it already, and those whose filter it passes. */
export async function listEndpointIdsForEvent(
  db: Db,
  event: { id: string; orgId: string; type: string; productId: string | null; isSubscribable: boolean },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select e.id from webhook_endpoints e
      where e.org_id = $2 and e.deleted_at is null
        and (exists (select 1 from webhook_dispatches d where d.event_id = $1 and d.endpoint_id = e.id)
             or ($5 and ($3 = any(e.events) or '*' = any(e.events))
                 and (e.product_ids is null or $4::uuid = any(e.product_ids))))
      order by e.id`,
    [event.id, event.orgId, event.type, event.productId, event.isSubscribable],
  );
  return rows.map((row) => row.id);
}

/** Also a deleted one. */
export async function hasBeenEndpoint(db: Db, orgId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from webhook_endpoints where org_id = $1 and id = $2', [
    orgId,
    id,
  ]);
  return rowCount === 1;
}

/** Hides the endpoint and throws its secrets away. What waits for it is discarded later, see `deleted-endpoints.ts`. */
export async function markEndpointDeleted(db: Db, id: string, now: Date): Promise<void> {
  await db.query(
    `with endpoint as (
       update webhook_endpoints set deleted_at = $2, updated_at = $2, sealed_headers = null, header_names = '{}' where id = $1 returning id
     ), secrets as (
       delete from webhook_secrets where endpoint_id in (select id from endpoint)
     )
     update webhook_recoveries set status = 'cancelled', due_at = null, finished_at = $2
      where endpoint_id in (select id from endpoint) and due_at is not null`,
    [id, now],
  );
}

/** Deleted endpoints for which something waits still. */
export async function listDeletedWithWaiting(db: Db): Promise<{ id: string; deletedAt: Date }[]> {
  const { rows } = await db.query<{ id: string; deletedAt: Date }>(
    `select e.id, e.deleted_at as "deletedAt" from webhook_endpoints e
      where e.deleted_at is not null
        and exists (select 1 from webhook_dispatches d where d.endpoint_id = e.id and d.state = 'pending')`,
  );
  return rows;
}
