import { expect } from 'chai';
import { withTransaction } from '../../../shared/db.ts';
import { disableEndpoint, enableEndpoint } from '../../../shared/webhooks/operate.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered } from '../../support/outcomes.ts';
import { createWebhookBench, type WebhookBench } from '../../support/webhook-turns.ts';

describe('a claim for an endpoint', () => {
  let database: TestDatabase;
  let clock: TestClock;
  let bench: WebhookBench;
  let orgId: string;

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());
  beforeEach(async () => {
    clock = new TestClock(new Date().toISOString());
    bench = createWebhookBench({ db: database.pool, clock });
    orgId = await bench.createOrganization();
  });

  it('leaves a disabled one to whoever comes once it is enabled', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 1);
    const operate = { clock, waker: bench.waker };
    await withTransaction(database.pool, ({ db }) => disableEndpoint(operate, db, orgId, endpointId));
    expect(await bench.ask(endpointId, 'a')).to.deep.equal({ type: 'idle', until: null });
    await withTransaction(database.pool, (uow) => enableEndpoint(operate, uow, orgId, endpointId));
    expect((await bench.claim(endpointId, 'b')).deliveries).to.have.length(1);
  });

  it('takes a token of the rate for each delivery', async () => {
    const endpointId = await bench.createEndpoint(orgId, { ratePerSecond: 100 });
    await bench.recordScans(orgId, 20);
    expect((await bench.claim(endpointId, 'a')).deliveries).to.have.length(10);
    expect(await bench.ask(endpointId, 'a', 10, true)).to.deep.equal({
      type: 'idle',
      until: new Date(clock.now().getTime() + 10),
    });
  });

  it('waits for what is due, where the endpoint may go before', async () => {
    const endpointId = await bench.createEndpoint(orgId, { retryDelaysSeconds: [30] });
    await bench.recordScans(orgId, 1);
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(503, '', '1')]);
    const until = new Date(clock.now().getTime() + 30_000);
    expect(await bench.ask(endpointId, 'a')).to.deep.equal({ type: 'idle', until });
  });

  it('sends no probe while an attempt from before the circuit opened is out', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 12);
    const claim = await bench.claim(endpointId, 'a', 11);
    await bench.settle(claim, 'a', Array(10).fill(answered(500)));
    clock.advance(30_000);
    expect((await bench.ask(endpointId, 'a', 10, true)).type).to.equal('idle');
    await bench.settle({ ...claim, deliveries: claim.deliveries.slice(10) }, 'a', [answered(500)]);
    expect((await bench.claim(endpointId, 'a')).deliveries).to.have.length(1);
  });
});
