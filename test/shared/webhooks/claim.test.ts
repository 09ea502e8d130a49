import { expect } from 'chai';
import { withTransaction } from '../../../shared/db.ts';
import { disableEndpoint, enableEndpoint } from '../../../shared/webhooks/operate.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered } from '../../support/outcomes.ts';
import { createWebhookBench, dispatchesOf, type WebhookBench } from '../../support/webhook-turns.ts';

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

  it('waits for what is due first, whichever event is older', async () => {
    const endpointId = await bench.createEndpoint(orgId, { retryDelaysSeconds: [5, 30] });
    await bench.recordScans(orgId, 1);
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(500)]);
    clock.advance(5_000);
    await bench.recordScans(orgId, 1);
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(500), answered(500)]);
    const until = new Date(clock.now().getTime() + 5_000);
    expect(await bench.ask(endpointId, 'a')).to.deep.equal({ type: 'idle', until });
    clock.set(until);
    expect((await bench.claim(endpointId, 'a')).deliveries.map(({ attempt }) => attempt)).to.deep.equal([2]);
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

  for (const { fields, claims } of [
    { fields: { concurrency: 16 }, claims: [512, 512] },
    // A session does not know of an endpoint's own concurrency when it claims first.
    { fields: { fifo: true }, claims: [256] },
  ]) {
    it(`frees all that a dead worker had claimed: ${claims.join(' and ')} deliveries`, async () => {
      const endpointId = await bench.createEndpoint(orgId, fields);
      await database.pool.query(
        `with e as (
           insert into events (id, org_id, type, created_at, data)
           select uuidv7(), $1, 'scan.recorded', $3::timestamptz, '{}' from generate_series(1, 1024)
           returning id, created_at
         )
         insert into webhook_dispatches (event_id, endpoint_id, org_id, due_at)
         select id, $2, $1, created_at - interval '1 ms' * row_number() over (order by id desc) from e`,
        [orgId, endpointId, clock.now()],
      );
      for (const [n, room] of claims.entries()) await bench.ask(endpointId, 'dead', room, n > 0);
      await withTransaction(database.pool, ({ db }) => disableEndpoint({ clock }, db, orgId, endpointId));
      clock.advance(60_000);
      await bench.ask(endpointId, 'heir');
      const leased = (await dispatchesOf(database.pool, endpointId)).filter(
        ({ lease_until }) => lease_until !== null,
      );
      expect(leased).to.have.length(0);
      const { rows } = await database.pool.query(
        'select error_class, count(*)::int from webhook_deliveries where endpoint_id = $1 group by 1',
        [endpointId],
      );
      const count = claims.reduce((sum, each) => sum + each, 0);
      expect(rows).to.deep.equal([{ error_class: 'lost', count }]);
    });
  }
});
