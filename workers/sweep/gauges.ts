/**
 * What waits, for Prometheus: read from Redis and Postgres at each scrape of `worker-maintenance`. What cannot be read is left
 * out: one collector that throws takes every metric of the process along.
 */
import { Gauge } from 'prom-client';
import { inTime } from '../../shared/in-time.ts';
import type { Metrics } from '../../shared/metrics.ts';
import { QUEUE_NAMES } from '../../shared/queues.ts';
import { findOldestUnsent } from '../../shared/mail/sending.ts';
import { findOldestUnscored } from '../../shared/scans/scoring.ts';
import type { WorkerDeps } from '../deps.ts';

// Far below the 10 s after which Prometheus gives a scrape up.
const TIMEOUT_MS = 2_000;
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

const read = <T>(part: Promise<T>): Promise<T | undefined> => inTime(part, TIMEOUT_MS).catch(() => undefined);

type GaugeDeps = Pick<WorkerDeps, 'queues' | 'db' | 'clock'>;

export function registerGauges({ queues, db, clock }: GaugeDeps, { registry }: Metrics): void {
  registry.registerMetric(
    new Gauge({
      name: 'touchstone_queue_wake_ups',
      help: 'Wake-ups in a queue, by state',
      labelNames: ['queue', 'state'],
      registers: [],
      async collect() {
        const depths = await read(
          Promise.all(
            QUEUE_NAMES.map(async (queue) => ({
              queue,
              counts: await queues[queue].getJobCounts(...STATES),
            })),
          ),
        );
        this.reset();
        for (const { queue, counts } of depths ?? [])
          for (const state of STATES) this.set({ queue, state }, counts[state] ?? 0);
      },
    }),
  );
  const registerAge = (name: string, help: string, oldest: () => Promise<Date | null>) =>
    registry.registerMetric(
      new Gauge({
        name,
        help: `${help}; 0 when none waits`,
        registers: [],
        async collect() {
          const since = await read(oldest());
          // Not reset(): that says 0, and nobody knows.
          if (since === undefined) this.remove();
          else this.set(since === null ? 0 : Math.max(0, (clock.now().getTime() - since.getTime()) / 1000));
        },
      }),
    );
  registerAge(
    'touchstone_oldest_unscored_scan_seconds',
    'How long the oldest scan has waited to be scored',
    () => findOldestUnscored(db),
  );
  registerAge('touchstone_oldest_unsent_mail_seconds', 'How long the oldest mail has waited to be sent', () =>
    findOldestUnsent(db),
  );
}
