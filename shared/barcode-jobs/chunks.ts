/**
 * The life of a chunk: claimed under a lease, worked on, settled. Its units, its artifact and its "done" mark commit
 * together, so that a job resumes where it stopped and no unit is minted twice.
 */
import { countUnits } from '../analytics/service.ts';
import type { Clock } from '../clock.ts';
import { withTransaction, type Db, type Pool, type UnitOfWork } from '../db.ts';
import { AppError } from '../errors.ts';
import { MOST_LISTED_ARTIFACTS } from '../events/event-data.ts';
import { recordEvents } from '../events/service.ts';
import { encodeId, newUuid } from '../ids.ts';
import type { Waker } from '../queues.ts';
import { pauseMsAfter } from '../storage/storage-failure.ts';
import type { StoredObject } from '../storage/storage.ts';
import {
  claimChunk,
  copyUnits,
  extendLease,
  findNextChunkDueAt,
  insertArtifact,
  listDoneEpochs,
  listMintedUnits,
  markChunkDone,
  releaseChunk,
  undoRendering,
  type ClaimedChunk,
  type MintedUnitRow,
} from './chunk-repository.ts';
import type { LinkSigner } from './download-link.ts';
import {
  endStorageWait,
  findJob,
  listFirstArtifacts,
  lockJob,
  markJobFinished,
  storeStorageWait,
  type ArtifactKind,
  type LockedJob,
} from './repository.ts';
import { listUploadedSerials } from './serial-repository.ts';

export type { ClaimedChunk, MintedUnitRow } from './chunk-repository.ts';

export interface ChunkDeps {
  db: Pool;
  clock: Clock;
  waker: Waker;
  links: LinkSigner;
  publicUrl: string;
  leaseSeconds: number;
  linkSeconds: number;
}

/** A chunk that failed this often fails its job. */
const MAX_ATTEMPTS = 5;
const RETRY_BASE_SECONDS = 1;
/** So many workers in a row of which nothing was heard again: it is the part that ends them (no memory, a fault of native code). */
const MAX_LOST_LEASES = 5;

/** The chunk is no longer this worker's: its lease ran out, or the job was cancelled. Everything rolls back. */
export class LostChunkError extends Error {
  override readonly name = 'LostChunkError';
}

const leaseUntil = ({ clock, leaseSeconds }: ChunkDeps): Date =>
  new Date(clock.now().getTime() + leaseSeconds * 1000);

/** @returns a chunk to work on, or null where none may be had now. */
export async function claimNextChunk(deps: ChunkDeps, jobId: string): Promise<ClaimedChunk | null> {
  return claimChunk(deps.db, jobId, deps.clock.now(), leaseUntil(deps));
}

/** Whether the chunk has ended every worker that took it, and is not to be tried on the next one. */
export const isDeadly = (chunk: Pick<ClaimedChunk, 'lost_leases'>): boolean =>
  chunk.lost_leases >= MAX_LOST_LEASES;

/** Extends the lease and tells the progress. @returns false where the chunk is no longer this worker's. */
export const keepChunk = (deps: ChunkDeps, chunk: ClaimedChunk, rendered: number): Promise<boolean> =>
  extendLease(deps.db, chunk, rendered, leaseUntil(deps));

export const nextChunkDueAt = (deps: ChunkDeps, jobId: string): Promise<Date | null> =>
  findNextChunkDueAt(deps.db, jobId);

/** Units of the chunk's range that exist already. */
export const mintedUnitsOf = (deps: ChunkDeps, chunk: ClaimedChunk): Promise<MintedUnitRow[]> =>
  listMintedUnits(deps.db, chunk.batch_id, chunk.first_ordinal, chunk.units);

/** Under which lease each chunk of units was done: its files are those of that lease. */
export const doneEpochsOf = (deps: ChunkDeps, jobId: string): Promise<number[]> =>
  listDoneEpochs(deps.db, jobId);

/** Serials that the customer uploaded for the chunk's ordinals, in order. */
export const uploadedSerialsOf = (
  deps: ChunkDeps,
  chunk: ClaimedChunk,
  uploadId: string,
): Promise<string[]> => listUploadedSerials(deps.db, uploadId, chunk.first_ordinal, chunk.units);

export interface StoredArtifact extends StoredObject {
  kind: ArtifactKind;
  name: string;
  mediaType: string;
  storageKey: string;
}

async function writeArtifact(
  db: Db,
  chunk: ClaimedChunk,
  artifact: StoredArtifact,
  now: Date,
): Promise<void> {
  await insertArtifact(db, { id: newUuid(), orgId: chunk.org_id, jobId: chunk.job_id, ...artifact }, now);
}

/** The storage took what a part of a job that waited for it had. */
async function tellStorageBack(
  db: Db,
  { job_id: jobId, storage_failures: failures }: ClaimedChunk,
): Promise<void> {
  if (failures > 0) await endStorageWait(db, jobId, failures);
}

/** The job's lock first, in every transaction that settles: it also holds off a cancellation. @throws LostChunkError */
async function requireRunning(db: Db, chunk: ClaimedChunk): Promise<void> {
  if ((await lockJob(db, chunk.job_id))?.status !== 'running') throw new LostChunkError();
}

/** Commits a chunk of units: the new units, its artifacts and its mark. @throws LostChunkError */
export async function settleUnits(
  deps: ChunkDeps,
  chunk: ClaimedChunk,
  newUnits: readonly MintedUnitRow[],
  artifacts: readonly StoredArtifact[],
): Promise<void> {
  await withTransaction(deps.db, async ({ db }) => {
    const now = deps.clock.now();
    if (newUnits.length > 0) {
      const status = chunk.activate ? 'active' : 'minted';
      await copyUnits(
        db,
        {
          orgId: chunk.org_id,
          batchId: chunk.batch_id,
          productId: chunk.product_id,
          status,
          activatedAt: chunk.activate ? now : null,
        },
        newUnits,
      );
      const counted = [
        { orgId: chunk.org_id, productId: chunk.product_id, at: now, amount: newUnits.length },
      ];
      await countUnits(db, 'minted', counted);
      if (chunk.activate) await countUnits(db, 'activated', counted);
    }
    // Only now, because COPY takes long and chunks run side by side.
    await requireRunning(db, chunk);
    for (const artifact of artifacts) await writeArtifact(db, chunk, artifact, now);
    await tellStorageBack(db, chunk);
    if (!(await markChunkDone(db, chunk, newUnits.length, now))) throw new LostChunkError();
  });
}

/** Commits the last chunk, and with it the job: its artifacts, its state and its event. @throws LostChunkError */
export async function settleJob(
  deps: ChunkDeps,
  chunk: ClaimedChunk,
  artifacts: readonly StoredArtifact[],
): Promise<void> {
  await withTransaction(deps.db, async (uow) => {
    const now = deps.clock.now();
    await requireRunning(uow.db, chunk);
    for (const artifact of artifacts) await writeArtifact(uow.db, chunk, artifact, now);
    await tellStorageBack(uow.db, chunk);
    if (!(await markChunkDone(uow.db, chunk, 0, now))) throw new LostChunkError();
    await markJobFinished(uow.db, chunk.job_id, 'completed', null, now);
    const expiresAt = new Date(now.getTime() + deps.linkSeconds * 1000);
    const publicJobId = encodeId('job', chunk.job_id);
    const { count, first } = await listFirstArtifacts(uow.db, chunk.job_id, MOST_LISTED_ARTIFACTS);
    await recordJobEvent(deps, uow, chunk, 'barcode_job.completed', {
      artifactCount: count,
      artifactsUrl: `${deps.publicUrl}/api/v1/barcode-jobs/${publicJobId}`,
      artifacts: first.map(({ kind, name, bytes, sha256 }) => ({
        kind,
        name,
        bytes,
        sha256,
        url: deps.links.sign(publicJobId, name, expiresAt),
      })),
    });
  });
}

async function recordJobEvent(
  deps: ChunkDeps,
  uow: UnitOfWork,
  chunk: ClaimedChunk,
  type: 'barcode_job.completed' | 'barcode_job.failed',
  extra: Record<string, unknown>,
): Promise<void> {
  const job = await findJob(uow.db, chunk.org_id, chunk.job_id);
  if (job === null || job.finished_at === null)
    throw new AppError('INTERNAL', { detail: 'a finished job has no end' });
  const startedAt = job.started_at ?? job.created_at;
  const data = {
    jobId: encodeId('job', job.id),
    batchId: encodeId('batch', job.batch_id),
    productId: encodeId('prod', chunk.product_id),
    symbology: job.symbology,
    formats: job.formats,
    total: job.total,
    done: job.done,
    startedAt: startedAt.toISOString(),
    finishedAt: job.finished_at.toISOString(),
    durationMs: Math.max(0, job.finished_at.getTime() - startedAt.getTime()),
    ...extra,
  };
  await recordEvents(deps, uow, [{ type, orgId: chunk.org_id, productId: chunk.product_id, data }]);
}

export interface ChunkFailure {
  code: string;
  /** For the organization: what happened and what to do; no stack, no path. */
  message: string;
  /** `never` where another try would end the same way; for a quarter of an hour where the `storage` failed. */
  retry: 'never' | 'soon' | 'storage';
  /** The storage lacks what other chunks have put there: once the job has failed, whoever retries it has all of it made anew. */
  partsLost?: boolean;
}

/**
 * Gives a failed chunk back with a growing pause, or fails the job: the fifth time, the twentieth where it was the storage, or at once
 * where trying is no use.
 * @returns whether the job failed. A chunk that is no longer this worker's changes nothing.
 */
export async function settleFailure(
  deps: ChunkDeps,
  chunk: ClaimedChunk,
  failure: ChunkFailure,
): Promise<boolean> {
  return withTransaction(deps.db, async (uow) => {
    const job = await lockJob(uow.db, chunk.job_id);
    if (job?.status !== 'running') return false;
    const now = deps.clock.now();
    const { pauseMs, storageFailures } = nextTry(chunk, job, failure, now);
    const dueAt = new Date(now.getTime() + (pauseMs ?? 0));
    const counts = failure.retry !== 'storage';
    if (!(await releaseChunk(uow.db, chunk, dueAt, failure.message, counts))) return false;
    if (pauseMs !== null) {
      if (storageFailures > job.storage_failures)
        await storeStorageWait(uow.db, chunk.job_id, storageFailures, dueAt);
      return false;
    }
    const error = { code: failure.code, message: failure.message };
    await markJobFinished(uow.db, chunk.job_id, 'failed', error, now);
    await recordJobEvent(deps, uow, chunk, 'barcode_job.failed', { error });
    if (failure.partsLost) await undoRendering(uow.db, chunk.job_id);
    return true;
  });
}

/** @returns `pauseMs` null where the job has failed */
function nextTry(
  { attempts, storage_failures: round }: ClaimedChunk,
  job: LockedJob,
  { retry }: ChunkFailure,
  now: Date,
): { pauseMs: number | null; storageFailures: number } {
  const storageFailures = job.storage_failures;
  if (retry === 'never') return { pauseMs: null, storageFailures };
  if (retry === 'soon')
    return {
      pauseMs: attempts >= MAX_ATTEMPTS ? null : RETRY_BASE_SECONDS * 1000 * 2 ** (attempts - 1),
      storageFailures,
    };
  // Of parts that were tried side by side one counts; the others wait with it.
  if (round !== storageFailures)
    return {
      pauseMs: Math.max(0, (job.storage_due_at ?? now).getTime() - now.getTime()),
      storageFailures,
    };
  return { pauseMs: pauseMsAfter(storageFailures + 1), storageFailures: storageFailures + 1 };
}

/** Gives a chunk back unharmed, because the process is shutting down. */
export async function returnChunk(deps: ChunkDeps, chunk: ClaimedChunk): Promise<void> {
  await releaseChunk(deps.db, chunk, deps.clock.now(), null, false);
}
