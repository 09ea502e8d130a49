import type { Db } from '../db.ts';
import { uuidFloor } from '../ids.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import type { RiskSignal } from '../risk/types.ts';

export interface EventRow {
  id: string;
  type: string;
  data: Record<string, unknown>;
  created_at: Date;
}

export interface NewEvent {
  id: string;
  orgId: string;
  type: string;
  productId: string | null;
  data: unknown;
  createdAt: Date;
}

/**
 * Writes events and, in the same statement, one dispatch for each endpoint that subscribes to them. A dispatch is
 * always born pending: whether the endpoint's circuit lets it go is decided under the endpoint's lock, by the deliverer.
 */
export async function insertEventsWithDispatches(db: Db, events: readonly NewEvent[]): Promise<void> {
  await db.query({
    name: 'insert-events-with-dispatches',
    text: `with incoming as (
         select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::jsonb[], $6::timestamptz[])
           as t (id, org_id, type, product_id, data, created_at)
       ), written as (
         insert into events (id, org_id, type, product_id, data, created_at)
         select id, org_id, type, product_id, data, created_at from incoming
       )
       insert into webhook_dispatches (event_id, endpoint_id, org_id, due_at)
       select i.id, e.id, i.org_id, i.created_at
         from incoming i
         join webhook_endpoints e
           on e.org_id = i.org_id and e.deleted_at is null and (i.type = any(e.events) or '*' = any(e.events))
          and (e.product_ids is null or i.product_id = any(e.product_ids))`,
    values: [
      events.map((event) => event.id),
      events.map((event) => event.orgId),
      events.map((event) => event.type),
      events.map((event) => event.productId),
      events.map((event) => JSON.stringify(event.data)),
      events.map((event) => event.createdAt),
    ],
  });
}

/** Writes one event for whoever its writer names, and for nobody else. */
export async function insertEvent(db: Db, event: NewEvent): Promise<void> {
  await db.query(
    'insert into events (id, org_id, type, product_id, data, created_at) values ($1, $2, $3, $4, $5, $6)',
    [event.id, event.orgId, event.type, event.productId, JSON.stringify(event.data), event.createdAt],
  );
}

export async function findSubject(
  db: Db,
  orgId: string,
  id: string,
): Promise<{ id: string; type: string; productId: string | null } | null> {
  const { rows } = await db.query<{ id: string; type: string; productId: string | null }>(
    'select id, type, product_id as "productId" from events where org_id = $1 and id = $2',
    [orgId, id],
  );
  return rows[0] ?? null;
}

export async function findEvent(db: Db, orgId: string, id: string): Promise<EventRow | null> {
  const { rows } = await db.query<EventRow>(
    'select id, type, data, created_at from events where org_id = $1 and id = $2',
    [orgId, id],
  );
  return rows[0] ?? null;
}

export async function listEvents(
  db: Db,
  orgId: string,
  filter: { type?: string | undefined; from?: Date | undefined; to?: Date | undefined },
  page: PageRequest,
): Promise<Page<EventRow>> {
  const { rows } = await db.query<EventRow>(
    `select id, type, data, created_at from events
      where org_id = $1
        and ($2::uuid is null or id < $2)
        and ($3::text is null or type = $3)
        -- Ids are made when events are recorded, and sort by that time: a range of ids prunes partitions.
        and ($4::uuid is null or id >= $4)
        and ($5::uuid is null or id < $5)
      order by id desc
      limit $6`,
    [
      orgId,
      page.beforeId,
      filter.type ?? null,
      filter.from === undefined ? null : uuidFloor(filter.from),
      filter.to === undefined ? null : uuidFloor(filter.to),
      page.limit + 1,
    ],
  );
  return pageOf(rows, page);
}

/** What events about scans say of places, beside the rest. */
export interface PlacedData {
  place: { lat: number; lon: number; accuracyKm: number; source?: string | null } | null;
  signals: RiskSignal[];
}

/**
 * Events of all types with `fromId < id < toId`, oldest first.
 * @returns with the data of those that tell a visitor's own position, or evidence, which names places of others. Events of before
 *   `source` was told may tell such a position as well.
 */
export async function listAgedPlaces(
  db: Db,
  fromId: string,
  toId: string,
  limit: number,
): Promise<{ id: string; data: PlacedData | null }[]> {
  const { rows } = await db.query<{ id: string; data: PlacedData | null }>(
    `select id, case when jsonb_typeof(data -> 'place') = 'object' and coalesce(data -> 'place' ->> 'source', 'gps') = 'gps'
                       or jsonb_typeof(data -> 'signals' -> 0) = 'object' then data end as data
       from events where id > $1 and id < $2 order by id limit $3`,
    [fromId, toId, limit],
  );
  return rows;
}

/** @param events oldest first */
export async function replaceData(
  db: Db,
  events: readonly { id: string; data: PlacedData }[],
): Promise<void> {
  await db.query(
    `update events e set data = t.data from unnest($1::uuid[], $2::jsonb[]) as t (id, data)
      where e.id = t.id and e.id between $3 and $4`,
    [
      events.map((event) => event.id),
      events.map((event) => JSON.stringify(event.data)),
      events[0]?.id,
      events.at(-1)?.id,
    ],
  );
}

/** Of webhooks' receivers: some answer with what they were sent. */
export async function forgetAnswers(db: Db, eventIds: readonly string[]): Promise<void> {
  await db.query(
    `update webhook_deliveries set response_snippet = null, response_truncated = false
      where event_id = any($1::uuid[]) and response_snippet is not null`,
    [eventIds],
  );
}
