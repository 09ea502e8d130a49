/**
 * A model of dispatch and circuit against real Postgres, with time in the test's hands. Sessions claim, answers come in any
 * order, workers die with what they hold, wake-ups are lost and doubled; people replay, recover, disable, enable and delete.
 * Whatever the order: no dispatch is lost, none is claimed after its success was settled unless somebody asked for it
 * again, one probe at a time, nothing goes while disabled or after the deletion.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { TestClock } from '../../support/clock.ts';
import { answered } from '../../support/outcomes.ts';
import { createWebhookBench } from '../../support/webhook-turns.ts';
import { DEFAULT_RETRY_DELAYS_SECONDS } from '../../../shared/webhooks/retry-schedule.ts';
import { rate, story, World } from '../../support/webhook-model.ts';

describe('dispatch and circuit, whatever happens', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  // Another forty stories each time; the seed tells them again.
  const seed = Number(process.env['MODEL_SEED'] ?? Date.now() % 2 ** 31);
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.error(`again with MODEL_SEED=${seed}`);
  });

  it('loses no dispatch, sends none after its success, and probes one at a time', async function () {
    this.timeout(120_000);
    this.slow(60_000);
    await fc.assert(
      fc.asyncProperty(story, fc.boolean(), rate, async (actions, fifo, ratePerSecond) => {
        const clock = new TestClock(new Date().toISOString());
        const bench = createWebhookBench({ db: database.pool, clock });
        const orgId = await bench.createOrganization();
        const endpointId = await bench.createEndpoint(orgId, { fifo, ratePerSecond });
        const world = new World(bench, clock, orgId, endpointId, fifo);
        for (const each of actions) await world.act(each);
        await world.end();
      }),
      { numRuns: Number(process.env['MODEL_RUNS'] ?? 40), seed, endOnFailure: true },
    );
  });

  it('delivers every event within its schedule while the receiver fails for hours', async function () {
    this.timeout(60_000);
    const clock = new TestClock(new Date().toISOString());
    const bench = createWebhookBench({ db: database.pool, clock });
    const orgId = await bench.createOrganization();
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 30);
    const startedAt = clock.now().getTime();
    const outageMs = 30 * 3600_000;
    let attempts = 0;
    for (;;) {
      const result = await bench.ask(endpointId, 'a', 50);
      if (result.type === 'idle' && result.until === null) break;
      if (result.type === 'idle') clock.set(result.until!);
      if (result.type !== 'claimed') continue;
      attempts += result.claim.deliveries.length;
      const isUp = clock.now().getTime() - startedAt > outageMs;
      await bench.settle(
        result.claim,
        'a',
        result.claim.deliveries.map(() => answered(isUp ? 200 : 500)),
      );
    }
    const { rows } = await database.pool.query<{ state: string; attempts: number }>(
      'select distinct state from webhook_dispatches where endpoint_id = $1',
      [endpointId],
    );
    expect(rows).to.deep.equal([{ state: 'delivered' }]);
    // 30 at once, 30 at the end, and a probe now and then: an outage is not hammered.
    expect(attempts).to.be.lessThan(30 + 30 + 60);
    expect(DEFAULT_RETRY_DELAYS_SECONDS.length).to.equal(9);
  });
});
