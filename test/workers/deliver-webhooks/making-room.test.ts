import { expect } from 'chai';
import { systemClock } from '../../../shared/clock.ts';
import { STAY_MS } from '../../../workers/deliver-webhooks/endpoint-session.ts';
import { deliverWebhooks } from '../../../workers/deliver-webhooks/processor.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered } from '../../support/outcomes.ts';
import { Receivers, sessionDeps, type Places } from '../../support/webhook-sessions.ts';
import { createWebhookBench, dispatchesOf, type WebhookBench } from '../../support/webhook-turns.ts';

describe('a session of an endpoint with a backlog', () => {
  let database: TestDatabase;
  let bench: WebhookBench;
  let receivers: Receivers;
  let places: Places;
  let clock: TestClock;
  let orgId: string;
  let endpointId: string;

  const withPlaces = (WEBHOOK_CONCURRENCY: string) =>
    deliverWebhooks({
      ...sessionDeps(
        { db: database.pool, bench, receivers, stopping: new AbortController().signal, places },
        { WEBHOOK_CONCURRENCY },
      ),
      clock,
    });

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());
  beforeEach(async () => {
    bench = createWebhookBench({ db: database.pool, clock: systemClock });
    receivers = new Receivers();
    places = { waiting: 0, later: null };
    receivers.respond = () => {
      clock.advance(500);
      return answered(204);
    };
    orgId = await bench.createOrganization();
    endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 60);
    clock = new TestClock(new Date().toISOString());
  });

  it('makes room after a while where others wait for a place, and goes on behind them', async () => {
    places.waiting = 1;
    const { delivered } = await withPlaces('1')({ endpointId });
    expect(delivered).to.be.within(STAY_MS / 500, 59);
    const rows = await dispatchesOf(database.pool, endpointId);
    expect(rows.filter(({ state }) => state === 'delivered')).to.have.length(delivered);
    const given = rows.filter(({ state }) => state === 'pending');
    expect(given.every(({ attempts, lease_until }) => attempts === 0 && lease_until === null)).to.equal(true);
    expect(bench.wakeUps.at(-1)).to.equal(`deliverWebhooks ${JSON.stringify([[endpointId], 1])}`);
    // Nobody serves it meanwhile, and it goes on to the end where nobody waits, or others have places.
    places.waiting = 0;
    expect((await withPlaces('1')({ endpointId })).delivered).to.equal(60 - delivered);
    await bench.recordScans(orgId, 60);
    places.waiting = 1;
    expect((await withPlaces('2')({ endpointId })).delivered).to.equal(60);
  });

  it('makes room for what was to wait until now, as for what has waited, and not for what is to wait still', async () => {
    const deliver = withPlaces('1');
    places.later = new Date(clock.now().getTime() + STAY_MS / 2);
    const { delivered } = await deliver({ endpointId });
    expect(delivered).to.be.within(STAY_MS / 500, 59);
    places.later = new Date(clock.now().getTime() + 3_600_000);
    expect((await deliver({ endpointId })).delivered).to.equal(60 - delivered);
  });
});
