/** Scores what waits, batch after batch, until nothing does, and then what a batch's turn puts in question. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WakeUps } from '../../shared/queues.ts';
import { reviewLots } from '../../shared/scans/lot-review.ts';
import { scoreWaitingScans } from '../../shared/scans/scoring.ts';
import type { WorkerDeps } from '../deps.ts';

// Units locked at a time: enough to write in bulk, few enough that a scan of one of them waits some milliseconds.
const UNITS_PER_BATCH = 200;
// After a batch that was not full: the next one gathers more, for a transaction of one scan costs half of one of forty.
const GATHER_MS = 40;

export const scoreScans =
  (deps: WorkerDeps) =>
  async ({ slot }: WakeUps['score-scans']): Promise<{ slot: number; scans: number }> => {
    let scans = 0;
    for (;;) {
      const batch = await scoreWaitingScans(deps, UNITS_PER_BATCH);
      scans += batch.scans;
      if (batch.units === 0 && !(await reviewLots(deps))) return { slot, scans };
      if (deps.stopping.aborted) {
        // For another process, or what waits would wait for the next sweep.
        await deps.waker.scoreScans();
        return { slot, scans };
      }
      if (batch.units < UNITS_PER_BATCH)
        await sleep(GATHER_MS, undefined, { signal: deps.stopping }).catch(() => undefined);
    }
  };
