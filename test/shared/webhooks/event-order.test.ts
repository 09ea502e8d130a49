import { expect } from 'chai';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered } from '../../support/outcomes.ts';
import { createWebhookBench, dispatchesOf, type WebhookBench } from '../../support/webhook-turns.ts';

describe('an endpoint that becomes FIFO', () => {
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
    endpointId = await bench.createEndpoint(orgId);
  });

  const become = (fifo: boolean) => bench.updateEndpoint(orgId, endpointId, { fifo });
  /** Events of an hour ago, whose retries are due in an order of their own from half an hour ago to half an hour ahead. */
  const gather = (count: number) =>
    database.pool.query(
      `with e as (
         insert into events (id, org_id, type, created_at, data)
         select uuidv7(), $1, 'scan.recorded', $3::timestamptz - interval '1 hour', '{}' from generate_series(1, $4::integer)
         returning id, created_at
       )
       insert into webhook_dispatches (event_id, endpoint_id, org_id, due_at)
       select id, $2, $1, created_at + interval '30 minutes' + random() * interval '1 hour' from e`,
      [orgId, endpointId, clock.now(), count],
    );
  const moved = async () =>
    (await dispatchesOf(database.pool, endpointId)).filter(
      ({ due_at }) => due_at.getTime() === clock.now().getTime() - 3600_000,
    ).length;

  it('puts thousands that wait in order a slice at a time, and sends nothing before', async () => {
    await gather(2_300);
    const wakeUps = bench.wakeUps.length;
    await become(true);
    expect(await moved(), 'within the request').to.equal(0);
    expect(bench.wakeUps.slice(wakeUps)).to.deep.equal([`deliverWebhooks [["${endpointId}"]]`]);
    expect((await bench.ask(endpointId, 'killed')).type).to.equal('busy');
    expect(await moved()).to.equal(1_000);
    // The lease of the session that was killed in the midst of it.
    await database.pool.query('update webhook_endpoints set served_until = $2 where id = $1', [
      endpointId,
      clock.now(),
    ]);
    expect((await bench.ask(endpointId, 'a')).type).to.equal('busy');
    const { deliveries } = await bench.claim(endpointId, 'a', 2_500);
    const events = await database.pool.query<{ id: string }>(
      'select id from events where org_id = $1 order by id',
      [orgId],
    );
    expect(deliveries.map(({ eventId }) => eventId)).to.deep.equal(events.rows.map(({ id }) => id));
  });

  it('keeps the place of what was out by then, and fails after it was put in order', async () => {
    const [first, second] = await bench.recordScans(orgId, 2);
    const before = await bench.claim(endpointId, 'a', 2);
    await become(true);
    expect((await bench.ask(endpointId, 'a', 1, true)).type).to.equal('idle');
    const [third] = await bench.recordScans(orgId, 1);
    await bench.settle(before, 'a', [answered(500), answered(500)]);
    clock.advance(3600_000);
    const { deliveries } = await bench.claim(endpointId, 'a', 3);
    expect(deliveries.map(({ eventId }) => eventId)).to.deep.equal([first, second, third]);
  });

  it('is put in order also where its session has an attempt out from before', async () => {
    const [retried] = await bench.recordScans(orgId, 1);
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(500)]);
    await bench.recordScans(orgId, 2);
    await bench.claim(endpointId, 'a', 1);
    await become(true);
    const claimed = await bench.ask(endpointId, 'a', 1, true);
    expect(claimed).to.have.nested.property('claim.deliveries[0].eventId', retried);
  });

  it('begins anew where FIFO order was given up in the midst of it', async () => {
    await gather(1_500);
    await become(true);
    await bench.ask(endpointId, 'a');
    await become(false);
    const waiting = await bench.claim(endpointId, 'a', 1);
    await bench.settle(waiting, 'a', [answered(500)]);
    expect(await moved()).to.equal(999);
    await become(true);
    while ((await bench.ask(endpointId, 'a', 1)).type === 'busy');
    expect(await moved()).to.equal(1_500);
  });
});
