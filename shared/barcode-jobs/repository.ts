import type { Db } from '../db.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import type { Format, JobOptions, SymbologyName } from './options.ts';

export type JobStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface JobRow {
  id: string;
  org_id: string;
  batch_id: string;
  product_id: string;
  product_name: string;
  lot: string | null;
  status: JobStatus;
  symbology: SymbologyName;
  formats: Format[];
  options: JobOptions;
  activate: boolean;
  total: number;
  /** Units whose chunk is done; while the job is open, with those that are rendered in the others. */
  done: number;
  error: { code: string; message: string } | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  artifacts_expired_at: Date | null;
}

export interface NewJob {
  id: string;
  orgId: string;
  batchId: string;
  symbology: SymbologyName;
  formats: readonly Format[];
  options: JobOptions;
  activate: boolean;
  total: number;
  chunkUnits: number;
  now: Date;
}

/** Writes a job with its chunks: ranges of `chunkUnits` ordinals, and the last one that assembles. */
export async function insertJob(db: Db, job: NewJob): Promise<void> {
  await db.query(
    `with job as (
       insert into barcode_jobs (id, org_id, batch_id, symbology, formats, options, activate, total, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8::integer, $10) returning id
     )
     insert into barcode_job_chunks (job_id, index, kind, first_ordinal, units, due_at)
     select $1, row_number() over (order by first_ordinal) - 1, 'units', first_ordinal,
            least($9::integer, $8::integer - first_ordinal), $10
       from generate_series(0, $8::integer - 1, $9::integer) as first_ordinal
     union all
     select $1, ($8::integer + $9::integer - 1) / $9::integer, 'assemble', $8::integer, 0, $10`,
    [
      job.id,
      job.orgId,
      job.batchId,
      job.symbology,
      job.formats,
      JSON.stringify(job.options),
      job.activate,
      job.total,
      job.chunkUnits,
      job.now,
    ],
  );
}

/** Jobs with the names of what they mint, and how many units are ready. */
const SELECT_JOB = `select j.id, j.org_id, j.batch_id, b.product_id, p.name as product_name, b.lot, j.status, j.symbology, j.formats, j.options, j.activate, j.total, j.error,
            j.created_at, j.started_at, j.finished_at, j.artifacts_expired_at,
            (select coalesce(sum(case when c.state = 'done' then c.units
                                      when j.status in ('queued', 'running') then c.rendered else 0 end), 0)
               from barcode_job_chunks c where c.job_id = j.id) as done
       from barcode_jobs j
       join batches b on b.id = j.batch_id
       join products p on p.id = b.product_id`;

export async function findJob(db: Db, orgId: string, id: string): Promise<JobRow | null> {
  const { rows } = await db.query<JobRow>(
    `${SELECT_JOB}
      where j.org_id = $1 and j.id = $2`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

export interface JobFilter {
  batchId?: string | undefined;
  status?: JobStatus | undefined;
  /** Only those that are open, or failed since. */
  openOrFailedSince?: Date | undefined;
}

export async function listJobs(
  db: Db,
  orgId: string,
  filter: JobFilter,
  page: PageRequest,
): Promise<Page<JobRow>> {
  const { rows } = await db.query<JobRow>(
    `${SELECT_JOB}
      where j.org_id = $1
        and ($2::uuid is null or j.id < $2)
        and ($3::uuid is null or j.batch_id = $3)
        and ($4::text is null or j.status = $4)
        and ($6::timestamptz is null or j.status in ('queued', 'running')
             or (j.status = 'failed' and j.finished_at >= $6))
      order by j.id desc
      limit $5`,
    [
      orgId,
      page.beforeId,
      filter.batchId ?? null,
      filter.status ?? null,
      page.limit + 1,
      filter.openOrFailedSince ?? null,
    ],
  );
  return pageOf(rows, page);
}

export type ArtifactKind = 'images' | 'labels' | 'codes' | 'manifest';

export interface ArtifactRow {
  job_id: string;
  kind: ArtifactKind;
  name: string;
  media_type: string;
  bytes: number;
  sha256: string;
  storage_key: string;
}

export async function listArtifacts(db: Db, jobIds: readonly string[]): Promise<ArtifactRow[]> {
  const { rows } = await db.query<ArtifactRow>(
    `select job_id, kind, name, media_type, bytes, sha256, storage_key from barcode_artifacts
      where job_id = any($1::uuid[]) order by job_id, kind, name`,
    [jobIds],
  );
  return rows;
}

/** The manifest and the code lists before the parts with images, of which there may be thousands. */
export async function listFirstArtifacts(
  db: Db,
  jobId: string,
  limit: number,
): Promise<{ count: number; first: Pick<ArtifactRow, 'kind' | 'name' | 'bytes' | 'sha256'>[] }> {
  const { rows } = await db.query<ArtifactRow & { count: number }>(
    `select kind, name, bytes, sha256, count(*) over () as count from barcode_artifacts
      where job_id = $1
      order by array_position(array['manifest', 'codes', 'images', 'labels'], kind), name
      limit $2`,
    [jobId, limit],
  );
  return { count: rows[0]?.count ?? 0, first: rows };
}

export async function findArtifact(db: Db, jobId: string, name: string): Promise<ArtifactRow | null> {
  const { rows } = await db.query<ArtifactRow>(
    `select a.job_id, a.kind, a.name, a.media_type, a.bytes, a.sha256, a.storage_key
       from barcode_artifacts a join barcode_jobs j on j.id = a.job_id
      where a.job_id = $1 and a.name = $2 and j.status = 'completed' and j.artifacts_expired_at is null`,
    [jobId, name],
  );
  return rows[0] ?? null;
}

export interface LockedJob {
  status: JobStatus;
  /** Rounds of its chunks that ended in the storage, one after another. */
  storage_failures: number;
  /** No chunk is given out before. */
  storage_due_at: Date | null;
}

/** Holds the job until the transaction ends: nothing of it is settled or cancelled meanwhile. */
export async function lockJob(db: Db, id: string): Promise<LockedJob | null> {
  const { rows } = await db.query<LockedJob>(
    'select status, storage_failures, storage_due_at from barcode_jobs where id = $1 for update',
    [id],
  );
  return rows[0] ?? null;
}

export async function markJobFinished(
  db: Db,
  id: string,
  status: 'completed' | 'failed' | 'cancelled',
  error: { code: string; message: string } | null,
  now: Date,
): Promise<void> {
  await db.query('update barcode_jobs set status = $2, error = $3, finished_at = $4 where id = $1', [
    id,
    status,
    error === null ? null : JSON.stringify(error),
    now,
  ]);
}

/** Gives out none of the job's parts before `dueAt`. */
export async function storeStorageWait(db: Db, id: string, failures: number, dueAt: Date): Promise<void> {
  await db.query('update barcode_jobs set storage_failures = $2, storage_due_at = $3 where id = $1', [
    id,
    failures,
    dueAt,
  ]);
}

/** @param failures of which the storage took something again; newer ones stay */
export async function endStorageWait(db: Db, id: string, failures: number): Promise<void> {
  await db.query(
    `update barcode_jobs set storage_failures = 0, storage_due_at = null where id = $1 and storage_failures = $2`,
    [id, failures],
  );
}

/** Opens a failed job again: what is done stays done, everything else is due at once. */
export async function reopenJob(db: Db, id: string, now: Date): Promise<void> {
  await db.query(
    `update barcode_jobs
        set status = 'queued', error = null, finished_at = null, storage_failures = 0, storage_due_at = null
      where id = $1`,
    [id],
  );
  await db.query(
    `update barcode_job_chunks set due_at = $2, lease_until = null, attempts = 0, rendered = 0
      where job_id = $1 and state = 'pending'`,
    [id, now],
  );
}

/**
 * The options of a job that minted units of the batch, or null where none has: of several, all have the same serials. The
 * latest job may have failed before it minted anything, and decides nothing.
 */
export async function findMintingOptions(db: Db, batchId: string): Promise<JobOptions | null> {
  const { rows } = await db.query<{ options: JobOptions }>(
    `select j.options from barcode_jobs j
      where j.batch_id = $1
        and exists (select 1 from barcode_job_chunks c where c.job_id = j.id and c.minted > 0)
      order by j.id desc
      limit 1`,
    [batchId],
  );
  return rows[0]?.options ?? null;
}

export async function hasOpenJob(db: Db, batchId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from barcode_jobs where batch_id = $1 and status in ('queued', 'running')`,
    [batchId],
  );
  return rowCount !== 0;
}

/** Jobs by their ids, of any organization: for watchers that were let in already. */
export async function listJobsByIds(db: Db, ids: readonly string[]): Promise<JobRow[]> {
  const { rows } = await db.query<JobRow>(
    `${SELECT_JOB}
      where j.id = any($1::uuid[])`,
    [ids],
  );
  return rows;
}

/**
 * From now on nothing of these jobs is given out: those that finished before a time, null for none of them, and those that
 * were cancelled, once no lease is left under which a worker may still be writing.
 * @returns those whose files are still there, oldest first.
 */
export async function expireArtifacts(
  db: Db,
  finishedBefore: Date | null,
  now: Date,
  limit: number,
  except: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `update barcode_jobs set artifacts_expired_at = coalesce(artifacts_expired_at, $2)
      where id in (select j.id from barcode_jobs j
                    where j.finished_at is not null and j.files_removed_at is null and j.id <> all ($4::uuid[])
                      and (j.finished_at < $1
                           or (j.status = 'cancelled'
                               and not exists (select 1 from barcode_job_chunks c
                                                where c.job_id = j.id and c.lease_until > $2)))
                    order by j.finished_at
                    limit $3
                      for update of j skip locked)
     returning id`,
    [finishedBefore, now, limit, except],
  );
  return rows.map((row) => row.id);
}

/** The files are gone; the rows follow. */
export async function forgetArtifacts(db: Db, jobId: string, now: Date): Promise<void> {
  await db.query('delete from barcode_artifacts where job_id = $1', [jobId]);
  await db.query('update barcode_jobs set files_removed_at = $2 where id = $1', [jobId, now]);
}

/** For the sweeper: open jobs with a chunk that is due and that nobody holds; where they wait for the storage, none that is tried. */
export async function listNeglectedJobIds(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select j.id from barcode_jobs j
      where j.status in ('queued', 'running') and (j.storage_due_at is null or j.storage_due_at <= $1)
        and (j.storage_failures = 0 or not exists (select 1 from barcode_job_chunks o
                                                    where o.job_id = j.id and o.state = 'pending' and o.lease_until > $1))
        and exists (select 1 from barcode_job_chunks c
                     where c.job_id = j.id and c.state = 'pending' and c.due_at <= $1
                       and (c.lease_until is null or c.lease_until <= $1))
      order by j.id
      limit $2`,
    [now, limit],
  );
  return rows.map((row) => row.id);
}
