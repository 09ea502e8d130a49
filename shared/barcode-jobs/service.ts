/** Barcode jobs as callers see them: start one, watch it, cancel it, fetch what it made. */
import { lockAndGetBatch } from '../batches/service.ts';
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError, constraintOf, invalidTransition } from '../errors.ts';
import { newUuid } from '../ids.ts';
import type { Waker } from '../queues.ts';
import {
  findArtifact,
  findJob,
  insertJob,
  listArtifacts,
  lockJobStatus,
  markJobFinished,
  type ArtifactRow,
  type ImageFormat,
  type JobRow,
} from './repository.ts';

export {
  listArtifacts,
  listJobs,
  listNeglectedJobIds,
  type ArtifactRow,
  type ImageFormat,
  type JobFilter,
  type JobRow,
  type JobStatus,
} from './repository.ts';

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const IMAGE_FORMATS = ['png', 'svg'] as const satisfies ImageFormat[];

export interface JobDeps {
  clock: Clock;
  waker: Waker;
  /** The largest chunk, in units. */
  chunkUnits: number;
}

export interface JobRequest {
  symbology: string;
  formats: readonly ImageFormat[];
  scale: number;
  activate: boolean;
}

/** Small jobs are cut smaller, so that their progress moves and several workers share them. */
const chunkSize = (total: number, most: number): number =>
  Math.min(most, Math.max(250, Math.ceil(total / 8)));

/**
 * Starts a job for all units of a batch. Units that an earlier job minted are rendered again, never minted twice.
 * @throws AppError NOT_FOUND for the batch, CONFLICT while another job of the batch is open
 */
export async function startBarcodeJob(
  { clock, waker, chunkUnits }: JobDeps,
  uow: UnitOfWork,
  orgId: string,
  batchId: string,
  request: JobRequest,
): Promise<JobRow> {
  const batch = await lockAndGetBatch(uow.db, orgId, batchId);
  const id = newUuid();
  await insertJob(uow.db, {
    id,
    orgId,
    batchId,
    symbology: request.symbology,
    formats: request.formats,
    options: { scale: request.scale },
    activate: request.activate,
    total: batch.quantity,
    chunkUnits: chunkSize(batch.quantity, chunkUnits),
    now: clock.now(),
  }).catch((error: unknown) => {
    if (constraintOf(error) !== 'barcode_jobs_one_open') throw error;
    throw new AppError('CONFLICT', {
      detail: 'another barcode job of this batch is still open',
      cause: error,
    });
  });
  uow.afterCommit(() => waker.mintBarcodes([id]));
  return getBarcodeJob(uow.db, orgId, id);
}

/** @throws AppError NOT_FOUND */
export async function getBarcodeJob(db: Db, orgId: string, id: string): Promise<JobRow> {
  const job = await findJob(db, orgId, id);
  if (job === null) throw new AppError('NOT_FOUND', { detail: 'no such barcode job' });
  return job;
}

/**
 * Cancels an open job. Chunks that are done keep their units; one in the middle writes nothing. A cancelled job stays
 * cancelled, a finished one cannot be cancelled.
 * @throws AppError NOT_FOUND, INVALID_TRANSITION
 */
export async function cancelBarcodeJob(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
): Promise<JobRow> {
  await getBarcodeJob(db, orgId, id);
  const status = await lockJobStatus(db, id);
  if (status === 'completed' || status === 'failed') throw invalidTransition(status, 'cancelled');
  if (status !== 'cancelled') await markJobFinished(db, id, 'cancelled', null, clock.now());
  return getBarcodeJob(db, orgId, id);
}

/** @throws AppError NOT_FOUND, also before the job is completed */
export async function getArtifact(db: Db, jobId: string, name: string): Promise<ArtifactRow> {
  const artifact = await findArtifact(db, jobId, name);
  if (artifact === null) throw new AppError('NOT_FOUND', { detail: 'no such artifact' });
  return artifact;
}

/** Artifacts of several jobs, by the job's UUID. */
export async function artifactsByJob(db: Db, jobs: readonly JobRow[]): Promise<Map<string, ArtifactRow[]>> {
  const completed = jobs.filter((job) => job.status === 'completed').map((job) => job.id);
  const byJob = new Map(completed.map((id) => [id, [] as ArtifactRow[]]));
  if (completed.length > 0)
    for (const artifact of await listArtifacts(db, completed)) byJob.get(artifact.job_id)!.push(artifact);
  return byJob;
}
