import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { expect } from 'chai';
import {
  createBlockingRedis,
  createRedis,
  untilReady,
  type Redis,
  type RedisServer,
} from '../../shared/redis.ts';
import { createTestRedis, type TestRedis } from '../support/redis.ts';
import { createTestCa } from '../support/tls.ts';
import { startTunnel, type Tunnel } from '../support/tunnel.ts';

describe('a Redis behind TLS with a certificate of nobody’s', () => {
  let testRedis: TestRedis;
  let tunnel: Tunnel;
  let url: string;

  before(async () => {
    testRedis = await createTestRedis();
    tunnel = await startTunnel(testRedis.url, createTestCa().certFor('another.example'));
    url = tunnel.url.replace(/^redis:/, 'rediss:');
  });
  after(async () => {
    await tunnel.close();
    await testRedis.drop();
  });

  const whileOpen = async (server: RedisServer, use: (redis: Redis) => unknown) => {
    const redis = createRedis(server, () => undefined);
    try {
      await use(redis);
    } finally {
      redis.disconnect();
    }
  };

  it('is refused, with the reason', () =>
    whileOpen({ REDIS_URL: url }, async (redis) => {
      const refused = await untilReady(redis, 1_000).then(
        () => 'ready',
        (error: Error) => error.message,
      );
      expect(refused).to.match(/^REDIS_URL: .*(?:certificate|altnames)/);
    }));

  it('takes wake-ups where the certificate is not to be checked', () =>
    whileOpen({ REDIS_URL: url, REDIS_TLS: 'no-verify' }, async (redis) => {
      await untilReady(redis, 5_000);
      const blocking = createBlockingRedis({ REDIS_URL: url, REDIS_TLS: 'no-verify' }, () => undefined);
      const queue = new Queue('tls', { connection: redis, prefix: testRedis.prefix });
      // Its connections that block are copies of this one.
      const worker = new Worker('tls', async ({ data }) => data as unknown, {
        connection: blocking,
        prefix: testRedis.prefix,
      });
      try {
        const completed = once(worker, 'completed');
        await queue.add('one', { number: 1 });
        expect((await completed)[1]).to.deep.equal({ number: 1 });
      } finally {
        await worker.close();
        await queue.close();
        blocking.disconnect();
      }
    }));

  it('is not asked for TLS where it has none', () =>
    whileOpen({ REDIS_URL: testRedis.url, REDIS_TLS: 'no-verify' }, (redis) => untilReady(redis, 5_000)));
});
