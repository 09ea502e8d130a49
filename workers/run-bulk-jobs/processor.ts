/** Works off one bulk job, for a few seconds at a time, so that a long one and a short one take turns. */
import {
  claimJob,
  giveBack,
  isDeadly,
  runSlice,
  settleFailure,
  type RunDeps,
} from '../../shared/bulk-jobs/run.ts';
import { encodeId } from '../../shared/ids.ts';
import type { WakeUps } from '../../shared/queues.ts';
import type { WorkerDeps } from '../deps.ts';

const TURN_MS = 3_000;

export type BulkResult = { did: 'nothing' | 'finished' | 'turn' | 'failed'; job: string };

export const runDepsOf = (deps: WorkerDeps): RunDeps => ({
  ...deps,
  tokenKeys: deps.config.TOKEN_KEYS,
  leaseSeconds: deps.config.LEASE_SECONDS,
});

export const runBulkJobs = (deps: WorkerDeps) => {
  const runDeps = runDepsOf(deps);
  return async ({ jobId }: WakeUps['run-bulk-jobs']): Promise<BulkResult> => {
    const job = encodeId('bulk', jobId);
    if (deps.stopping.aborted) {
      // For another process, at once and not at the next sweep.
      await deps.waker.runBulkJobs([jobId]);
      return { did: 'nothing', job };
    }
    const claimed = await claimJob(runDeps, jobId);
    if (claimed === null) return { did: 'nothing', job };
    let { attempts, phase } = claimed;
    const giveUp = async (cause?: unknown): Promise<BulkResult> => {
      const dueAt = await settleFailure(runDeps, { ...claimed, attempts }, cause);
      if (dueAt !== null)
        await deps.waker.runBulkJobs([jobId], Math.max(0, dueAt.getTime() - deps.clock.now().getTime()));
      return { did: 'failed', job };
    };
    if (isDeadly(claimed)) {
      deps.log.error({ bulkJobId: job }, 'bulk job given up: every worker that took it ended');
      return giveUp();
    }
    const started = performance.now();
    try {
      while (await runSlice(runDeps, { ...claimed, phase })) {
        // Only the first slice may load; the row says what comes after it. What failed before it no longer counts.
        phase = 'work';
        attempts = 0;
        if (performance.now() - started < TURN_MS && !deps.stopping.aborted) continue;
        await giveBack(runDeps, claimed);
        await deps.waker.runBulkJobs([jobId]);
        return { did: 'turn', job };
      }
    } catch (error) {
      const { storage_failures: storageFailures } = claimed;
      deps.log.error({ err: error, bulkJobId: job, attempts, storageFailures }, 'bulk job failed');
      return giveUp(error);
    }
    deps.log.info({ bulkJobId: job, ms: Math.round(performance.now() - started) }, 'bulk job at its end');
    return { did: 'finished', job };
  };
};
