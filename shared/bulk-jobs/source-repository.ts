import type { Db } from '../db.ts';
import type { FieldErrorCode } from '../field-errors.ts';
import { mintedOf } from '../minted-units.ts';
import { sequentialEndsOf } from '../sequential-serials.ts';
import { unitsBy } from '../units-by.ts';
import type { UnitStatus } from '../units/service.ts';
import type { UnitSource } from './source.ts';
import { OF_ORGANIZATION } from '../of-organization.ts';

/** One unit of a slice, or a line that names none. */
export interface SourceUnit {
  /** Cursor: the next slice begins behind the last one's. */
  position: string;
  line: number | null;
  ref: string;
  unit_id: string | null;
  status: UnitStatus | null;
  /** Why the line itself is not valid. */
  problem: string | null;
  problem_code: FieldErrorCode | null;
}

/** In SQL, the lines of the slice. */
const LINES = `(select line, ref, key, problem, problem_code from bulk_job_items where job_id = $2 and line > coalesce($3, '0')::integer
                    order by line limit $4) i`;

// Three statements and not one with an "or": each has the index of its key.
const ITEMS = {
  unitId: `select i.line::text as position, i.line, i.ref, u.id as unit_id, u.status, i.problem, i.problem_code
             from ${LINES}
             left join lateral ${unitsBy('org_id = $1 and id = i.key::uuid')} u on $5::uuid is null
            order by i.line`,
  serial: `select i.line::text as position, i.line, i.ref, u.id as unit_id, u.status, i.problem, i.problem_code
             from ${LINES}
             left join lateral ${unitsBy('product_id = $5 and serial = i.key')} u on u.org_id = $1
            order by i.line`,
  code: `select i.line::text as position, i.line, i.ref, u.id as unit_id, u.status, i.problem, i.problem_code
           from ${LINES}
           left join lateral (
             select id, status from ${unitsBy("code = decode(i.key, 'hex')")} coded where org_id = $1 and $5::uuid is null
             union all
             -- A code has ten bytes. The first where several products have the GTIN, as a verification finds it.
             (select n.id, n.status
                from (select case when length(i.key) > 20 then convert_from(decode(i.key, 'hex'), 'UTF8')::jsonb end as key) named
                join products p on p.org_id = $1 and p.gtin = named.key ->> 0
               cross join lateral ${unitsBy('product_id = p.id and serial = named.key ->> 1')} n
                join batches b on b.id = n.batch_id
               where named.key ->> 2 is null or b.lot = named.key ->> 2 or named.key ->> 2 = any(b.former_lots)
               order by p.id limit 1)
           ) u on true
          order by i.line`,
} as const;

/** The next units of a job, at most `limit`, in a fixed order; none at the end. */
export async function listSourceUnits(
  db: Db,
  job: { id: string; org_id: string; source: UnitSource; cursor: string | null },
  limit: number,
): Promise<SourceUnit[]> {
  const { id: jobId, org_id: orgId, source, cursor: after } = job;
  switch (source.kind) {
    case 'items': {
      const productId = source.by === 'serial' ? source.productId : null;
      const text = ITEMS[source.by];
      return (await db.query<SourceUnit>(text, [orgId, jobId, after, limit, productId])).rows;
    }
    case 'batch': {
      const { rows } = await db.query<SourceUnit>(
        `select ordinal::text as position, null::integer as line, serial as ref, id as unit_id, status, null as problem, null as problem_code
           from product_units
          where ${OF_ORGANIZATION} and batch_id = $2 and ordinal > coalesce($3, '-1')::integer
          order by ordinal limit $4`,
        [orgId, source.batchId, after, limit],
      );
      return rows;
    }
    case 'serials': {
      const { rows } = await db.query<SourceUnit>(
        `select serial as position, null::integer as line, serial as ref, id as unit_id, status, null as problem, null as problem_code
           from product_units
          where org_id = $1 and product_id = $2
            and serial > coalesce($3, '') and ($4::text is null or serial >= $4) and ($5::text is null or serial <= $5)
          order by serial limit $6`,
        [orgId, source.productId, after, source.from, source.to, limit],
      );
      return rows;
    }
    case 'consignment':
    default:
      return listConsigned(db, orgId, source.consignmentId, after, limit);
  }
}

async function listConsigned(
  db: Db,
  orgId: string,
  consignmentId: string,
  after: string | null,
  limit: number,
): Promise<SourceUnit[]> {
  const { rows } = await db.query<SourceUnit>(
    `select u.id::text as position, null::integer as line, u.serial as ref, u.id as unit_id, u.status, null as problem, null as problem_code
       from (select unit_id from consignment_units
              where consignment_id = $2 and ($3::uuid is null or unit_id > $3::uuid)
              order by unit_id limit $4) c
      cross join lateral ${unitsBy('org_id = $1 and id = c.unit_id')} u
      order by u.id`,
    [orgId, consignmentId, after, limit],
  );
  return rows;
}

/** How many units, or lines, a job has before it. An index-only count: about 0.1 s a million. */
export async function countSourceUnits(
  db: Db,
  job: { id: string; org_id: string; source: UnitSource },
): Promise<number> {
  const { source } = job;
  const [text, values]: [string, unknown[]] =
    source.kind === 'items'
      ? ['select count(*) as count from bulk_job_items where job_id = $1', [job.id]]
      : source.kind === 'batch'
        ? [
            `select count(*) as count from product_units where ${OF_ORGANIZATION} and batch_id = $2`,
            [job.org_id, source.batchId],
          ]
        : source.kind === 'serials'
          ? [
              `select count(*) as count from product_units
                where org_id = $1 and product_id = $2
                  and ($3::text is null or serial >= $3) and ($4::text is null or serial <= $4)`,
              [job.org_id, source.productId, source.from, source.to],
            ]
          : [
              'select count(*) as count from consignment_units where org_id = $1 and consignment_id = $2',
              [job.org_id, source.consignmentId],
            ];
  const { rows } = await db.query<{ count: number }>(text, values);
  return rows[0]!.count;
}

/** Removes lines that are worked off, or all of them. */
export async function deleteItems(db: Db, jobId: string, upToLine = 2_147_483_647): Promise<void> {
  await db.query('delete from bulk_job_items where job_id = $1 and line <= $2', [jobId, upToLine]);
}

/** @returns how many lines were removed, the first ones */
export async function deleteSomeItems(db: Db, jobId: string, most: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from bulk_job_items
      where job_id = $1 and line <= (select max(line) from (select line from bulk_job_items where job_id = $1 order by line limit $2) as first)`,
    [jobId, most],
  );
  return rowCount ?? 0;
}

/** @returns a job that is over and has lines yet: from one job's to the next, as there may be millions */
export async function findJobWithLeftItems(db: Db): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `with recursive jobs as (
       (select job_id from bulk_job_items order by job_id limit 1)
       union all
       select (select i.job_id from bulk_job_items i where i.job_id > jobs.job_id order by i.job_id limit 1)
         from jobs where jobs.job_id is not null
     )
     select b.id from jobs join bulk_jobs b on b.id = jobs.job_id where b.finished_at is not null limit 1`,
  );
  return rows[0]?.id ?? null;
}

/**
 * Whether units whose serials somebody knows beforehand are being minted for a product, any of them within a range: it would
 * miss some.
 */
export async function isSerialBeingMinted(
  db: Db,
  orgId: string,
  range: { productId: string; from: string | null; to: string | null },
): Promise<boolean> {
  const { rows } = await db.query<{ minting: boolean }>(
    `with jobs as materialized (
       select j.batch_id, j.total, j.options -> 'serials' as serials
         from batches b join barcode_jobs j on j.batch_id = b.id
        where b.org_id = $1 and b.product_id = $2
          and j.status in ('queued', 'running') and ${mintedOf('b')} < b.quantity
     )
     select exists (
              select 1
                from jobs cross join lateral ${sequentialEndsOf('jobs.serials', 'jobs.total')} as own
               where jobs.serials ->> 'source' = 'sequential'
                 and ($3::text is null or own.last >= $3 collate "C") and ($4::text is null or own.first <= $4 collate "C"))
         or exists (
              select 1
                from jobs
                join serial_uploads u on u.batch_id = jobs.batch_id and u.state = 'ready'
                join uploaded_serials s on s.upload_id = u.id
               where jobs.serials ->> 'source' = 'uploaded'
                 and ($3::text is null or s.serial >= $3 collate "C") and ($4::text is null or s.serial <= $4 collate "C"))
         as minting`,
    [orgId, range.productId, range.from, range.to],
  );
  return rows[0]!.minting;
}
