import { once } from 'node:events';
import { Worker } from 'bullmq';
import { expect } from 'chai';
import { createLogger } from '../../shared/logger.ts';
import {
  closeQueues,
  createQueues,
  createWaker,
  queuePrefix,
  type Queues,
  type Waker,
} from '../../shared/queues.ts';
import {
  createBlockingRedis,
  createRedis,
  requireNoEviction,
  untilReady,
  type Redis,
} from '../../shared/redis.ts';
import { createTestRedis, type TestRedis } from '../support/redis.ts';

const silent = createLogger('test', 'silent');

describe('wake-ups', () => {
  let testRedis: TestRedis;
  let redis: Redis;
  let queues: Queues;
  let waker: Waker;

  beforeEach(async () => {
    testRedis = await createTestRedis();
    redis = createRedis({ REDIS_URL: testRedis.url }, () => undefined);
    await untilReady(redis, 5_000);
    queues = createQueues(redis, testRedis.prefix);
    waker = createWaker(queues, silent);
  });
  afterEach(async () => {
    await closeQueues(queues);
    redis.disconnect();
    await testRedis.drop();
  });

  const waiting = async (name: keyof Queues) =>
    (await queues[name].getWaiting()).map(({ data }) => data as object);

  it('carry ids and nothing else', async () => {
    await waker.mintBarcodes(['job-1'], 3);
    await waker.fanOutEvents(['org-1']);
    await waker.deliverWebhooks(['endpoint-1']);
    expect(await waiting('mint-barcodes')).to.deep.equal([{ jobId: 'job-1', slot: 3 }]);
    expect(await waiting('fan-out-events')).to.deep.equal([{ orgId: 'org-1' }]);
    expect(await waiting('deliver-webhooks')).to.deep.equal([{ endpointId: 'endpoint-1' }]);
  });

  it('for the same thing wait once', async () => {
    for (let i = 0; i < 20; i++) await waker.deliverWebhooks(['a', 'b']);
    await Promise.all(Array.from({ length: 20 }, () => waker.scoreScans()));
    expect(await waiting('deliver-webhooks')).to.have.length(2);
    expect(await waiting('score-scans')).to.have.length(1);
  });

  it('added during a run are kept, and become one more run', async () => {
    let runs = 0;
    let release = (): void => undefined;
    let started = (): void => undefined;
    const isRunning = new Promise<void>((resolve) => (started = resolve));
    const blocking = createBlockingRedis({ REDIS_URL: testRedis.url }, () => undefined);
    const worker = new Worker(
      'deliver-webhooks',
      async () => {
        runs += 1;
        if (runs > 1) return;
        started();
        await new Promise<void>((resolve) => (release = resolve));
      },
      { connection: blocking, prefix: queuePrefix(testRedis.prefix, 'deliver-webhooks') },
    );
    worker.on('error', () => undefined);
    try {
      await waker.deliverWebhooks(['a']);
      await isRunning;
      for (let i = 0; i < 5; i++) await waker.deliverWebhooks(['a']);
      expect(runs).to.equal(1);
      const completed = once(worker, 'completed');
      release();
      await completed;
      await once(worker, 'completed');
      expect(await waiting('deliver-webhooks')).to.have.length(0);
      expect(runs).to.equal(2);
    } finally {
      await worker.close();
      blocking.disconnect();
    }
  });

  it('for later do not swallow one for now, and the newest time wins', async () => {
    await waker.deliverWebhooks(['a'], 3_600_000);
    await waker.deliverWebhooks(['a'], 60_000);
    await waker.deliverWebhooks(['a']);
    expect(await waiting('deliver-webhooks')).to.have.length(1);
    const later = await queues['deliver-webhooks'].getDelayed();
    expect(later.map(({ delay }) => delay)).to.deep.equal([60_000]);
  });

  it('for later, asked for by one for later, are kept: the next retry', async () => {
    const blocking = createBlockingRedis({ REDIS_URL: testRedis.url }, () => undefined);
    let worker: Worker | undefined;
    try {
      const names = await new Promise<string[]>((resolve, reject) => {
        AbortSignal.timeout(10_000).addEventListener('abort', () => reject(new Error('it was swallowed')));
        const seen: string[] = [];
        worker = new Worker(
          'deliver-webhooks',
          async (job) => {
            seen.push(job.name);
            if (seen.length === 1) await waker.deliverWebhooks(['a'], 1);
            else resolve(seen);
          },
          { connection: blocking, prefix: queuePrefix(testRedis.prefix, 'deliver-webhooks') },
        );
        worker.on('error', () => undefined);
        void waker.deliverWebhooks(['a'], 1);
      });
      expect(names).to.deep.equal(['deliver-later', 'deliver-later']);
    } finally {
      await worker?.close();
      blocking.disconnect();
    }
  });

  it('never throw and never hang while Redis is away', async () => {
    redis.disconnect();
    const started = performance.now();
    await waker.mintBarcodes(['job']);
    await waker.mintBarcodesLater('job', 1);
    await waker.scoreScans(4);
    await waker.fanOutEvents(['org']);
    await waker.deliverWebhooks(['endpoint'], 5);
    expect(performance.now() - started).to.be.lessThan(2_000);
  });
});

describe('Redis', () => {
  it('that may evict keys is refused with the line to type; one that says nothing is not', async () => {
    const asking = (reply: () => Promise<unknown>) => ({ config: reply }) as unknown as Redis;
    const error = await requireNoEviction(asking(async () => ['maxmemory-policy', 'allkeys-lru'])).catch(
      (thrown: Error) => thrown,
    );
    expect((error as Error).message)
      .to.include('allkeys-lru')
      .and.include('config set maxmemory-policy noeviction');
    await requireNoEviction(asking(async () => ['maxmemory-policy', 'noeviction']));
    await requireNoEviction(asking(() => Promise.reject(new Error('unknown command CONFIG'))));
  });
});
