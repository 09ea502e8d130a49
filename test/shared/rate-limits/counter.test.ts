import { expect } from 'chai';
import { createCounter } from '../../../shared/rate-limits/counter.ts';
import { createTestRedis, type TestRedis } from '../../support/redis.ts';

describe('the counter', () => {
  let redis: TestRedis;
  before(async () => {
    redis = await createTestRedis();
  });
  after(() => redis.drop());

  it('tells each of many calls at once its own number, of two processes together', async () => {
    const [one, other] = [
      createCounter(redis.client, redis.prefix),
      createCounter(redis.client, redis.prefix),
    ];
    const calls = [one, one, other, one, other].map((counter) => counter.add('many', 60_000));
    const counts = (await Promise.all(calls)).map(({ count }) => count);
    expect(counts.toSorted((a, b) => a - b)).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('keeps keys of one batch, and their windows, apart', async () => {
    const counter = createCounter(redis.client, redis.prefix);
    const [a, b, c] = await Promise.all([
      counter.add('short', 5_000),
      counter.add('long', 60_000),
      counter.add('short', 5_000),
    ]);
    expect([a.count, b.count, c.count]).to.deep.equal([1, 1, 2]);
    expect(a.resetMs).to.be.within(1, 5_000);
    expect(b.resetMs).to.be.within(5_001, 60_000);
  });

  it('asks Redis once for a batch, however many calls are in it', async () => {
    const counter = createCounter(redis.client, redis.prefix);
    const before = await calls();
    await Promise.all(Array.from({ length: 50 }, () => counter.add('once', 60_000)));
    expect((await calls()) - before).to.equal(1);
  });

  // Redis counts commands by kind for the whole server; this file is alone in it with `incrby`.
  const calls = async (): Promise<number> => {
    const stats = await redis.client.info('commandstats');
    return Number(/cmdstat_incrby:calls=(\d+)/.exec(stats)?.[1] ?? 0);
  };
});
