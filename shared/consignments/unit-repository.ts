import type { Db } from '../db.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import { unitsBy } from '../units-by.ts';

/** Lets go what closed consignments still hold of these units: their next consignment asks for them. In the order of {@link insertConsignmentUnits}. */
export async function releaseUnits(db: Db, unitIds: readonly string[]): Promise<void> {
  await db.query(
    `update consignment_units set held = false
      where (consignment_id, unit_id) in (
        select cu.consignment_id, cu.unit_id
          from consignment_units cu
          join consignments c on c.id = cu.consignment_id
         where cu.unit_id = any($1::uuid[]) and cu.held and c.status in ('received', 'partially_received', 'cancelled')
         order by cu.unit_id
           for no key update of cu)`,
    [unitIds],
  );
}

/** Puts units into a consignment. @returns those that went in; the others are held, here or elsewhere. */
export async function insertConsignmentUnits(
  db: Db,
  target: { orgId: string; consignmentId: string; jobId: string },
  unitIds: readonly string[],
): Promise<string[]> {
  // In the order of their ids, so that two lists with the same units wait for each other and never both.
  const { rows } = await db.query<{ unit_id: string }>(
    `insert into consignment_units (consignment_id, unit_id, org_id, job_id)
     select $2, t.unit_id, $1, $3 from (select distinct unnest($4::uuid[]) as unit_id) t order by t.unit_id
         on conflict do nothing
     returning unit_id`,
    [target.orgId, target.consignmentId, target.jobId, unitIds],
  );
  return rows.map((row) => row.unit_id);
}

/** Which consignments hold these units. */
export async function listHolders(
  db: Db,
  unitIds: readonly string[],
): Promise<{ unit_id: string; consignment_id: string }[]> {
  const { rows } = await db.query<{ unit_id: string; consignment_id: string }>(
    'select unit_id, consignment_id from consignment_units where unit_id = any($1::uuid[]) and held',
    [unitIds],
  );
  return rows;
}

/** Takes back what a job put in, a slice at a time. @returns the last unit of the slice, or null at the end. */
export async function deleteAddedUnits(
  db: Db,
  consignmentId: string,
  jobId: string,
  after: string | null,
  limit: number,
): Promise<string | null> {
  const { rows } = await db.query<{ unit_id: string }>(
    // By their places, which are found once: named by their keys they are compared each with each where Postgres takes a consignment for empty.
    `delete from consignment_units
      where ctid = any (array(select ctid from consignment_units
                               where consignment_id = $1 and job_id = $2
                                 and ($3::uuid is null or unit_id > $3)
                               order by unit_id limit $4))
     returning unit_id`,
    [consignmentId, jobId, after, limit],
  );
  return rows.reduce<string | null>(
    (last, { unit_id }) => (last === null || unit_id > last ? unit_id : last),
    null,
  );
}

/** Products that a consignment's contents name; of more, those with most units. */
export const MOST_PRODUCTS = 12;

/** A list is complete: counts its units and writes down what the consignment contains. */
export async function storeContents(db: Db, consignmentId: string, added: number): Promise<void> {
  await db.query(
    `update consignments
        set unit_count = unit_count + $2,
            contents = coalesce((
              select jsonb_agg(jsonb_build_object('name', t.name, 'units', t.units) order by t.units desc, t.name)
                from (select p.name, count(*) as units
                        from consignment_units cu
                        join product_units u on u.org_id = cu.org_id and u.id = cu.unit_id
                        join products p on p.id = u.product_id
                       where cu.consignment_id = $1
                       group by p.id, p.name
                       order by units desc, p.name
                       limit $3) t), '[]')
      where id = $1`,
    [consignmentId, added, MOST_PRODUCTS],
  );
}

export interface ConsignmentUnitRow {
  /** The unit's. */
  id: string;
  serial: string;
  product_id: string;
  batch_id: string;
  lot: string | null;
  condition: 'missing' | 'damaged' | null;
}

/** Units whose list is complete; newest first. */
export async function listConsignmentUnits(
  db: Db,
  consignmentId: string,
  filter: { condition?: 'missing' | 'damaged' | undefined },
  page: PageRequest,
): Promise<Page<ConsignmentUnitRow>> {
  const { rows } = await db.query<ConsignmentUnitRow>(
    `select u.id, u.serial, u.product_id, u.batch_id, b.lot, cu.condition
       from consignment_units cu
       join product_units u on u.org_id = cu.org_id and u.id = cu.unit_id
       join batches b on b.id = u.batch_id
      where cu.consignment_id = $1
        and ($2::uuid is null or cu.unit_id < $2)
        and ($3::text is null or cu.condition = $3)
        and exists (select 1 from bulk_jobs j where j.id = cu.job_id and j.status = 'completed')
      order by cu.unit_id desc
      limit $4`,
    [consignmentId, page.beforeId, filter.condition ?? null, page.limit + 1],
  );
  return pageOf(rows, page);
}

export interface NamedUnitRow {
  unit_id: string;
  serial: string;
  code: Buffer;
  gtin: string | null;
  lot: string | null;
  former_lots: string[];
}

/** Units of a consignment by what people call them: a serial, the random bytes of the code's token, or the unit's UUID. */
export async function findConsignmentUnits(
  db: Db,
  orgId: string,
  consignmentId: string,
  named: { serials: readonly string[]; codes: readonly Buffer[]; unitIds: readonly string[] },
): Promise<NamedUnitRow[]> {
  const { rows } = await db.query<NamedUnitRow>(
    `with named as (
       select id
         from product_units
        -- As a value that Postgres does not look up in what it has counted: the serials are looked up, in however few units.
        where org_id = (select $1::uuid)
          and product_id = any(array(select id from products where org_id = $1))
          and serial = any($3::text[])
        union
       select u.id from unnest($4::bytea[]) as given (code) cross join lateral ${unitsBy('code = given.code')} u where u.org_id = $1
        union
       select id from unnest($5::uuid[]) as given (id)
     )
     select u.id as unit_id, u.serial, u.code, p.gtin, b.lot, b.former_lots
       from named
       join consignment_units cu on cu.consignment_id = $2 and cu.unit_id = named.id
      cross join lateral ${unitsBy('org_id = $1 and id = cu.unit_id')} u
       join products p on p.id = u.product_id
       join batches b on b.id = u.batch_id`,
    [orgId, consignmentId, named.serials, named.codes, named.unitIds],
  );
  return rows;
}

export async function markCondition(
  db: Db,
  consignmentId: string,
  unitIds: readonly string[],
  condition: 'missing' | 'damaged',
): Promise<void> {
  await db.query(
    'update consignment_units set condition = $3 where consignment_id = $1 and unit_id = any($2::uuid[])',
    [consignmentId, unitIds, condition],
  );
}
