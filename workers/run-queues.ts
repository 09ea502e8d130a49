/** BullMQ's workers for some queues. */
import { Worker, type Job } from 'bullmq';
import { queuePrefix, type QueueName } from '../shared/queues.ts';
import type { Metrics } from '../shared/metrics.ts';
import { createBlockingRedis } from '../shared/redis.ts';
import type { WorkerDeps } from './deps.ts';
import type { Registry } from './registry.ts';

export interface RunningQueues {
  /** Lets wake-ups that run end, takes no new ones. */
  close(): Promise<void>;
}

export function runQueues(
  deps: WorkerDeps,
  registry: Registry,
  names: readonly QueueName[],
  metrics: Metrics,
): RunningQueues {
  const { config, log } = deps;
  const redis = createBlockingRedis(config, (error) =>
    log.warn({ err: error }, 'Redis connection of the workers'),
  );
  // What a killed worker ran blocks further wake-ups of the same thing until its lock is gone and that is noticed, so
  // both take no longer than the leases on the rows behind it.
  const longestLockMs = Math.min(30_000, config.LEASE_SECONDS * 1000);
  const workers = names.map((name) => {
    const { process, concurrency, lockMs } = registry[name] as {
      process(data: unknown): Promise<object>;
      concurrency: number;
      lockMs?: number;
    };
    const lockDuration = Math.ceil(Math.min(lockMs ?? longestLockMs, longestLockMs));
    const worker = new Worker(name, (job: Job) => process(job.data), {
      connection: redis,
      prefix: queuePrefix(config.QUEUE_PREFIX, name),
      concurrency,
      lockDuration,
      // Whole milliseconds: Redis refuses others, and nothing would ever be found stalled.
      stalledInterval: Math.ceil(lockDuration / 3),
      // A wake-up that died with its worker needs no second life here: the sweeper wakes its rows.
      maxStalledCount: 1,
    });
    worker.on('error', (error) => log.warn({ err: error, queue: name }, 'queue'));
    worker.on('completed', () => metrics.wakeUps.inc({ queue: name, outcome: 'completed' }));
    worker.on('failed', (job, error) => {
      metrics.wakeUps.inc({ queue: name, outcome: 'failed' });
      log.error({ err: error, queue: name, wakeUp: job?.data as unknown }, 'wake-up failed');
    });
    return worker;
  });
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      redis.disconnect();
    },
  };
}
