import { expect } from 'chai';
import { createScanLimiter } from '../../../api/verify/limiter.ts';
import { createRedis, untilReady } from '../../../shared/redis.ts';
import { startTunnel, type Tunnel } from '../../support/tunnel.ts';
import { createTestRedis, type TestRedis } from '../../support/redis.ts';

describe('the limit of scans', () => {
  let testRedis: TestRedis;
  let tunnel: Tunnel;
  let redis: ReturnType<typeof createRedis>;

  before(async () => {
    testRedis = await createTestRedis();
    tunnel = await startTunnel(testRedis.url);
    redis = createRedis({ REDIS_URL: tunnel.url }, () => undefined);
    await untilReady(redis, 10_000);
  });
  after(async () => {
    redis.disconnect();
    await tunnel.close();
    await testRedis.drop();
  });

  it('remembers whom it refused, until the window ends', async () => {
    const limiter = createScanLimiter({ redis, prefix: `${testRedis.prefix}:refused`, perMinute: 1 });
    const [greedy, other] = ['192.0.2.8', '192.0.2.9'];
    await limiter.count(greedy);
    expect(limiter.isRefused(greedy)).to.equal(false);
    const { seconds } = await limiter.count(greedy);
    expect(limiter.isRefused(greedy)).to.equal(true);
    expect(limiter.isRefused(other)).to.equal(false);
    const { now } = Date;
    Date.now = () => now() + seconds * 1000 + 1;
    try {
      expect(limiter.isRefused(greedy)).to.equal(false);
    } finally {
      Date.now = now;
    }
  });

  it('counts what one customer has of IPv6 as one address', async () => {
    const limiter = createScanLimiter({ redis, prefix: `${testRedis.prefix}:ipv6`, perMinute: 9 });
    const counts: number[] = [];
    for (const ip of ['2001:db8:0:100::1', '2001:db8:0:1ff::2', '2001:db8:0:200::1', '::ffff:192.0.2.6'])
      counts.push((await limiter.count(ip)).count);
    expect(counts).to.deep.equal([1, 2, 1, 1]);
    expect((await limiter.count('192.0.2.6')).count).to.equal(2);
  });

  it('goes on in this process where Redis does not answer, and keeps nobody waiting for it', async () => {
    const limiter = createScanLimiter({ redis, prefix: testRedis.prefix, perMinute: 2 });
    const count = async () => (await limiter.count('192.0.2.7')).count;
    expect(await count()).to.equal(1);
    tunnel.silence();
    let commandGaveUp = false;
    const command = redis.ping().catch(() => {
      commandGaveUp = true;
    });
    expect(await count()).to.equal(1);
    for (let i = 2; i < 20; i += 1) expect(await count()).to.equal(i);
    expect(commandGaveUp).to.equal(false);
    await command;
    expect(commandGaveUp).to.equal(true);
    const { now } = Date;
    Date.now = () => now() + 60_001;
    try {
      expect(await count()).to.equal(1);
    } finally {
      Date.now = now;
    }
  });
});
