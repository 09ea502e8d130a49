import { isInForce } from '../recall-in-force.ts';
import type { Db } from '../db.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import { OF_ORGANIZATION } from '../of-organization.ts';

export type RecallScope = 'unit' | 'batch' | 'consignment' | 'product';

/** What consumers and staff are told. */
export interface RecallText {
  /** For the organization's own records. */
  reason: string | null;
  /** By language, as in `Accept-Language`: `en`, `pt`. */
  messages: Record<string, string>;
  contact: string | null;
}

export type SomeText = { [Field in keyof RecallText]?: RecallText[Field] | undefined };

export interface RecallRow extends RecallText {
  id: string;
  scope: RecallScope;
  target_id: string;
  starts_at: Date;
  created_at: Date;
  lifted_at: Date | null;
}

export interface NewRecall extends RecallText {
  id: string;
  orgId: string;
  scope: RecallScope;
  targetId: string;
  startsAt: Date;
  now: Date;
}

/**
 * Writes a recall. One of the same target that was to begin later takes its place in time and what it says: an urgent recall
 * must not wait for a planned one. It then counts as made now, as verifications hold `created_at` against their own clock.
 * @returns whether anything was written: not, where the target is recalled already or will be by then
 */
export async function insertRecall(db: Db, recall: NewRecall): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into recalls (id, org_id, scope, target_id, reason, messages, contact, starts_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (target_id) where lifted_at is null do update
        set reason = excluded.reason, messages = excluded.messages, contact = excluded.contact,
            starts_at = excluded.starts_at, created_at = excluded.created_at
      where recalls.starts_at > greatest(excluded.starts_at, excluded.created_at)`,
    [
      recall.id,
      recall.orgId,
      recall.scope,
      recall.targetId,
      recall.reason,
      JSON.stringify(recall.messages),
      recall.contact,
      recall.startsAt,
      recall.now,
    ],
  );
  return rowCount === 1;
}

/** As {@link insertRecall} for many units, from now on. @returns how many were not recalled themselves before. */
export async function insertUnitRecalls(
  db: Db,
  orgId: string,
  recalls: readonly { id: string; unitId: string }[],
  text: RecallText,
  now: Date,
): Promise<number> {
  const { rowCount } = await db.query(
    `insert into recalls (id, org_id, scope, target_id, reason, messages, contact, starts_at, created_at)
     select t.id, $1, 'unit', t.unit_id, $4, $5, $6, $7, $7
       from unnest($2::uuid[], $3::uuid[]) as t (id, unit_id)
      order by t.unit_id
         on conflict (target_id) where lifted_at is null do update
        set reason = excluded.reason, messages = excluded.messages, contact = excluded.contact,
            starts_at = excluded.starts_at, created_at = excluded.created_at
      where recalls.starts_at > greatest(excluded.starts_at, excluded.created_at)`,
    [
      orgId,
      recalls.map(({ id }) => id),
      recalls.map(({ unitId }) => unitId),
      text.reason,
      JSON.stringify(text.messages),
      text.contact,
      now,
    ],
  );
  return rowCount ?? 0;
}

/**
 * Lifts the recalls in force of some targets of one kind, in the order in which {@link insertUnitRecalls} takes them: two lists with the
 * same units wait for each other and never both. @returns how many there were.
 */
export async function liftRecallsOf(
  db: Db,
  orgId: string,
  scope: RecallScope,
  targetIds: readonly string[],
  now: Date,
): Promise<number> {
  const { rowCount } = await db.query(
    `update recalls set lifted_at = $4
      where id = any (array(select id from recalls
                             where ${OF_ORGANIZATION} and scope = $2 and target_id = any($3::uuid[]) and lifted_at is null
                             order by target_id
                               for update))`,
    [orgId, scope, targetIds, now],
  );
  return rowCount ?? 0;
}

export async function liftRecallById(db: Db, orgId: string, id: string, now: Date): Promise<void> {
  await db.query('update recalls set lifted_at = coalesce(lifted_at, $3) where org_id = $1 and id = $2', [
    orgId,
    id,
    now,
  ]);
}

/** @param lock `for update` holds it until the transaction ends */
export async function findRecall(
  db: Db,
  orgId: string,
  id: string,
  lock: 'for update' | '' = '',
): Promise<RecallRow | null> {
  const { rows } = await db.query<RecallRow>(
    `select id, scope, target_id, reason, messages, contact, starts_at, created_at, lifted_at
       from recalls where org_id = $1 and id = $2 ${lock}`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

/** Changes what a recall says; undefined leaves what is there. */
export async function updateRecallText(
  db: Db,
  orgId: string,
  id: string,
  { reason, messages, contact }: SomeText,
): Promise<void> {
  await db.query(
    `update recalls
        set reason = case when $3 then $4 else reason end,
            messages = coalesce($5, messages),
            contact = case when $6 then $7 else contact end
      where org_id = $1 and id = $2`,
    [
      orgId,
      id,
      reason !== undefined,
      reason ?? null,
      messages === undefined ? null : JSON.stringify(messages),
      contact !== undefined,
      contact ?? null,
    ],
  );
}

export async function findRecallInForce(db: Db, orgId: string, targetId: string): Promise<RecallRow | null> {
  const { rows } = await db.query<RecallRow>(
    `select id, scope, target_id, reason, messages, contact, starts_at, created_at, lifted_at
       from recalls where org_id = $1 and target_id = $2 and lifted_at is null`,
    [orgId, targetId],
  );
  return rows[0] ?? null;
}

/** Claims the telling of a consignment's recall that has begun. @returns it as it is now, where it is to be told now: once, whoever asks */
export async function markRecallTold(db: Db, id: string, now: Date): Promise<RecallRow | null> {
  const { rows } = await db.query<RecallRow>(
    `update recalls set told_at = $2
      where id = $1 and scope = 'consignment' and told_at is null and ${isInForce('recalls')}
     returning id, scope, target_id, reason, messages, contact, starts_at, created_at, lifted_at`,
    [id, now],
  );
  return rows[0] ?? null;
}

/** Recalls of consignments that have begun, and that nobody was told of; the first to begin first. */
export async function listUntoldRecalls(db: Db, limit: number): Promise<{ id: string; org_id: string }[]> {
  const { rows } = await db.query<{ id: string; org_id: string }>(
    `select id, org_id
       from recalls
      where scope = 'consignment' and told_at is null and ${isInForce('recalls')}
      order by starts_at
      limit $1`,
    [limit],
  );
  return rows;
}

export interface RecallFilter {
  scope?: RecallScope | undefined;
  /** UUID of what is recalled itself. */
  targetId?: string | undefined;
  /** One that is planned is not in force yet. */
  inForce?: boolean | undefined;
}

export async function listRecalls(
  db: Db,
  orgId: string,
  filter: RecallFilter,
  page: PageRequest,
): Promise<Page<RecallRow>> {
  const { rows } = await db.query<RecallRow>(
    `select id, scope, target_id, reason, messages, contact, starts_at, created_at, lifted_at
       from recalls
      where org_id = $1
        and ($2::uuid is null or id < $2)
        and ($3::text is null or scope = $3)
        and ($4::boolean is null or (${isInForce('recalls')}) = $4)
         and ($5::uuid is null or target_id = $5)
      order by id desc
      limit $6`,
    [
      orgId,
      page.beforeId,
      filter.scope ?? null,
      filter.inForce ?? null,
      filter.targetId ?? null,
      page.limit + 1,
    ],
  );
  return pageOf(rows, page);
}

/** Whether the organization has such a unit, batch, consignment or product; holds it until the transaction ends. */
export async function lockTarget(
  db: Db,
  orgId: string,
  scope: RecallScope,
  targetId: string,
): Promise<boolean> {
  const statement = {
    unit: 'select 1 from product_units where org_id = $1 and id = $2 for key share',
    batch: 'select 1 from batches where org_id = $1 and id = $2 for key share',
    consignment: 'select 1 from consignments where org_id = $1 and id = $2 for update',
    product: 'select 1 from products where org_id = $1 and id = $2 for key share',
  }[scope];
  const { rowCount } = await db.query(statement, [orgId, targetId]);
  return rowCount === 1;
}

export interface ScanSummary {
  scanned_units: number;
  scans: number;
  last_scanned_at: Date | null;
  /** Scans by country; `??` where it is not known. */
  countries: Record<string, number>;
}

/** Where some units were scanned. Reads the scans by unit, so it costs what there is to count. */
export async function summarizeScans(db: Db, unitIds: readonly string[]): Promise<ScanSummary> {
  const { rows } = await db.query<ScanSummary>(
    `with found as (
       select coalesce(country, '??') as country, count(*) as scans, max(at) as last
         from scans where unit_id = any($1::uuid[]) and not is_internal group by 1
     )
     select (select count(*) from unit_risk_profiles where unit_id = any($1::uuid[]) and scan_count > 0) as scanned_units,
            coalesce(sum(scans), 0)::bigint as scans, max(last) as last_scanned_at,
            coalesce(jsonb_object_agg(country, scans) filter (where country is not null), '{}') as countries
       from found`,
    [unitIds],
  );
  return rows[0]!;
}
