import type { Db } from '../db.ts';
import { optionalSerialRanges } from '../search/pattern.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import { unitsBy } from '../units-by.ts';
import { OF_ORGANIZATION } from '../of-organization.ts';

export type UnitStatus = 'minted' | 'active' | 'suspended' | 'voided';
export type UnitRisk = 'clear' | 'suspect' | 'confirmed';

export interface UnitRow {
  id: string;
  batch_id: string;
  product_id: string;
  /** As it is named now. */
  product_name: string;
  ordinal: number;
  serial: string;
  /** Ten random bytes; with the tag of `token_key` they make the token. */
  code: Buffer;
  token_key: string;
  status: UnitStatus;
  activated_at: Date | null;
  /** When it was used up. */
  consumed_at: Date | null;
  /** The most particular recall in force that lies over the unit. */
  recall_scope: 'unit' | 'batch' | 'consignment' | 'product' | null;
  recalled_at: Date | null;
  recall_reason: string | null;
  lot: string | null;
  expires_on: string | null;
  /** What scoring and people hold of it. */
  risk: UnitRisk;
  /** The case of it that nobody has closed. */
  open_case_id: string | null;
}

/** {@link UnitRow}s of `$1`, the organization, whose condition is still to come; `r` is the risk profile. */
const selectUnits = (
  from: string,
): string => `select u.id, u.batch_id, u.product_id, p.name as product_name, u.ordinal, u.serial, u.code, u.token_key, u.status, u.activated_at, u.consumed_at,
            s.recall_scope, s.recalled_at, s.recall_reason, b.lot, b.expires_on,
            coalesce(r.state, 'clear') as risk, c.id as open_case_id
       from ${from}
       join batches b on b.id = u.batch_id
       join products p on p.id = u.product_id
       left join lateral unit_supply(u.id, u.batch_id, u.product_id) s on true
       left join unit_risk_profiles r on r.unit_id = u.id and r.org_id = $1
       left join risk_cases c on c.unit_id = u.id and c.status in ('open', 'investigating')`;

const ALL_UNITS = 'product_units u';

export async function findUnit(db: Db, orgId: string, id: string): Promise<UnitRow | null> {
  const { rows } = await db.query<UnitRow>(
    `${selectUnits(ALL_UNITS)}
      where u.org_id = $1 and u.id = $2`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

export interface LockedUnit {
  status: UnitStatus;
  product_id: string;
  activated_at: Date | null;
  consumed_at: Date | null;
}

/** Holds the unit until the transaction ends. @returns null where there is no such unit. */
export async function lockUnit(db: Db, orgId: string, id: string): Promise<LockedUnit | null> {
  const { rows } = await db.query<LockedUnit>(
    'select status, product_id, activated_at, consumed_at from product_units where org_id = $1 and id = $2 for update',
    [orgId, id],
  );
  return rows[0] ?? null;
}

export async function setUnitStatus(
  db: Db,
  orgId: string,
  id: string,
  status: UnitStatus,
  { activatedAt, voidedAt }: { activatedAt: Date | null; voidedAt: Date | null },
): Promise<void> {
  await db.query(
    'update product_units set status = $3, activated_at = $4, voided_at = $5 where org_id = $1 and id = $2',
    [orgId, id, status, activatedAt, voidedAt],
  );
}

export async function setConsumedAt(db: Db, orgId: string, id: string, at: Date | null): Promise<void> {
  await db.query('update product_units set consumed_at = $3 where org_id = $1 and id = $2', [orgId, id, at]);
}

/**
 * As {@link lockUnit} for many; those that are not there are left out. In one order, so that two jobs over the same units wait for
 * each other and never both; and with a lock that a recall of one of them does not wait for, as that only holds its key.
 */
export async function lockUnits(
  db: Db,
  orgId: string,
  ids: readonly string[],
): Promise<(LockedUnit & { id: string })[]> {
  const { rows } = await db.query<LockedUnit & { id: string }>(
    `select id, status, product_id, activated_at, consumed_at from product_units
      where org_id = $1 and id = any($2::uuid[])
      order by id
        for no key update`,
    [orgId, ids],
  );
  return rows;
}

/** As {@link setUnitStatus} for many that the transaction holds. */
export async function setUnitStatuses(
  db: Db,
  orgId: string,
  ids: readonly string[],
  status: 'active' | 'suspended',
  now: Date,
): Promise<void> {
  await db.query(
    `update product_units
        set status = $3, activated_at = case when $3 = 'active' then coalesce(activated_at, $4) else activated_at end
      where org_id = $1 and id = any($2::uuid[])`,
    [orgId, ids, status, now],
  );
}

/** Keeps changes of state for the units' timelines; a first activation is none, as `activated_at` tells it already. */
export async function insertTransitions(
  db: Db,
  orgId: string,
  transitions: readonly { id: string; unitId: string }[],
  status: 'active' | 'suspended',
  at: Date,
): Promise<void> {
  await db.query(
    `insert into unit_transitions (id, unit_id, org_id, status, at)
     select t.id, u.id, u.org_id, $4, $5
       from unnest($2::uuid[], $3::uuid[]) as t (id, unit_id)
      cross join lateral ${unitsBy('org_id = $1 and id = t.unit_id')} u`,
    [orgId, transitions.map(({ id }) => id), transitions.map(({ unitId }) => unitId), status, at],
  );
}

export interface UnitFilter {
  batchId?: string | undefined;
  status?: UnitStatus | undefined;
  serial?: string | undefined;
  /** Beginning of the serial. */
  q?: string | undefined;
  ids?: readonly string[] | undefined;
  productId?: string | undefined;
  /** The random bytes of its token. */
  code?: Buffer | undefined;
  /** What a GS1 Digital Link says of it. */
  link?: { gtin: string; serial: string } | undefined;
  risk?: UnitRisk | undefined;
  /** What was added to it and not taken from it again. */
  consignmentId?: string | undefined;
}

/** Whether nothing but the product narrows the list down: each other filter has an index of its own, but for what most units are. */
function isOfProductAlone(filter: UnitFilter): boolean {
  const { productId, status, batchId, serial, q, ids, code, link, risk, consignmentId } = filter;
  return (
    productId !== undefined &&
    (status === undefined || status === 'active') &&
    // By name: what a request asks for has its page's size and cursor as well.
    [batchId, serial, q, ids, code, link, risk, consignmentId].every((value) => value === undefined)
  );
}

/** Of {@link valuesOf}; `u` is the unit, `r` its risk profile. */
const NARROWED = `u.org_id = $1
        and ($2::uuid is null or u.id < $2)
        and ($3::uuid is null or u.batch_id = $3)
        and ($4::text is null or u.status = $4)
        and ($5::text is null or u.serial = $5)
        and ($6::uuid is null or u.product_id = $6)
        and ($7::bytea is null or u.code = $7)
        -- By the index of each product's serials; a filter on the batch has its own.
        and ($9::text is null
             or u.product_id = any(array(select id from products where org_id = $1))
                and (u.serial between $9 and $10 or u.serial between $11 and $12))
        and ($13::uuid[] is null or u.id = any($13))
        and ($15::text is null
             or u.product_id = any(array(select id from products where org_id = $1 and gtin = $15)) and u.serial = $16)
        -- A product's newest are among the newest of each of its batches, and those batches are the ones with the newest units.
        and ($17::boolean is not true
             or u.id = any(array(select n.id
                                   from (select pb.id
                                           from batches pb
                                          cross join lateral (select id from product_units
                                                               where batch_id = pb.id and ($2::uuid is null or id < $2)
                                                                 and ($4::text is null or status = $4)
                                                               order by id desc limit 1) newest
                                          where pb.org_id = $1 and pb.product_id = $6
                                          order by newest.id desc
                                          limit $8) pb
                                  cross join lateral (select id from product_units
                                                       where batch_id = pb.id and ($2::uuid is null or id < $2)
                                                         and ($4::text is null or status = $4)
                                                       order by id desc limit $8) n
                                  order by n.id desc
                                  limit $8)))
        -- Planned with the value known, this joins from the index of the few that are under suspicion.
        and ($14::text is null or r.state = $14 or ($14 = 'clear' and r.state is null))`;

/**
 * The units of a consignment, each found by its key from the consignment's own, in their order: a page reads these down to its
 * last one. As a condition on all units it would be looked for from the newest on, which an old consignment's are far from.
 */
const OF_CONSIGNMENT = `(select unit_id, job_id
               from consignment_units
              where consignment_id = $18 and ($2::uuid is null or unit_id < $2)
              order by unit_id desc
             offset 0) cu
      cross join lateral (select * from product_units where org_id = $1 and id = cu.unit_id offset 0) u`;

/** Those that the filter names, found by their own keys also by whoever wants them in their order. */
const NAMED_UNITS = `(select u.*
               from product_units u
               left join unit_risk_profiles r on r.unit_id = u.id and r.org_id = $1
              where ${NARROWED}
             offset 0) u`;

const IS_OF_CONSIGNMENT = `(select j.status
               from consignment_units cu join bulk_jobs j on j.id = cu.job_id
              where cu.consignment_id = $18 and cu.unit_id = u.id) = 'completed'`;

/** Few are named: that each is asked for takes no longer in a consignment of a million. */
const namesUnits = ({ serial, ids, code, link }: UnitFilter): boolean =>
  [serial, ids, code, link].some((value) => value !== undefined);

/** Which units are looked at, by what, and in which order. */
function unitsOf(filter: UnitFilter) {
  if (filter.consignmentId === undefined)
    return { from: ALL_UNITS, where: `${NARROWED} and $18::uuid is null`, order: 'u.id desc' };
  if (namesUnits(filter)) return { from: NAMED_UNITS, where: IS_OF_CONSIGNMENT, order: 'u.id desc' };
  return {
    from: OF_CONSIGNMENT,
    where: `${NARROWED} and (select status from bulk_jobs where id = cu.job_id) = 'completed'`,
    order: 'cu.unit_id desc',
  };
}

/** @param isOfPage whether a page is read, and no more than it of a product alone */
const valuesOf = (orgId: string, filter: UnitFilter, page: PageRequest, isOfPage = true) => [
  orgId,
  page.beforeId,
  filter.batchId ?? null,
  filter.status ?? null,
  filter.serial ?? null,
  filter.productId ?? null,
  filter.code ?? null,
  page.limit + 1,
  ...optionalSerialRanges(filter.q),
  filter.ids ?? null,
  filter.risk ?? null,
  filter.link?.gtin ?? null,
  filter.link?.serial ?? null,
  isOfPage && isOfProductAlone(filter),
  filter.consignmentId ?? null,
];

export async function listUnits(
  db: Db,
  orgId: string,
  filter: UnitFilter,
  page: PageRequest,
): Promise<Page<UnitRow>> {
  const { from, where, order } = unitsOf(filter);
  const { rows } = await db.query<UnitRow>(
    `${selectUnits(from)}
      where ${where}
      order by ${order}
      limit $8`,
    valuesOf(orgId, filter, page),
  );
  return pageOf(rows, page);
}

/** Reads them all. */
export async function countUnitsBy(db: Db, orgId: string, filter: UnitFilter): Promise<number> {
  const { from, where } = unitsOf(filter);
  const { rows } = await db.query<{ units: number }>(
    `select count(*) as units
       from ${from}
       left join unit_risk_profiles r on r.unit_id = u.id and r.org_id = $1
      where ${where} and $8::integer is not null`,
    valuesOf(orgId, filter, { limit: 0, beforeId: null }, false),
  );
  return rows[0]!.units;
}

/** What scans and the product tell of a unit beside what is its own. */
export interface UnitFigures {
  sku: string;
  gtin: string | null;
  /** Without internal ones. */
  scans: number;
  first_scanned_at: Date | null;
  last_scanned_at: Date | null;
  last_country: string | null;
}

/** By unit; what is not the organization's is not among them. */
export async function findUnitFigures(
  db: Db,
  orgId: string,
  unitIds: readonly string[],
): Promise<Map<string, UnitFigures>> {
  const { rows } = await db.query<UnitFigures & { id: string }>(
    `select u.id, p.sku, p.gtin, coalesce(r.scan_count, 0) as scans, r.first_scanned_at, l.at as last_scanned_at, l.country as last_country
       from unnest($2::uuid[]) as t (unit_id)
      cross join lateral ${unitsBy('org_id = $1 and id = t.unit_id')} u
       join products p on p.id = u.product_id
       left join unit_risk_profiles r on r.unit_id = u.id and r.scan_count > 0
       -- By their index alone: asked for the organization's as well, the planner reads all of these from the newest on.
       left join lateral (select at, country from scans
                           where unit_id = u.id and not is_internal
                           order by id desc limit 1) l on r.scan_count > 0`,
    [orgId, unitIds],
  );
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}

/** Serials by unit; what is not the organization's is not among them. */
export async function findSerials(
  db: Db,
  orgId: string,
  unitIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; serial: string }>(
    'select id, serial from product_units where org_id = $1 and id = any($2::uuid[])',
    [orgId, unitIds],
  );
  return new Map(rows.map(({ id, serial }) => [id, serial]));
}

/** What people call a unit. */
export interface UnitNames {
  serial: string;
  lot: string | null;
  /** As it is named now, as is its SKU. */
  product: string;
  sku: string;
}

/** By unit; what is not the organization's is not among them. */
export async function findUnitNames(
  db: Db,
  orgId: string,
  unitIds: readonly string[],
): Promise<Map<string, UnitNames>> {
  const { rows } = await db.query<UnitNames & { id: string }>(
    `select u.id, u.serial, b.lot, p.name as product, p.sku
       from product_units u
       join batches b on b.id = u.batch_id
       join products p on p.id = u.product_id
      where u.org_id = $1 and u.id = any($2::uuid[])`,
    [orgId, unitIds],
  );
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}

export type UnitCounts = Record<UnitStatus, number>;

/** How many of a batch's units are in each state; reads them all. */
export async function countUnitsByStatus(db: Db, orgId: string, batchId: string): Promise<UnitCounts> {
  const { rows } = await db.query<{ status: UnitStatus; units: number }>(
    `select status, count(*) as units from product_units
      where ${OF_ORGANIZATION} and batch_id = $2
      group by status`,
    [orgId, batchId],
  );
  const counts: UnitCounts = { minted: 0, active: 0, suspended: 0, voided: 0 };
  for (const { status, units } of rows) counts[status] = units;
  return counts;
}
