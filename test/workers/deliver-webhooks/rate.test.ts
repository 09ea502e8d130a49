import { expect } from 'chai';
import { systemClock } from '../../../shared/clock.ts';
import { deliverWebhooks } from '../../../workers/deliver-webhooks/processor.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { answered } from '../../support/outcomes.ts';
import { Receivers, sessionDeps } from '../../support/webhook-sessions.ts';
import { createWebhookBench, type WebhookBench } from '../../support/webhook-turns.ts';

const EVENTS = 200;
const CONCURRENCY = 20;

describe('a session of an endpoint with a rate', () => {
  let database: TestDatabase;
  let bench: WebhookBench;
  let receivers: Receivers;

  before(async () => {
    database = await createTestDatabase();
    bench = createWebhookBench({ db: database.pool, clock: systemClock });
    receivers = new Receivers();
  });
  after(() => database.drop());

  it('sends a receiver that stalled and is well again no more than its rate, whatever was claimed meanwhile', async () => {
    const orgId = await bench.createOrganization();
    const endpointId = await bench.createEndpoint(orgId, { ratePerSecond: 100 });
    await bench.recordScans(orgId, EVENTS);
    const clock = new TestClock(new Date().toISOString());
    const sentAt: number[] = [];
    receivers.respond = () => {
      sentAt.push(clock.now().getTime());
      return null;
    };
    const deps = sessionDeps(
      { db: database.pool, bench, receivers, stopping: new AbortController().signal },
      { WEBHOOK_ENDPOINT_CONCURRENCY: String(CONCURRENCY) },
    );
    // Time goes by between turns, and while the session waits for it.
    const serving = deliverWebhooks({ ...deps, clock }, async (ms) => clock.advance(ms))({ endpointId });
    await receivers.untilSent(CONCURRENCY);
    await eventually('as many claimed as it wants to hold', async () => {
      const { rows } = await database.pool.query<{ claimed: number }>(
        'select count(*)::integer as claimed from webhook_deliveries where endpoint_id = $1',
        [endpointId],
      );
      return rows[0]!.claimed > 3 * CONCURRENCY;
    });
    clock.advance(1_500);
    receivers.respond = () => {
      sentAt.push(clock.now().getTime());
      return answered(204);
    };
    for (const { answer } of receivers.sent.slice()) answer(answered(204));
    await serving;
    expect(sentAt.length).to.be.greaterThan(110);
    for (const from of sentAt)
      expect(sentAt.filter((at) => at >= from && at < from + 1_000).length).to.be.at.most(110);
  });
});
