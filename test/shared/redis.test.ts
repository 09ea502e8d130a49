import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { expect } from 'chai';
import {
  createBlockingRedis,
  createRedis,
  requireDatabase,
  untilReady,
  type Redis,
  type RedisServer,
} from '../../shared/redis.ts';
import { createTestRedis, type TestRedis } from '../support/redis.ts';
import { createTestCa } from '../support/tls.ts';
import { startTunnel, type Tunnel } from '../support/tunnel.ts';

it('a database that Redis does not have is refused, and one that it has taken', async () => {
  const testRedis = await createTestRedis();
  try {
    for (const [db, expected] of [
      [1, 'taken'],
      [1_000_000, 'REDIS_URL: database 1000000: ERR DB index is out of range'],
    ] as const) {
      const redis = createRedis({ REDIS_URL: new URL(`/${db}`, testRedis.url).href }, () => undefined);
      await untilReady(redis, 5_000);
      const answer = await requireDatabase(redis).then(
        () => 'taken',
        (error: Error) => error.message,
      );
      redis.disconnect();
      expect(answer).to.equal(expected);
    }
  } finally {
    await testRedis.drop();
  }
});

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
