/**
 * Mints barcodes: one wake-up does one chunk and then adds the next wake-up of its slot at the queue's end, so that a
 * job of ten million units and one of a hundred take turns.
 */
import {
  claimNextChunk,
  keepChunk,
  LostChunkError,
  nextChunkDueAt,
  returnChunk,
  settleFailure,
  type ChunkDeps,
  type ChunkFailure,
  type ClaimedChunk,
} from '../../shared/barcode-jobs/chunks.ts';
import { BarcodeError } from '../../shared/barcodes/barcode-error.ts';
import { encodeId } from '../../shared/ids.ts';
import type { WakeUps } from '../../shared/queues.ts';
import type { WorkerDeps } from '../deps.ts';
import { assembleJob } from './assemble-job.ts';
import { processChunk } from './process-chunk.ts';

export type MintResult =
  | { did: 'chunk' | 'assembled' | 'lost' | 'failed' | 'returned'; job: string; chunk: number }
  | { did: 'nothing'; job: string };

export const mintBarcodes = (deps: WorkerDeps) => {
  const { config } = deps;
  const chunkDeps: ChunkDeps = {
    ...deps,
    leaseSeconds: config.LEASE_SECONDS,
    linkSeconds: config.ARTIFACT_LINK_SECONDS,
  };
  return async ({ jobId, slot }: WakeUps['mint-barcodes']): Promise<MintResult> => {
    const job = encodeId('job', jobId);
    const chunk = deps.stopping.aborted ? null : await claimNextChunk(chunkDeps, jobId);
    if (chunk === null) {
      // One slot waits for chunks that others hold or that failed; the rest end here.
      if (slot === 0 && !deps.stopping.aborted) await wakeWhenDue(deps, chunkDeps, jobId);
      return { did: 'nothing', job };
    }
    const did = await workOn(deps, chunkDeps, chunk);
    if (!deps.stopping.aborted) await deps.waker.mintBarcodes([jobId], slot);
    return { did, job, chunk: chunk.index };
  };
};

async function workOn(deps: WorkerDeps, chunkDeps: ChunkDeps, chunk: ClaimedChunk) {
  const log = deps.log.child({
    jobId: encodeId('job', chunk.job_id),
    orgId: encodeId('org', chunk.org_id),
    chunk: chunk.index,
  });
  const heartbeat = setInterval(
    () =>
      void keepChunk(chunkDeps, chunk).catch((error: unknown) =>
        log.warn({ err: error }, 'lease not extended'),
      ),
    (chunkDeps.leaseSeconds * 1000) / 3,
  );
  try {
    const started = performance.now();
    if (chunk.kind === 'units') await processChunk(deps, chunkDeps, chunk);
    else await assembleJob(deps, chunkDeps, chunk);
    log.info(
      { units: chunk.units, ms: Math.round(performance.now() - started) },
      chunk.kind === 'units' ? 'chunk done' : 'job completed',
    );
    return chunk.kind === 'units' ? 'chunk' : 'assembled';
  } catch (error) {
    if (error instanceof LostChunkError) return 'lost';
    if (deps.stopping.aborted) {
      await returnChunk(chunkDeps, chunk);
      return 'returned';
    }
    log.error({ err: error, attempts: chunk.attempts }, 'chunk failed');
    await settleFailure(chunkDeps, chunk, explain(error));
    return 'failed';
  } finally {
    clearInterval(heartbeat);
  }
}

/** What the organization is told; the stack stays in the log. */
function explain(error: unknown): ChunkFailure {
  if (error instanceof BarcodeError) return { code: error.code, message: error.message, retryable: false };
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
    return {
      code: 'STORAGE_FULL',
      message:
        'The storage for artifacts is full. Start the job again when the operator has made room; units that were minted are kept.',
      retryable: true,
    };
  }
  return {
    code: 'MINTING_FAILED',
    message:
      'The codes could not be made. Start the job again; units that were minted are kept. If it fails again, contact the operator with the job’s id.',
    retryable: true,
  };
}

async function wakeWhenDue(deps: WorkerDeps, chunkDeps: ChunkDeps, jobId: string): Promise<void> {
  const due = await nextChunkDueAt(chunkDeps, jobId);
  if (due === null) return;
  await deps.waker.mintBarcodesLater(jobId, Math.max(50, due.getTime() - deps.clock.now().getTime()));
}
