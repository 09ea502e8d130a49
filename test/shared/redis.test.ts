import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { Queue, Worker } from 'bullmq';
import { expect } from 'chai';
import { createBlockingRedis, createRedis, untilReady, type RedisServer } from '../../shared/redis.ts';
import { createTestRedis, type TestRedis } from '../support/redis.ts';
import { createTestCa } from '../support/tls.ts';

describe('a Redis behind TLS with a certificate of nobody’s', () => {
  let testRedis: TestRedis;
  let server: Server;
  let url: string;
  const sockets = new Set<Socket>();

  before(async () => {
    testRedis = await createTestRedis();
    const { certPem, keyPem } = createTestCa().certFor('another.example');
    const { hostname, port } = new URL(testRedis.url);
    server = createServer({ cert: certPem, key: keyPem }, (incoming) => {
      const outgoing = connect(Number(port), hostname);
      for (const socket of [incoming, outgoing]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
      }
      incoming.pipe(outgoing).pipe(incoming);
    });
    // Who does not trust it ends the handshake.
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = new URL(testRedis.url.replace(/^redis:/, 'rediss:'));
    address.port = String((server.address() as AddressInfo).port);
    url = address.href;
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await testRedis.drop();
  });

  const whileOpen = async (servers: RedisServer, use: (redis: ReturnType<typeof createRedis>) => unknown) => {
    const redis = createRedis(servers, () => undefined);
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
