/** Scores what waits, batch after batch, until nothing does. */
import type { WakeUps } from '../../shared/queues.ts';
import { scoreWaitingScans } from '../../shared/scans/scoring.ts';
import type { WorkerDeps } from '../deps.ts';

// Units locked at a time: enough to write in bulk, few enough that a scan of one of them waits some milliseconds.
const UNITS_PER_BATCH = 200;

export const scoreScans =
  (deps: WorkerDeps) =>
  async ({ slot }: WakeUps['score-scans']): Promise<{ slot: number; scans: number }> => {
    let scans = 0;
    for (;;) {
      const batch = await scoreWaitingScans(deps, UNITS_PER_BATCH);
      scans += batch.scans;
      if (batch.units === 0) return { slot, scans };
      if (deps.stopping.aborted) {
        // For another process, or what waits would wait for the next sweep.
        await deps.waker.scoreScans();
        return { slot, scans };
      }
    }
  };
