import { expect } from 'chai';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createWebhookBench, type WebhookBench } from '../../support/webhook-turns.ts';

describe('an endpoint whose rate is changed', () => {
  let database: TestDatabase;
  let clock: TestClock;
  let bench: WebhookBench;
  let orgId: string;
  let endpointId: string;

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());
  beforeEach(async () => {
    clock = new TestClock(new Date().toISOString());
    bench = createWebhookBench({ db: database.pool, clock });
    orgId = await bench.createOrganization();
    endpointId = await bench.createEndpoint(orgId, { ratePerSecond: 20 });
  });

  const setRate = (ratePerSecond: number | null) =>
    bench.updateEndpoint(orgId, endpointId, { ratePerSecond });
  const record = (count: number) => bench.recordScans(orgId, count);

  it('owes nothing for what was sent while it had none', async () => {
    await record(2);
    await bench.deliverAll(endpointId, 204);
    await setRate(null);
    await record(60);
    expect((await bench.deliverAll(endpointId, 204)).deliveries).to.have.length(60);
    await setRate(20);
    await record(4);
    clock.advance(100);
    expect((await bench.deliverAll(endpointId, 204)).deliveries, 'a burst').to.have.length(2);
    clock.advance(100);
    expect((await bench.deliverAll(endpointId, 204)).deliveries, 'a tenth of a second later').to.have.length(
      2,
    );
  });
});
