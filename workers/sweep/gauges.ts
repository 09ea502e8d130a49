/** What waits, for Prometheus: read from Redis and Postgres at each scrape of `worker-maintenance`. */
import { Gauge } from 'prom-client';
import type { Metrics } from '../../shared/metrics.ts';
import { QUEUE_NAMES } from '../../shared/queues.ts';
import { findOldestUnscored } from '../../shared/scans/scoring.ts';
import type { WorkerDeps } from '../deps.ts';

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

export function registerGauges({ queues, db, clock }: WorkerDeps, { registry }: Metrics): void {
  registry.registerMetric(
    new Gauge({
      name: 'touchstone_queue_wake_ups',
      help: 'Wake-ups in a queue, by state',
      labelNames: ['queue', 'state'],
      registers: [],
      async collect() {
        for (const queue of QUEUE_NAMES) {
          const counts = await queues[queue].getJobCounts(...STATES);
          for (const state of STATES) this.set({ queue, state }, counts[state] ?? 0);
        }
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'touchstone_oldest_unscored_scan_seconds',
      help: 'How long the oldest scan has waited to be scored; 0 when none waits',
      registers: [],
      async collect() {
        const since = await findOldestUnscored(db);
        this.set(since === null ? 0 : Math.max(0, (clock.now().getTime() - since.getTime()) / 1000));
      },
    }),
  );
}
