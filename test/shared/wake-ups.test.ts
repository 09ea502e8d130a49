import { expect } from 'chai';
import { Worker } from 'bullmq';
import { createLogger } from '../../shared/logger.ts';
import {
  closeQueues,
  createQueues,
  createWaker,
  queuePrefix,
  type Queues,
  type Waker,
} from '../../shared/queues.ts';
import { createBlockingRedis, createRedis, untilReady, type Redis } from '../../shared/redis.ts';
import { createTestRedis, type TestRedis } from '../support/redis.ts';

describe('the waker', () => {
  let testRedis: TestRedis;
  let redis: Redis;
  let blocking: Redis;
  let queues: Queues;
  let waker: Waker;
  let worker: Worker | undefined;

  before(async () => {
    testRedis = await createTestRedis();
    redis = createRedis({ REDIS_URL: testRedis.url }, () => undefined);
    blocking = createBlockingRedis({ REDIS_URL: testRedis.url }, () => undefined);
    await untilReady(redis, 5_000);
    queues = createQueues(redis, testRedis.prefix);
    waker = createWaker(queues, createLogger('test', 'silent'));
  });
  afterEach(async () => {
    await worker?.close();
    await queues['deliver-webhooks'].obliterate({ force: true });
  });
  after(async () => {
    await closeQueues(queues);
    blocking.disconnect();
    redis.disconnect();
    await testRedis.drop();
  });

  /** Runs wake-ups with `during` in the first of them. @returns the names of the first two. */
  const firstTwo = (during: () => Promise<void>): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const names: string[] = [];
      worker = new Worker(
        'deliver-webhooks',
        async (job) => {
          names.push(job.name);
          if (names.length === 1) await during();
          else resolve(names);
        },
        { connection: blocking, prefix: queuePrefix(testRedis.prefix, 'deliver-webhooks') },
      );
      worker.on('error', reject);
    });

  it('keeps a wake-up that is asked for while one of the same thing runs', async () => {
    await waker.deliverWebhooks(['a']);
    const names = await firstTwo(() => waker.deliverWebhooks(['a']));
    expect(names).to.deep.equal(['deliver-due', 'deliver-due']);
  });

  it('keeps a later wake-up that a later wake-up asks for itself: the next retry', async () => {
    await waker.deliverWebhooks(['a'], 1);
    const names = await firstTwo(() => waker.deliverWebhooks(['a'], 1));
    expect(names).to.deep.equal(['deliver-later', 'deliver-later']);
  });

  it('holds at most one wake-up of a thing, and one for later with the newest time', async () => {
    await waker.deliverWebhooks(['a', 'a']);
    await waker.deliverWebhooks(['a'], 60_000);
    await waker.deliverWebhooks(['a'], 30_000);
    const [due, later] = await Promise.all([
      queues['deliver-webhooks'].getWaiting(),
      queues['deliver-webhooks'].getDelayed(),
    ]);
    expect(due.map((job) => job.data)).to.deep.equal([{ endpointId: 'a' }]);
    expect(later.map((job) => job.opts.delay)).to.deep.equal([30_000]);
  });
});
