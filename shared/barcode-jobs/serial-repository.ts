/** Serials that a customer uploaded for a batch. */
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Db, Pool } from '../db.ts';
import { mintedOf } from '../minted-units.ts';
import { isNumberedBy, sequentialEndsOf } from '../sequential-serials.ts';
import { unitsBy } from '../units-by.ts';

export interface SerialUploadRow {
  id: string;
  serials: number;
  characters: string;
  examples: string[];
  created_at: Date;
}

export async function insertUpload(
  db: Db,
  upload: { id: string; orgId: string; batchId: string; now: Date },
): Promise<void> {
  await db.query(
    `insert into serial_uploads (id, org_id, batch_id, state, created_at) values ($1, $2, $3, 'receiving', $4)`,
    [upload.id, upload.orgId, upload.batchId, upload.now],
  );
}

/** @param block lines in COPY's text format: upload, ordinal, line, serial. */
export async function copyUploadedSerials(db: Pool, block: string): Promise<void> {
  const client = await db.connect();
  let broken: Error | undefined;
  try {
    await pipeline(
      [block],
      client.query(copyFrom('copy uploaded_serials (upload_id, ordinal, line, serial) from stdin')),
    );
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

export interface RepeatedSerial {
  serial: string;
  line: number;
  /** Where the file has it first; null where a unit of the product has it. */
  first_line: number | null;
}

/** Serials that the upload holds twice, by line. */
export async function listRepeatedSerials(
  db: Db,
  uploadId: string,
  limit: number,
): Promise<RepeatedSerial[]> {
  const { rows } = await db.query<RepeatedSerial>(
    `select serial, line, first_line from (
       select serial, line, min(line) over (partition by serial) as first_line from uploaded_serials where upload_id = $1
     ) as lines
      where line > first_line
      order by line
      limit $2`,
    [uploadId, limit],
  );
  return rows;
}

/** Serials of the upload that units of the product have already, by line. */
export async function listTakenSerials(
  db: Db,
  uploadId: string,
  productId: string,
  limit: number,
): Promise<RepeatedSerial[]> {
  const { rows } = await db.query<RepeatedSerial>(
    `select s.serial, s.line, null::integer as first_line
       from uploaded_serials s cross join lateral ${unitsBy('product_id = $2 and serial = s.serial')} u
      where s.upload_id = $1
      order by s.line
      limit $3`,
    [uploadId, productId, limit],
  );
  return rows;
}

/** In SQL, whether a job may still mint serials: itself, or its batch's next one, which goes on with the rest. */
const PROMISES = `(j.status in ('queued', 'running', 'failed')
               or (j.status = 'cancelled'
                   and exists (select 1 from barcode_job_chunks c where c.job_id = j.id and c.minted > 0)))
          and ${mintedOf('b')} < b.quantity`;

/**
 * A serial of a checked upload that is not free any more: units of the product have it since, or it is promised to another batch.
 * Asks nothing of the units where no other batch of the product was minted since. Lists are compared as sets: by a join, where Postgres has not
 * yet counted the newest of them, it compares each with each.
 */
export async function findSerialTakenSince(
  db: Db,
  upload: { id: string; created_at: Date },
  batch: { id: string; product_id: string },
): Promise<string | null> {
  const { rows } = await db.query<{ serial: string | null }>(
    `with jobs as (
       select j.batch_id, j.total, j.options -> 'serials' as serials, ${PROMISES} as promises,
              j.finished_at is null or j.finished_at >= $4 as is_fresh
         from batches b join barcode_jobs j on j.batch_id = b.id
        where b.product_id = $3 and b.id <> $2
     )
     select coalesce(
              case when exists (select 1 from jobs where is_fresh) then
                (select min(s.serial) from uploaded_serials s cross join lateral ${unitsBy('product_id = $3 and serial = s.serial')} u
                  where s.upload_id = $1) end,
              case when exists (select 1 from jobs where promises and serials ->> 'source' = 'uploaded') then
                (select min(serial) from (
                   select serial from uploaded_serials where upload_id = $1
                   intersect
                   select o.serial from uploaded_serials o
                    where o.upload_id in (select su.id from serial_uploads su join jobs on jobs.batch_id = su.batch_id
                                           where jobs.promises and jobs.serials ->> 'source' = 'uploaded' and su.state = 'ready')) shared) end,
              case when exists (select 1 from jobs where promises and serials ->> 'source' = 'sequential') then
              (select min(s.serial) from uploaded_serials s
                 join (select promised.* from jobs cross join lateral ${sequentialEndsOf('jobs.serials', 'jobs.total')} as promised
                        where promises and serials ->> 'source' = 'sequential') o
                   on ${isNumberedBy('s.serial', { prefix: 'o.prefix', first: 'o.first', last: 'o.last' })}
                where s.upload_id = $1) end) as serial`,
    [upload.id, batch.id, batch.product_id, upload.created_at],
  );
  return rows[0]!.serial;
}

export async function markUploadReady(
  db: Db,
  id: string,
  summary: { serials: number; characters: string; examples: readonly string[] },
): Promise<void> {
  await db.query(
    `update serial_uploads set state = 'ready', serials = $2, characters = $3, examples = $4 where id = $1`,
    [id, summary.serials, summary.characters, summary.examples],
  );
}

export async function findReadyUpload(db: Db, batchId: string): Promise<SerialUploadRow | null> {
  const { rows } = await db.query<SerialUploadRow>(
    `select id, serials, characters, examples, created_at from serial_uploads where batch_id = $1 and state = 'ready'`,
    [batchId],
  );
  return rows[0] ?? null;
}

/** The serials first, so that a crash in between leaves an upload that is found again. */
export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.query('delete from uploaded_serials where upload_id = $1', [id]);
  await db.query('delete from serial_uploads where id = $1', [id]);
}

/** Uploads that broke off. */
export async function listStaleUploadIds(db: Db, before: Date, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from serial_uploads where state = 'receiving' and created_at < $1 order by created_at limit $2`,
    [before, limit],
  );
  return rows.map((row) => row.id);
}

/** Serials of a range of ordinals, in order. */
export async function listUploadedSerials(
  db: Db,
  uploadId: string,
  first: number,
  count: number,
): Promise<string[]> {
  const { rows } = await db.query<{ serial: string }>(
    `select serial from uploaded_serials where upload_id = $1 and ordinal >= $2 and ordinal < $2 + $3 order by ordinal`,
    [uploadId, first, count],
  );
  return rows.map((row) => row.serial);
}

/** One serial of the product that is a number of the range, or null. */
export async function findSerialInRange(
  db: Db,
  productId: string,
  range: { prefix: string; first: string; last: string },
): Promise<string | null> {
  const { rows } = await db.query<{ serial: string }>(
    `select serial from product_units
      where product_id = $1 and ${isNumberedBy('serial', { first: '$2', last: '$3', prefix: '$4' })}
      limit 1`,
    [productId, range.first, range.last, range.prefix],
  );
  return rows[0]?.serial ?? null;
}

/** As {@link findSerialInRange}, of the lists that are promised to the product's other batches. */
export async function findUploadedInRange(
  db: Db,
  batch: { id: string; product_id: string },
  range: { prefix: string; first: string; last: string },
): Promise<string | null> {
  const { rows } = await db.query<{ serial: string }>(
    `select s.serial
       from batches b
       join barcode_jobs j on j.batch_id = b.id
       join serial_uploads su on su.batch_id = b.id and su.state = 'ready'
       join uploaded_serials s on s.upload_id = su.id
      where b.product_id = $1 and b.id <> $2
        and ${PROMISES}
        and j.options -> 'serials' ->> 'source' = 'uploaded'
        and ${isNumberedBy('s.serial', { first: '$3', last: '$4', prefix: '$5' })}
      limit 1`,
    [batch.product_id, batch.id, range.first, range.last, range.prefix],
  );
  return rows[0]?.serial ?? null;
}

/**
 * Whether the numbers of another batch of the product include a serial of the range: of a job that may still mint them, or
 * that minted some before it was cancelled, as the batch's next one goes on with the rest. `A` with 4 digits and `A0` with 3
 * make the same serials: these are what is compared.
 * @param range of serials of one length, `last` after `first`
 */
export async function hasOverlappingJob(
  db: Db,
  productId: string,
  batchId: string,
  range: { prefix: string; first: string; last: string },
): Promise<boolean> {
  const { rows } = await db.query<{ overlaps: boolean }>(
    `select exists (
       select 1
         from batches b join barcode_jobs j on j.batch_id = b.id
        cross join lateral ${sequentialEndsOf("j.options -> 'serials'", 'j.total')} as other
        where b.product_id = $1 and b.id <> $2
          and j.options -> 'serials' ->> 'source' = 'sequential'
          and (j.status <> 'cancelled'
               or exists (select 1 from barcode_job_chunks c where c.job_id = j.id and c.minted > 0))
          and length(other.first) = length($4)
          and (starts_with(other.prefix, $3) or starts_with($3, other.prefix))
          and ltrim(substr(other.prefix, length($3) + 1), '0123456789') = ''
          and ltrim(substr($3, length(other.prefix) + 1), '0123456789') = ''
          and other.first <= $5 collate "C" and other.last >= $4 collate "C"
     ) as overlaps`,
    [productId, batchId, range.prefix, range.first, range.last],
  );
  return rows[0]!.overlaps;
}
