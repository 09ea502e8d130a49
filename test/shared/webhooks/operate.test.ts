import { expect } from 'chai';
import { withTransaction, type UnitOfWork } from '../../../shared/db.ts';
import type { AppError } from '../../../shared/errors.ts';
import { newUuid } from '../../../shared/ids.ts';
import {
  enableEndpoint,
  listEventDispatches,
  replayEvent,
  rotateSecret,
  sendTestEvent,
} from '../../../shared/webhooks/operate.ts';
import { deleteEndpoint, getEndpoint, type VettedUrl } from '../../../shared/webhooks/service.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered } from '../../support/outcomes.ts';
import {
  circuitOf,
  createWebhookBench,
  dispatchesOf,
  type WebhookBench,
} from '../../support/webhook-turns.ts';

const HOUR = 3600_000;
const URL = 'https://hooks.example.com/in' as VettedUrl;

describe('what a person asks of an endpoint', () => {
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

  const deps = () => ({ ...bench.deps, waker: bench.waker });
  const operate = <T>(work: (uow: UnitOfWork) => Promise<T>) => withTransaction(database.pool, work);
  const test = (id = endpointId) => operate((uow) => sendTestEvent(deps(), uow, orgId, id));
  const replay = (eventId: string, id: string | null = null) =>
    operate((uow) => replayEvent(deps(), uow, orgId, eventId, id));
  const dispatches = (id = endpointId) => dispatchesOf(database.pool, id);
  const wakeUp = `deliverWebhooks [["`;
  /** Patience for an hour, or where the endpoint is FIFO the first failure’s wait. */
  const hold = async (outcome = answered(429, '', String(HOUR / 1000))) => {
    await bench.recordScans(orgId, 2);
    await bench.settle(await bench.claim(endpointId, 'a', 1), 'a', [outcome]);
    expect((await bench.ask(endpointId, 'a')).type).to.equal('idle');
    return new Date(clock.now().getTime() + HOUR);
  };

  it('wakes the endpoint for a test, a replay, and what waited until it was enabled', async () => {
    for (const act of [
      () => test(),
      async () => replay((await bench.recordScans(orgId, 1))[0]!),
      () => operate((uow) => enableEndpoint(deps(), uow, orgId, endpointId)),
    ]) {
      bench.wakeUps.length = 0;
      await act();
      expect(bench.wakeUps.at(-1)).to.equal(`${wakeUp}${endpointId}"]]`);
    }
  });

  for (const [change, changes] of [
    ['moves', { url: 'https://new.example.com/in' as VettedUrl }],
    ['becomes FIFO', { fifo: true }],
  ] as const) {
    it(`wakes one that ${change}, and not for what is as it was`, async () => {
      bench.wakeUps.length = 0;
      await bench.updateEndpoint(orgId, endpointId, changes);
      expect(bench.wakeUps).to.deep.equal([`${wakeUp}${endpointId}"]]`]);
      await bench.updateEndpoint(orgId, endpointId, changes);
      expect(bench.wakeUps).to.have.length(1);
    });
  }

  it('keeps every option that a change does not name, and takes null for the default', async () => {
    const product = newUuid();
    await database.pool.query(`insert into products (id, org_id, name, sku) values ($1, $2, 'Oil', 'OIL')`, [
      product,
      orgId,
    ]);
    const given = { description: 'ERP', concurrency: 3, ratePerSecond: 7, productIds: [product] };
    endpointId = await bench.createEndpoint(orgId, { ...given, retryDelaysSeconds: [9], fifo: true });
    const before = await getEndpoint(database.pool, orgId, endpointId);
    const kept = { ...given, fifo: true, retryDelaysSeconds: [9], events: ['*'] };
    for (const name of Object.keys(kept) as (keyof typeof kept)[]) {
      await bench.updateEndpoint(orgId, endpointId, { [name]: kept[name] });
      expect(await getEndpoint(database.pool, orgId, endpointId), name).to.deep.equal(before);
    }
    await bench.updateEndpoint(orgId, endpointId, {
      description: null,
      concurrency: null,
      ratePerSecond: null,
      productIds: null,
      retryDelaysSeconds: null,
      fifo: false,
    });
    expect(await getEndpoint(database.pool, orgId, endpointId)).to.deep.equal({
      ...before,
      description: null,
      concurrency: null,
      rate_per_second: null,
      product_ids: null,
      retry_delays: null,
      fifo: false,
    });
  });

  it('keeps an open circuit where the URL that is given is the same', async () => {
    await bench.recordScans(orgId, 10);
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', Array(10).fill(answered(500)));
    await bench.ask(endpointId, 'a');
    const until = new Date(clock.now().getTime() + 30_000);
    await bench.updateEndpoint(orgId, endpointId, { url: URL });
    expect(await circuitOf(database.pool, endpointId)).to.include({ circuit_state: 'open' });
    expect(await bench.ask(endpointId, 'a')).to.deep.equal({ type: 'idle', until });
  });

  it('keeps the patience that a receiver asked for where the endpoint becomes FIFO', async () => {
    const until = await hold();
    await bench.updateEndpoint(orgId, endpointId, { fifo: true });
    expect(await bench.ask(endpointId, 'a')).to.deep.equal({ type: 'idle', until });
  });

  it('sends at once what waited behind a failure where FIFO order is given up', async () => {
    endpointId = await bench.createEndpoint(orgId, { fifo: true });
    await hold(answered(500));
    bench.wakeUps.length = 0;
    await bench.updateEndpoint(orgId, endpointId, { fifo: false });
    expect(bench.wakeUps).to.deep.equal([`${wakeUp}${endpointId}"]]`]);
    expect((await bench.claim(endpointId, 'a', 1)).deliveries).to.have.length(1);
  });

  it('says until when a test waits where the receiver has asked for patience', async () => {
    const until = await hold();
    expect((await test()).nextAttemptAt).to.deep.equal(until);
  });

  it('says in how many seconds the next test may be sent, a begun one among them', async () => {
    await test();
    clock.advance(4_400);
    const refused = await test().then(
      () => null,
      ({ code, options }: AppError) => ({ code, headers: options.headers }),
    );
    expect(refused).to.deep.equal({ code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } });
  });

  it('makes a test due now where nothing waits, whatever was delivered before or waits elsewhere', async () => {
    await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 1);
    await bench.deliverAll(endpointId, 204);
    clock.advance(HOUR);
    await test();
    expect((await dispatches()).at(-1)!.due_at).to.deep.equal(clock.now());
  });

  it('sends a test first of all that goes with it', async () => {
    await bench.recordScans(orgId, 2);
    const { eventId } = await test();
    const { deliveries } = await bench.claim(endpointId, 'a');
    expect(deliveries.map((delivery) => delivery.eventId).indexOf(eventId)).to.equal(0);
    expect(deliveries).to.have.length(3);
  });

  it('replays an event to all whose filters it passes, though they are newer than it', async () => {
    const [own, other] = [newUuid(), newUuid()];
    await database.pool.query(
      `insert into products (id, org_id, name, sku) values ($1, $3, 'Oil', 'OIL'), ($2, $3, 'Soap', 'SOAP')`,
      [own, other, orgId],
    );
    const [eventId] = await bench.recordScans(orgId, 1, own);
    const late = await bench.createEndpoint(orgId, { productIds: [own] });
    await bench.createEndpoint(orgId, { productIds: [other] });
    await bench.createEndpoint(orgId, { events: ['product.diverted'] });
    expect(await replay(eventId!)).to.deep.equal([endpointId, late]);
  });

  it('sends an event that is replayed while it is out no second time beside that', async () => {
    const [eventId] = await bench.recordScans(orgId, 1);
    const out = await bench.claim(endpointId, 'a');
    await replay(eventId!);
    expect((await bench.ask(endpointId, 'a', 1, true)).type).to.equal('idle');
    await bench.settle(out, 'a', [answered(204)]);
    expect((await dispatches()).map(({ state }) => state)).to.deep.equal(['delivered']);
  });

  it('sends the event that holds a FIFO endpoint at once where it is replayed, and goes on behind it', async () => {
    const fifo = await bench.createEndpoint(orgId, { fifo: true });
    const [front, behind] = await bench.recordScans(orgId, 2);
    await bench.settle(await bench.claim(fifo, 'a'), 'a', [answered(500), null]);
    expect(await bench.ask(fifo, 'a')).to.include({ type: 'idle' });
    // It has failed nowhere, and would not be first.
    await replay(behind!);
    expect(await bench.ask(fifo, 'b')).to.include({ type: 'idle' });
    await replay(front!);
    const { deliveries } = await bench.claim(fifo, 'b');
    expect(deliveries.map(({ eventId, attempt }) => [eventId, attempt])).to.deep.equal([
      [front, 1],
      [behind, 1],
    ]);
  });

  it('waits with a replay as its receiver asked, where events go in no order', async () => {
    const until = await hold();
    const { rows } = await database.pool.query(
      'select event_id from webhook_dispatches where endpoint_id = $1 order by event_id',
      [endpointId],
    );
    await replay(rows[0].event_id);
    expect(await bench.ask(endpointId, 'b')).to.deep.equal({ type: 'idle', until });
  });

  it('replays a test to the endpoint that it was for, and to no other', async () => {
    await bench.createEndpoint(orgId);
    const { eventId } = await test();
    expect(await replay(eventId)).to.deep.equal([endpointId]);
  });

  it('refuses to replay what no endpoint wants', async () => {
    await bench.updateEndpoint(orgId, endpointId, { events: ['product.diverted'] });
    const [eventId] = await bench.recordScans(orgId, 1);
    const refused = await replay(eventId!).then(
      () => null,
      ({ code }: AppError) => code,
    );
    expect(refused).to.equal('CONFLICT');
  });

  it('says of what waits again that it has not come to its end', async () => {
    const [retried, replayed] = await bench.recordScans(orgId, 2);
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(500), answered(204)]);
    await replay(replayed!);
    for (const eventId of [retried!, replayed!]) {
      const [dispatch] = await listEventDispatches(database.pool, eventId);
      expect(dispatch).to.include({ state: 'pending', settled_at: null });
    }
  });

  it('says of what was delivered that it was, also once the endpoint is deleted', async () => {
    const [delivered, waiting] = await bench.recordScans(orgId, 2);
    await bench.settle(await bench.claim(endpointId, 'a', 1), 'a', [answered(204)]);
    const deliveredAt = clock.now();
    clock.advance(HOUR);
    await operate(({ db }) => deleteEndpoint({ clock }, db, orgId, endpointId));
    for (const [eventId, state, settledAt] of [
      [delivered!, 'delivered', deliveredAt],
      [waiting!, 'discarded', clock.now()],
    ] as const) {
      const [dispatch] = await listEventDispatches(database.pool, eventId);
      expect(dispatch).to.deep.include({ state, settled_at: settledAt });
    }
  });

  it('ends a secret when it was to end, whatever overlap the next rotation has', async () => {
    await bench.recordScans(orgId, 1);
    let last = 0;
    const random = (bytes: number) => Buffer.alloc(bytes, (last += 1));
    const rotate = (overlapSeconds: number) =>
      operate(({ db }) => rotateSecret({ ...deps(), random }, db, orgId, endpointId, overlapSeconds));
    const { secret: second } = await rotate(60);
    const { secret: third } = await rotate(3600);
    await bench.recordScans(orgId, 1);
    const { configuration } = await bench.claim(endpointId, 'a', 1);
    clock.advance(60_000);
    const claim = await bench.claim(endpointId, 'a');
    expect(claim.secrets).to.deep.equal([third, second]);
    expect(claim.configuration, 'tells a session to go by it').not.to.equal(configuration);
  });
});
