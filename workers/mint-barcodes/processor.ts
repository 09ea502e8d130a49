/**
 * Mints barcodes: one wake-up does one chunk and then adds the next wake-up of its slot at the queue's end, so that a
 * job of ten million units and one of a hundred take turns.
 */
import {
  claimNextChunk,
  isDeadly,
  keepChunk,
  LostChunkError,
  nextChunkDueAt,
  returnChunk,
  settleFailure,
  type ChunkDeps,
  type ClaimedChunk,
} from '../../shared/barcode-jobs/chunks.ts';
import { encodeId } from '../../shared/ids.ts';
import type { WakeUps } from '../../shared/queues.ts';
import { isStorageFull, StorageFailedError } from '../../shared/storage/storage-failure.ts';
import type { WorkerDeps } from '../deps.ts';
import { assembleJob } from './assemble-job.ts';
import { explain, WORKERS_LOST } from './explain.ts';
import { Pace } from './pace.ts';
import { folderOf, passesOf, processChunk } from './process-chunk.ts';

// Progress moves and a cancellation is heard this often.
const HEARTBEAT_MS = 300;

export type MintResult =
  | { did: 'chunk' | 'assembled' | 'lost' | 'failed' | 'returned'; job: string; chunk: number }
  | { did: 'nothing'; job: string };

export const mintBarcodes = (deps: WorkerDeps) => {
  const { config } = deps;
  const chunkDeps: ChunkDeps = {
    ...deps,
    leaseSeconds: config.LEASE_SECONDS,
    publicUrl: config.PUBLIC_URL,
    linkSeconds: config.ARTIFACT_LINK_SECONDS,
  };
  return async ({ jobId, slot }: WakeUps['mint-barcodes']): Promise<MintResult> => {
    const job = encodeId('job', jobId);
    if (deps.stopping.aborted) {
      // For another process: a wake-up that is only dropped would leave its slot asleep until the next sweep.
      await deps.waker.mintBarcodes([jobId], slot);
      return { did: 'nothing', job };
    }
    const chunk = await claimNextChunk(chunkDeps, jobId);
    if (chunk === null) {
      // One slot waits for chunks that others hold or that failed; the rest end here.
      if (slot === 0) await wakeWhenDue(deps, chunkDeps, jobId);
      return { did: 'nothing', job };
    }
    const did = await workOn(deps, chunkDeps, chunk);
    // The storage is back: the slots that ended while one part tried it go on.
    const isBack = did === 'chunk' && chunk.storage_failures > 0;
    await (isBack ? deps.waker.mintBarcodes([jobId]) : deps.waker.mintBarcodes([jobId], slot));
    if (did === 'failed') await wakeWhenDue(deps, chunkDeps, jobId);
    return { did, job, chunk: chunk.index };
  };
};

async function workOn(deps: WorkerDeps, chunkDeps: ChunkDeps, chunk: ClaimedChunk) {
  const log = deps.log.child({
    jobId: encodeId('job', chunk.job_id),
    orgId: encodeId('org', chunk.org_id),
    chunk: chunk.index,
  });
  if (isDeadly(chunk)) {
    log.error({ lostLeases: chunk.lost_leases }, 'chunk given up: every worker that took it ended');
    await settleFailure(chunkDeps, chunk, WORKERS_LOST);
    return 'failed';
  }
  const pace = new Pace(passesOf(chunk), deps.stopping);
  const heartbeat = setInterval(
    () =>
      void keepChunk(chunkDeps, chunk, Math.min(pace.rendered, chunk.units)).then(
        (kept) => {
          if (!kept) pace.lose();
        },
        (error: unknown) => log.warn({ err: error }, 'lease not extended'),
      ),
    HEARTBEAT_MS,
  );
  try {
    const started = performance.now();
    const stages =
      chunk.kind === 'units'
        ? await processChunk(deps, chunkDeps, chunk, pace)
        : await assembleJob(deps, chunkDeps, chunk);
    const ms = Math.round(performance.now() - started);
    if (chunk.kind === 'units') log.info({ units: chunk.units, ms, stages }, 'chunk done');
    else log.info({ units: chunk.total, ms }, 'job completed');
    return chunk.kind === 'units' ? 'chunk' : 'assembled';
  } catch (error) {
    const removeFiles = () =>
      deps.storage.removeAll(`${folderOf(chunk)}/`).catch((left: unknown) => {
        log.warn({ err: left }, 'files of a chunk are left to whoever ends the job, or to maintenance');
      });
    if (error instanceof LostChunkError) {
      await removeFiles();
      return 'lost';
    }
    if (deps.stopping.aborted) {
      await returnChunk(chunkDeps, chunk);
      return 'returned';
    }
    log.error(
      { err: error, attempts: chunk.attempts, storageFailures: chunk.storage_failures },
      'chunk failed',
    );
    // Else each of twenty tries would take room that the next one, or somebody else, lacks.
    if (error instanceof StorageFailedError && isStorageFull(error)) await removeFiles();
    await settleFailure(chunkDeps, chunk, explain(error, chunk.options.serials.source !== 'random'));
    return 'failed';
  } finally {
    clearInterval(heartbeat);
  }
}

async function wakeWhenDue(deps: WorkerDeps, chunkDeps: ChunkDeps, jobId: string): Promise<void> {
  const due = await nextChunkDueAt(chunkDeps, jobId);
  if (due === null) return;
  await deps.waker.mintBarcodesLater(jobId, Math.max(50, due.getTime() - deps.clock.now().getTime()));
}
