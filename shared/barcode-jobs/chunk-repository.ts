import { from as copyFrom } from 'pg-copy-streams';
import type { ClientBase } from 'pg';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../db.ts';
import type { Format, JobOptions, SymbologyName } from './options.ts';
import type { ArtifactKind } from './repository.ts';

export interface ClaimedChunk {
  job_id: string;
  index: number;
  kind: 'units' | 'assemble';
  first_ordinal: number;
  units: number;
  lease_epoch: number;
  attempts: number;
  /** Leases of it that ran out since it was last given back. */
  lost_leases: number;
  /** Of its job, when it was claimed: which round of tries it is in. */
  storage_failures: number;
  org_id: string;
  batch_id: string;
  product_id: string;
  symbology: SymbologyName;
  formats: Format[];
  options: JobOptions;
  activate: boolean;
  total: number;
  job_created_at: Date;
  lot: string | null;
  expires_on: string | null;
  hidden_codes: boolean;
  nfc_tags: boolean;
  product_name: string;
  brand: string | null;
  sku: string;
}

/**
 * Claims one due chunk of a job and marks the job as running. The assembling chunk is only given out when all others
 * are done. Whoever takes over a lease that ran out goes on with the attempt of a worker that was killed: nothing failed. How
 * often that happened in a row is counted beside the attempts. While the storage is away one part at a time tries whether it is back.
 */
export async function claimChunk(
  db: Db,
  jobId: string,
  now: Date,
  leaseUntil: Date,
): Promise<ClaimedChunk | null> {
  const { rows } = await db.query<ClaimedChunk>({
    name: 'claim-chunk',
    text: `with job as (
         select j.id, j.org_id, j.batch_id, j.symbology, j.formats, j.options, j.activate, j.total, j.storage_failures, j.created_at, b.product_id,
                b.lot, b.expires_on, b.hidden_codes, b.nfc_tags, p.name as product_name, p.brand, p.sku
           from barcode_jobs j join batches b on b.id = j.batch_id join products p on p.id = b.product_id
          where j.id = $1 and j.status in ('queued', 'running') and (j.storage_due_at is null or j.storage_due_at <= $2)
            and (j.storage_failures = 0 or not exists (select 1 from barcode_job_chunks o
                                                        where o.job_id = j.id and o.state = 'pending' and o.lease_until > $2))
       ), due as (
         select c.job_id, c.index from barcode_job_chunks c join job on job.id = c.job_id
          where c.state = 'pending' and c.due_at <= $2 and (c.lease_until is null or c.lease_until <= $2)
            and (c.kind = 'units' or not exists (select 1 from barcode_job_chunks o
                                                  where o.job_id = c.job_id and o.kind = 'units' and o.state = 'pending'))
          order by c.index
          limit 1
          for update of c skip locked
       ), started as (
         update barcode_jobs set status = 'running', started_at = coalesce(started_at, $2)
          where id = $1 and status = 'queued' and exists (select 1 from due)
       )
       update barcode_job_chunks c
          set lease_until = $3, lease_epoch = c.lease_epoch + 1, rendered = 0,
              attempts = c.attempts + case when c.lease_until is null then 1 else 0 end,
              lost_leases = case when c.lease_until is null then 0 else c.lost_leases + 1 end
         from due, job
        where c.job_id = due.job_id and c.index = due.index
       returning c.job_id, c.index, c.kind, c.first_ordinal, c.units, c.lease_epoch, c.attempts, c.lost_leases, job.storage_failures, job.org_id,
                 job.batch_id, job.product_id, job.symbology, job.formats, job.options, job.activate, job.total,
                 job.created_at as job_created_at, job.lot, job.expires_on, job.hidden_codes, job.nfc_tags, job.product_name, job.brand, job.sku`,
    values: [jobId, now, leaseUntil],
  });
  return rows[0] ?? null;
}

/**
 * A sign of life, with the progress so far. One that was under way when the chunk was given back takes nothing again: the
 * next worker would wait for a lease that nobody holds.
 * @returns false where the chunk is no longer this worker's: the lease was lost, or the job was cancelled.
 */
export async function extendLease(
  db: Db,
  chunk: ClaimedChunk,
  rendered: number,
  leaseUntil: Date,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'extend-lease',
    text: `update barcode_job_chunks c set lease_until = $4, rendered = $5
             from barcode_jobs j
            where c.job_id = $1 and c.index = $2 and c.lease_epoch = $3 and c.state = 'pending'
              and c.lease_until is not null and j.id = c.job_id and j.status = 'running'`,
    values: [chunk.job_id, chunk.index, chunk.lease_epoch, leaseUntil, rendered],
  });
  return rowCount === 1;
}

/** Marks a chunk as done, of which `minted` units are new. @returns false where the lease was lost; then nothing may be committed. */
export async function markChunkDone(
  db: Db,
  chunk: ClaimedChunk,
  minted: number,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update barcode_job_chunks
        set state = 'done', done_at = $4, minted = coalesce(minted, 0) + $5, lease_until = null, last_error = null
      where job_id = $1 and index = $2 and lease_epoch = $3 and state = 'pending'`,
    [chunk.job_id, chunk.index, chunk.lease_epoch, now, minted],
  );
  return rowCount === 1;
}

/** Has all units of a job rendered again, for none of the files that the done chunks have made is to be trusted. What they minted stays counted. */
export async function undoRendering(db: Db, jobId: string): Promise<void> {
  await db.query(
    `update barcode_job_chunks set state = 'pending', done_at = null where job_id = $1 and kind = 'units' and state = 'done'`,
    [jobId],
  );
  await db.query('delete from barcode_artifacts where job_id = $1', [jobId]);
}

/** Gives a chunk back, to be due again later. @param counts whether the attempt does */
export async function releaseChunk(
  db: Db,
  chunk: ClaimedChunk,
  dueAt: Date,
  error: string | null,
  counts: boolean,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update barcode_job_chunks
        set lease_until = null, due_at = $4, last_error = $5, attempts = attempts - $6, rendered = 0
      where job_id = $1 and index = $2 and lease_epoch = $3 and state = 'pending'`,
    [chunk.job_id, chunk.index, chunk.lease_epoch, dueAt, error, counts ? 0 : 1],
  );
  return rowCount === 1;
}

/**
 * When the next chunk of an open job may be claimed: it is due, the first lease on one ends, the storage is tried again, or whoever tries
 * it has to have an answer; null where none is left. The assembling one waits for the others.
 */
export async function findNextChunkDueAt(db: Db, jobId: string): Promise<Date | null> {
  const { rows } = await db.query<{ next: Date | null }>(
    `select min(greatest(c.due_at, c.lease_until, j.storage_due_at,
                         case when j.storage_failures > 0
                              then (select max(o.lease_until) from barcode_job_chunks o
                                     where o.job_id = j.id and o.state = 'pending') end)) as next
       from barcode_job_chunks c join barcode_jobs j on j.id = c.job_id
      where c.job_id = $1 and c.state = 'pending' and j.status in ('queued', 'running')
        and (c.kind = 'units' or not exists (select 1 from barcode_job_chunks o
                                              where o.job_id = c.job_id and o.kind = 'units' and o.state = 'pending'))`,
    [jobId],
  );
  return rows[0]?.next ?? null;
}

export interface MintedUnitRow {
  id: string;
  ordinal: number;
  serial: string;
  code: Buffer;
  token_key: string;
}

/** Under which lease each chunk of units was done, in the order of the chunks. */
export async function listDoneEpochs(db: Db, jobId: string): Promise<number[]> {
  const { rows } = await db.query<{ lease_epoch: number }>(
    `select lease_epoch from barcode_job_chunks
      where job_id = $1 and kind = 'units' and state = 'done' order by index`,
    [jobId],
  );
  return rows.map((row) => row.lease_epoch);
}

/** Units of a range of ordinals that an earlier job minted already. */
export async function listMintedUnits(
  db: Db,
  batchId: string,
  first: number,
  count: number,
): Promise<MintedUnitRow[]> {
  const { rows } = await db.query<MintedUnitRow>(
    `select id, ordinal, serial, code, token_key from product_units
      where batch_id = $1 and ordinal >= $2 and ordinal < $2 + $3 order by ordinal`,
    [batchId, first, count],
  );
  return rows;
}

export interface UnitsToInsert {
  orgId: string;
  batchId: string;
  productId: string;
  status: 'minted' | 'active';
  activatedAt: Date | null;
}

/** Writes units by COPY, which takes them many times faster than INSERT. @param client of a transaction. */
export async function copyUnits(
  client: Db,
  common: UnitsToInsert,
  units: readonly MintedUnitRow[],
): Promise<void> {
  const stream = (client as ClientBase).query(
    copyFrom(
      `copy product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status, activated_at) from stdin`,
    ),
  );
  const activatedAt = common.activatedAt?.toISOString() ?? '\\N';
  const lines = function* () {
    // Serials are of CSET 82, which has no backslash, tab or line feed: nothing needs escaping in COPY's text format.
    let block = '';
    for (const unit of units) {
      block += `${unit.id}\t${common.orgId}\t${common.batchId}\t${common.productId}\t${unit.ordinal}\t${unit.serial}\t\\\\x${unit.code.toString('hex')}\t${unit.token_key}\t${common.status}\t${activatedAt}\n`;
      if (block.length > 65_536) {
        yield block;
        block = '';
      }
    }
    if (block !== '') yield block;
  };
  await pipeline(lines, stream);
}

export interface NewArtifact {
  id: string;
  orgId: string;
  jobId: string;
  kind: ArtifactKind;
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  storageKey: string;
}

export async function insertArtifact(db: Db, artifact: NewArtifact, now: Date): Promise<void> {
  await db.query(
    `insert into barcode_artifacts (id, org_id, job_id, kind, name, media_type, bytes, sha256, storage_key, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      artifact.id,
      artifact.orgId,
      artifact.jobId,
      artifact.kind,
      artifact.name,
      artifact.mediaType,
      artifact.bytes,
      artifact.sha256,
      artifact.storageKey,
      now,
    ],
  );
}
