import { expect } from 'chai';
import { createTestApi, type TestApi, type TestUnit } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';
import { testServices } from '../../support/services.ts';
import { startTunnel } from '../../support/tunnel.ts';

const LIMIT = 4;

describe('rate limits of public routes', () => {
  let api: TestApi;
  let direct: TestApi;
  let unit: TestUnit;

  before(async () => {
    const env = { RATE_LIMIT_VERIFY_PER_MINUTE: String(LIMIT) };
    api = await createTestApi({ env });
    direct = await createTestApi({ env: { ...env, TRUST_PROXY: '0' } });
    const org = await api.createOrganization();
    [unit] = (await org.mintUnits()).units as [TestUnit];
  });
  beforeEach(async () => {
    for (const { redis } of [api, direct]) {
      const keys = await redis.client.keys(`${redis.prefix}:limit:*`);
      if (keys.length > 0) await redis.client.unlink(...keys);
    }
  });
  after(async () => {
    await api.close();
    await direct.close();
  });

  const exhaust = async (from: string) => {
    for (let i = 0; i < LIMIT; i++) await api.verify(unit.token, from).expect(200);
  };

  it('lets as many through as it says, and tells how many are left and when to come again', async () => {
    const first = await api.verify(unit.token, '192.0.2.9').expect(200);
    expect(first.headers['ratelimit']).to.match(new RegExp(`^"verify"; r=${LIMIT - 1}; t=\\d+$`));
    expect(first.headers['ratelimit-policy']).to.match(new RegExp(`^"verify"; q=${LIMIT}; w=60`));
    for (let i = 1; i < LIMIT; i++) await api.verify(unit.token, '192.0.2.9').expect(200);
    const refused = await api.verify(unit.token, '192.0.2.9');
    expectProblem(refused, 'RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect(refused.headers['ratelimit']).to.include('r=0');
  });

  it('counts misses as hits are counted, and records nothing of what it refuses', async () => {
    for (let i = 0; i < LIMIT; i++) await api.verify('unknown', '192.0.2.10').expect(404);
    const count = async () =>
      (await api.database.pool.query('select count(*)::int as n from scans')).rows[0].n as number;
    const before = await count();
    expectProblem(await api.verify(unit.token, '192.0.2.10'), 'RATE_LIMITED');
    expect(await count()).to.equal(before);
  });

  it('counts each address for itself', async () => {
    await exhaust('192.0.2.11');
    expectProblem(await api.verify(unit.token, '192.0.2.11'), 'RATE_LIMITED');
    await api.verify(unit.token, '192.0.2.12').expect(200);
  });

  it('takes an IPv6 prefix for one address: turning the rest of it gains nothing', async () => {
    for (let i = 0; i < LIMIT; i++) await api.verify(unit.token, `2001:db8:aa:bb0${i}::${i}`).expect(200);
    expectProblem(await api.verify(unit.token, '2001:db8:aa:bbff::ffff'), 'RATE_LIMITED');
    await api.verify(unit.token, '2001:db8:ab:100::1').expect(200);
  });

  it('believes no X-Forwarded-For without a proxy in front', async () => {
    for (let i = 0; i < LIMIT; i++) await direct.verify('unknown', `198.51.100.${i}`).expect(404);
    expectProblem(await direct.verify('unknown', '198.51.100.99'), 'RATE_LIMITED');
  });

  it('believes the proxy’s own entry and no more of what the visitor put before it', async () => {
    for (let i = 0; i < LIMIT; i++) {
      await api.verify(unit.token, `203.0.113.${i}, 192.0.2.13`).expect(200);
    }
    expectProblem(await api.verify(unit.token, '203.0.113.77, 192.0.2.13'), 'RATE_LIMITED');
  });

  it('limits downloads as calls of the API, each address for itself: a job may have more parts than anybody verifies', async () => {
    const few = await createTestApi({ env: { RATE_LIMIT_API_PER_MINUTE: '6' } });
    try {
      const ask = (from: string) => few.http().get('/artifacts/job_x/y').set('X-Forwarded-For', from);
      for (let i = 0; i < 6; i++) expectProblem(await ask('192.0.2.14'), 'FORBIDDEN');
      expectProblem(await ask('192.0.2.14'), 'RATE_LIMITED');
      expectProblem(await ask('192.0.2.15'), 'FORBIDDEN');
    } finally {
      await few.close();
    }
  });
});

describe('rate limits with Redis away', () => {
  it('keeps verification up, and each process counts for itself', async () => {
    const api = await createTestApi({ env: { RATE_LIMIT_VERIFY_PER_MINUTE: String(LIMIT) } });
    try {
      const org = await api.createOrganization();
      const { units } = await org.mintUnits();
      api.deps.redis.disconnect();
      const started = performance.now();
      for (let i = 0; i < LIMIT; i++) {
        const { body } = await api.verify(units[0]!.token, '192.0.2.20').expect(200);
        expect(body.scan.count).to.equal(i + 1);
      }
      expectProblem(await api.verify(units[0]!.token, '192.0.2.20'), 'RATE_LIMITED');
      expect(performance.now() - started).to.be.lessThan(1_500);
      // What needs no Redis goes on: the wake-up is left to the sweeper.
      const batch = await org.createBatch();
      const job = await org.startJob(batch.id);
      expect(job['status']).to.equal('queued');
      expect(await api.score()).to.equal(LIMIT);
    } finally {
      await api.close();
    }
  });

  it('keeps nobody waiting for one that hangs, but who comes first, and asks it again by one request for all', async () => {
    const tunnel = await startTunnel((await testServices()).redisUrl);
    const api = await createTestApi({ env: { REDIS_URL: tunnel.url } });
    try {
      const org = await api.createOrganization();
      const left = async () => (await org.get('/products').expect(200)).headers['ratelimit'] as string;
      expect(await left()).to.include(';r=11999;');
      tunnel.silence();
      const first = await Promise.all([left(), left()]);
      expect(first.map((each) => each.split(';')[1])).to.deep.equal(['r=11999', 'r=11998']);
      const started = performance.now();
      let gaveUp = false;
      const command = api.deps.redis.ping().catch(() => (gaveUp = true));
      for (let i = 0; i < 10; i += 1) await left();
      // A change wakes a worker as well.
      const { id } = await org.createBatch();
      await org.startJob(id);
      expect(gaveUp, `${performance.now() - started} ms`).to.equal(false);
      await command;
      expect(gaveUp).to.equal(true);
    } finally {
      await api.close();
      await tunnel.close();
    }
  });
});
