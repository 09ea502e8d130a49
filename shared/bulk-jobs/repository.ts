import type { Db } from '../db.ts';
import type { Refusal } from '../field-errors.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import type { ListedItem } from './listed-item.ts';
import type { SerialRange, UnitSource } from './source.ts';

export type BulkAction = 'activate' | 'suspend' | 'recall' | 'lift-recall' | 'consign' | 'preview-recall';
export type BulkStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

/** A line, or a unit, that the action could not be done to. */
export interface BulkProblem extends Refusal {
  /** Of the list, from 1; null for a unit that was found without one. */
  line: number | null;
  ref: string;
}

export interface BulkParams {
  /** `activate`: leave alone what is not `minted`. */
  onlyMinted?: boolean;
  /** `recall` */
  reason?: string | null;
  messages?: Record<string, string>;
  contact?: string | null;
  /** `load`: where the uploaded list lies. */
  uploadPrefix?: string;
  uploadFormat?: 'csv' | 'ndjson';
}

export interface BulkJobRow {
  id: string;
  org_id: string;
  action: BulkAction;
  source: UnitSource;
  params: BulkParams;
  consignment_id: string | null;
  phase: 'load' | 'work' | 'undo';
  status: BulkStatus;
  total: number | null;
  done: number;
  changed: number;
  unchanged: number;
  refused: number;
  cursor: string | null;
  problems: BulkProblem[];
  result: Record<string, unknown>;
  error: { code: string; message: string } | null;
  lease_epoch: number;
  attempts: number;
  /** Of reading its list, where it was the storage; not among the attempts. */
  storage_failures: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  /** A job that takes units back goes on until it has. */
  cancel_requested_at: Date | null;
}

/** Where the list lies that a job is to load. */
export function uploadPrefixOf({ params: { uploadPrefix } }: BulkJobRow): string {
  if (uploadPrefix === undefined) throw new TypeError('a job that loads has no upload');
  return uploadPrefix;
}

export interface NewBulkJob {
  id: string;
  orgId: string;
  action: BulkAction;
  source: UnitSource;
  params: BulkParams;
  consignmentId: string | null;
  phase: 'load' | 'work';
  now: Date;
}

export async function insertBulkJob(db: Db, job: NewBulkJob): Promise<void> {
  await db.query(
    `insert into bulk_jobs (id, org_id, action, source, params, consignment_id, phase, due_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      job.id,
      job.orgId,
      job.action,
      JSON.stringify(job.source),
      JSON.stringify(job.params),
      job.consignmentId,
      job.phase,
      job.now,
    ],
  );
}

/** Writes the lines of a list that came with its request. */
export async function insertItems(db: Db, jobId: string, items: readonly ListedItem[]): Promise<void> {
  await db.query(
    `insert into bulk_job_items (job_id, line, ref, key, problem, problem_code)
     select $1, t.line, t.ref, t.key, t.problem, t.problem_code
       from unnest($2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
            as t (ref, key, problem, problem_code, line)`,
    [
      jobId,
      items.map(({ ref }) => ref),
      items.map(({ key }) => key),
      items.map(({ problem }) => problem?.message ?? null),
      items.map(({ problem }) => problem?.code ?? null),
    ],
  );
}

export async function findBulkJob(db: Db, orgId: string, id: string): Promise<BulkJobRow | null> {
  const { rows } = await db.query<BulkJobRow>('select * from bulk_jobs where org_id = $1 and id = $2', [
    orgId,
    id,
  ]);
  return rows[0] ?? null;
}

export async function listBulkJobs(
  db: Db,
  orgId: string,
  filter: { consignmentId?: string | undefined; status?: BulkStatus | undefined },
  page: PageRequest,
): Promise<Page<BulkJobRow>> {
  const { rows } = await db.query<BulkJobRow>(
    `select * from bulk_jobs
      where org_id = $1
        and ($2::uuid is null or id < $2)
        and ($3::uuid is null or consignment_id = $3)
        and ($4::text is null or status = $4)
      order by id desc
      limit $5`,
    [orgId, page.beforeId, filter.consignmentId ?? null, filter.status ?? null, page.limit + 1],
  );
  return pageOf(rows, page);
}

/** Whether units are being added to a consignment right now. */
export async function hasOpenJob(db: Db, consignmentId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from bulk_jobs where consignment_id = $1 and status in ('queued', 'running')`,
    [consignmentId],
  );
  return rowCount! > 0;
}

/** Whether one of these things is being done to the units of a batch as a whole. */
export async function hasOpenJobOfBatch(
  db: Db,
  orgId: string,
  batchId: string,
  actions: readonly BulkAction[],
): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from bulk_jobs
      where org_id = $1 and status in ('queued', 'running') and action = any($3::text[])
        and source ->> 'kind' = 'batch' and source ->> 'batchId' = $2`,
    [orgId, batchId, actions],
  );
  return rowCount! > 0;
}

/** Ranges of a product's serials, of open jobs that do one of these things to their units. */
export async function listOpenRanges(
  db: Db,
  orgId: string,
  productId: string,
  actions: readonly BulkAction[],
): Promise<SerialRange[]> {
  const { rows } = await db.query<{ source: SerialRange }>(
    `select source from bulk_jobs
      where org_id = $1 and status in ('queued', 'running') and action = any($3::text[])
        and source ->> 'kind' = 'serials' and source ->> 'productId' = $2`,
    [orgId, productId, actions],
  );
  return rows.map(({ source }) => source);
}

/** Claims a due job; a worker that ended with it counts as an attempt. @returns null where it is finished, not due or another worker's. */
export async function claimBulkJob(
  db: Db,
  id: string,
  now: Date,
  leaseUntil: Date,
): Promise<BulkJobRow | null> {
  const { rows } = await db.query<BulkJobRow>(
    `update bulk_jobs
        set status = 'running', started_at = coalesce(started_at, $2), lease_until = $3, lease_epoch = lease_epoch + 1,
            attempts = attempts + case when lease_until is null then 0 else 1 end
      where id = $1 and status in ('queued', 'running') and due_at <= $2 and (lease_until is null or lease_until <= $2)
     returning *`,
    [id, now, leaseUntil],
  );
  return rows[0] ?? null;
}

/**
 * A place in the line for a job. Of its row alone a worker would get hold slice after slice, past somebody who waits to cancel it: a
 * row goes to whoever asks first when it is free, an advisory lock to who waits longest.
 */
async function queueForJob(db: Db, id: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('bulk-jobs:' || $1, 0))`, [id]);
}

/** Holds a claimed job until the transaction ends. @returns null where the lease was lost. */
export async function lockClaimedJob(db: Db, job: BulkJobRow): Promise<BulkJobRow | null> {
  await queueForJob(db, job.id);
  const { rows } = await db.query<BulkJobRow>(
    `select * from bulk_jobs where id = $1 and lease_epoch = $2 and status = 'running' for update`,
    [job.id, job.lease_epoch],
  );
  return rows[0] ?? null;
}

/** Stores how far a job has come. @param leaseUntil until when it stays claimed; null gives it back. */
export async function storeProgress(db: Db, job: BulkJobRow, leaseUntil: Date | null): Promise<void> {
  await db.query(
    `update bulk_jobs
        set phase = $2, total = $3, done = $4, changed = $5, unchanged = $6, refused = $7, cursor = $8, problems = $9,
            result = $10, attempts = 0, lease_until = $11
      where id = $1`,
    [
      job.id,
      job.phase,
      job.total,
      job.done,
      job.changed,
      job.unchanged,
      job.refused,
      job.cursor,
      JSON.stringify(job.problems),
      JSON.stringify(job.result),
      leaseUntil,
    ],
  );
}

/**
 * A sign of life. One that was under way when the job was given back takes nothing again.
 * @returns false where the job is not the worker's any more.
 */
export async function extendBulkLease(db: Db, job: BulkJobRow, leaseUntil: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update bulk_jobs set lease_until = $3
      where id = $1 and lease_epoch = $2 and status = 'running' and lease_until is not null`,
    [job.id, job.lease_epoch, leaseUntil],
  );
  return rowCount! > 0;
}

/** @param error null for a job that did what it was asked to. */
export async function markBulkJobFinished(
  db: Db,
  id: string,
  error: { code: string; message: string } | null,
  now: Date,
): Promise<void> {
  await db.query(
    `update bulk_jobs set status = $2, error = $3, finished_at = $4, lease_until = null where id = $1`,
    [id, error === null ? 'completed' : 'failed', error === null ? null : JSON.stringify(error), now],
  );
}

/** Holds a job until the transaction ends: no slice of it is stored meanwhile, and nobody else cancels it. */
export async function lockBulkJob(db: Db, orgId: string, id: string): Promise<BulkJobRow | null> {
  // Another organization's is not waited for.
  if ((await findBulkJob(db, orgId, id)) === null) return null;
  await queueForJob(db, id);
  const { rows } = await db.query<BulkJobRow>(
    'select * from bulk_jobs where org_id = $1 and id = $2 for update',
    [orgId, id],
  );
  return rows[0] ?? null;
}

/** Ends a job that nothing is to be taken back of, whoever works on it: the lease is nobody's any more. */
export async function markBulkJobCancelled(db: Db, id: string, now: Date): Promise<void> {
  await db.query(
    `update bulk_jobs
        set status = 'cancelled', finished_at = $2, cancel_requested_at = coalesce(cancel_requested_at, $2), error = null,
            lease_until = null, lease_epoch = lease_epoch + 1
      where id = $1`,
    [id, now],
  );
}

/** Has whoever claims the job next take back what it did, from where that stands where it has begun. */
export async function markBulkJobToUndo(db: Db, id: string, now: Date): Promise<void> {
  await db.query(
    `update bulk_jobs
        set cancel_requested_at = $2, phase = 'undo', cursor = case when phase = 'undo' then cursor end, result = '{}',
            due_at = $2, attempts = 0, lease_until = null, lease_epoch = lease_epoch + 1
      where id = $1`,
    [id, now],
  );
}

/** Gives a job back, to be due again at `dueAt`. @param why what this counts as; nothing where it was only broken off */
export async function releaseBulkJob(
  db: Db,
  job: BulkJobRow,
  dueAt: Date,
  why: 'failed' | 'storage failed' | 'broken off',
): Promise<void> {
  await db.query(
    `update bulk_jobs
        set lease_until = null, due_at = $3, attempts = attempts + $4, storage_failures = storage_failures + $5
      where id = $1 and lease_epoch = $2 and status = 'running'`,
    [job.id, job.lease_epoch, dueAt, why === 'failed' ? 1 : 0, why === 'storage failed' ? 1 : 0],
  );
}

/** For the sweeper: open jobs that are due and that nobody holds. */
export async function listNeglectedBulkJobIds(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from bulk_jobs
      where status in ('queued', 'running') and due_at <= $1 and (lease_until is null or lease_until <= $1)
      order by due_at
      limit $2`,
    [now, limit],
  );
  return rows.map((row) => row.id);
}
