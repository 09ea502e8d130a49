import { expect } from 'chai';
import { withTransaction } from '../../../shared/db.ts';
import { scanRecorded } from '../../../shared/events/event-examples.ts';
import { recordEvents } from '../../../shared/events/service.ts';
import { newUuid } from '../../../shared/ids.ts';
import { takeNotices } from '../../../shared/webhooks/notices.ts';
import { replayEvent } from '../../../shared/webhooks/operate.ts';
import { discardForDeletedEndpoints } from '../../../shared/webhooks/deleted-endpoints.ts';
import { deleteEndpoint, listEndpointDeliveries } from '../../../shared/webhooks/service.ts';
import { listDueEndpointIds, listNeglectedEndpointIds } from '../../../shared/webhooks/turn.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { TestClock } from '../../support/clock.ts';
import { answered, failed } from '../../support/outcomes.ts';
import {
  circuitOf,
  createWebhookBench,
  dispatchesOf,
  type WebhookBench,
} from '../../support/webhook-turns.ts';

const DAY = 24 * 3600_000;

describe('turns of the deliverer', () => {
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

  const dispatches = (endpointId: string) => dispatchesOf(database.pool, endpointId);
  const circuit = (endpointId: string) => circuitOf(database.pool, endpointId);
  /** The log's next attempts, in the order of the events. */
  const announced = async (endpointId: string) =>
    (
      await database.pool.query<{ next_attempt_at: Date | null }>(
        'select next_attempt_at from webhook_deliveries where endpoint_id = $1 order by event_id',
        [endpointId],
      )
    ).rows.map((row) => row.next_attempt_at);
  const openCircuit = async (endpointId: string) => {
    const claim = await bench.claim(endpointId, 'opener', 10);
    await bench.settle(
      claim,
      'opener',
      claim.deliveries.map(() => answered(500)),
    );
    expect(await circuit(endpointId)).to.include({ circuit_state: 'open' });
    await bench.ask(endpointId, 'opener');
  };

  it('writes an attempt down before it is sent, and what came of it after', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 1);
    const claim = await bench.claim(endpointId, 'a');
    const read = async () =>
      (
        await database.pool.query(
          'select attempt, outcome, request_headers from webhook_deliveries where endpoint_id = $1',
          [endpointId],
        )
      ).rows;
    expect(await read()).to.deep.equal([{ attempt: 1, outcome: null, request_headers: null }]);
    await bench.settle(claim, 'a', [answered(204)]);
    expect(await read()).to.deep.equal([
      { attempt: 1, outcome: 'delivered', request_headers: { 'X-Service-Signature': 't=1795167001,v1=00' } },
    ]);
    expect(await dispatches(endpointId)).to.have.nested.property('[0].state', 'delivered');
  });

  it('writes an event and its dispatches with the fact that caused them, or nothing of it', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    const event = { type: 'scan.recorded', orgId, productId: null, data: scanRecorded } as const;
    const wakeUps = bench.wakeUps.length;
    const record = (isFactWell: boolean) =>
      withTransaction(database.pool, async (uow) => {
        await recordEvents({ clock, waker: bench.waker }, uow, [event]);
        if (!isFactWell) throw new Error('the fact failed');
      });
    await record(false).catch(() => undefined);
    const events = () => database.pool.query('select 1 from events where org_id = $1', [orgId]);
    expect([(await events()).rowCount, await dispatches(endpointId)]).to.deep.equal([0, []]);
    expect(bench.wakeUps, 'woken for nothing').to.have.length(wakeUps);
    await record(true);
    expect((await events()).rowCount).to.equal(1);
    expect(await dispatches(endpointId)).to.have.length(1);
    expect(bench.wakeUps).to.have.length(wakeUps + 1);
  });

  it('sends the same envelope bytes at each attempt', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    const [eventId] = await bench.recordScans(orgId, 1);
    const first = await bench.claim(endpointId, 'a');
    await bench.settle(first, 'a', [answered(500)]);
    clock.advance(10_000);
    const second = await bench.claim(endpointId, 'a');
    expect(second.deliveries[0]!.body.equals(first.deliveries[0]!.body)).to.equal(true);
    expect(second.deliveries[0]!.deliveryId).not.to.equal(first.deliveries[0]!.deliveryId);
    expect(second.deliveries[0]!.eventId).to.equal(eventId);
    const envelope = JSON.parse(first.deliveries[0]!.body.toString()) as Record<string, unknown>;
    expect(Object.keys(envelope)).to.deep.equal(['id', 'type', 'createdAt', 'data']);
  });

  it('lets one session at a time serve an endpoint, over all processes', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 2);
    await bench.claim(endpointId, 'a', 1);
    expect(await bench.ask(endpointId, 'b')).to.deep.equal({ type: 'elsewhere' });
    clock.advance(61_000);
    expect((await bench.claim(endpointId, 'b')).deliveries, 'what the dead one held, too').to.have.length(2);
  });

  it('gives the endpoint free when nothing is due, unless work is out', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 1);
    const claim = await bench.claim(endpointId, 'a');
    expect(await bench.ask(endpointId, 'a', 10, true)).to.deep.equal({ type: 'idle', until: null });
    expect(await bench.ask(endpointId, 'b')).to.deep.equal({ type: 'elsewhere' });
    await bench.settle(claim, 'a', [answered(204)]);
    await bench.ask(endpointId, 'a');
    expect(await bench.ask(endpointId, 'b')).to.deep.equal({ type: 'idle', until: null });
  });

  it('takes what nobody sent back as if it had never been claimed', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 1);
    const before = await dispatches(endpointId);
    const claim = await bench.claim(endpointId, 'a');
    await bench.settle(claim, 'a', [null]);
    expect(await dispatches(endpointId)).to.deep.equal(before);
    const { rowCount } = await database.pool.query(
      'select 1 from webhook_deliveries where endpoint_id = $1',
      [endpointId],
    );
    expect(rowCount).to.equal(0);
  });

  it('keeps a rate per second over all sessions, in bursts of a tenth of it', async () => {
    const endpointId = await bench.createEndpoint(orgId, { ratePerSecond: 20 });
    await bench.recordScans(orgId, 60);
    const startedAt = clock.now().getTime();
    const sentAt: number[] = [];
    for (let n = 0; clock.now().getTime() - startedAt < 2000; n += 1) {
      const session = `s${n % 3}`;
      const result = await bench.ask(endpointId, session);
      if (result.type === 'claimed') {
        for (const _ of result.claim.deliveries) sentAt.push(clock.now().getTime());
        await bench.settle(
          result.claim,
          session,
          result.claim.deliveries.map(() => answered(204)),
        );
        await bench.ask(endpointId, session);
      } else if (result.type === 'idle') {
        clock.set(result.until!);
      }
    }
    for (const from of sentAt) {
      const inSecond = sentAt.filter((at) => at >= from && at < from + 1000).length;
      expect(inSecond).to.be.at.most(22);
    }
    expect(sentAt.length).to.be.within(38, 44);
  });

  it('holds a FIFO endpoint at its first failure, and goes on in order', async () => {
    const endpointId = await bench.createEndpoint(orgId, { fifo: true });
    const events = await bench.recordScans(orgId, 3);
    const claim = await bench.claim(endpointId, 'a');
    expect(claim.concurrency).to.equal(1);
    expect(claim.deliveries.map((delivery) => delivery.eventId)).to.deep.equal(events);
    const standing = await bench.settle(claim, 'a', [answered(500), null, null]);
    expect(standing.mayGoOn).to.equal(false);
    const held = await bench.ask(endpointId, 'a');
    expect(held).to.deep.include({ type: 'idle', until: new Date(clock.now().getTime() + 5000) });
    const [later] = await bench.recordScans(orgId, 1);
    expect(await listDueEndpointIds(database.pool, orgId, clock.now())).to.deep.equal([]);
    clock.advance(5000);
    const next = await bench.claim(endpointId, 'b');
    expect(next.deliveries.map((delivery) => delivery.eventId)).to.deep.equal([...events, later]);
    expect(next.deliveries.map((delivery) => delivery.attempt)).to.deep.equal([2, 1, 1, 1]);
  });

  it('keeps the place of an event in FIFO order that is replayed while it waits, and gives a delivered one its own', async () => {
    const endpointId = await bench.createEndpoint(orgId, { fifo: true });
    const events = await bench.recordScans(orgId, 4);
    const claim = await bench.claim(endpointId, 'a');
    await bench.settle(claim, 'a', [answered(204), answered(500), null, null]);
    await bench.ask(endpointId, 'a');
    clock.advance(6_000);
    for (const eventId of events.slice(0, 2))
      await withTransaction(database.pool, (uow) =>
        replayEvent({ clock, waker: bench.waker }, uow, orgId, eventId, null),
      );
    const { deliveries } = await bench.claim(endpointId, 'b');
    expect(deliveries.map(({ eventId }) => eventId)).to.deep.equal(events);
    expect(deliveries.map(({ attempt }) => attempt)).to.deep.equal([1, 1, 1, 1]);
  });

  it('retries by the endpoint’s own schedule, and exhausts it', async () => {
    const endpointId = await bench.createEndpoint(orgId, { retryDelaysSeconds: [7] });
    await bench.recordScans(orgId, 1);
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(500)]);
    expect(await bench.ask(endpointId, 'a')).to.deep.equal({
      type: 'idle',
      until: new Date(clock.now().getTime() + 7000),
    });
    clock.advance(7000);
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(500)]);
    expect(await dispatches(endpointId)).to.have.nested.property('[0].state', 'exhausted');
  });

  it('sends only what passes the filters of type and product', async () => {
    const productId = newUuid();
    await database.pool.query(`insert into products (id, org_id, name, sku) values ($1, $2, 'Oil', 'OIL')`, [
      productId,
      orgId,
    ]);
    const mine = await bench.createEndpoint(orgId, { productIds: [productId] });
    const others = await bench.createEndpoint(orgId, { events: ['product.diverted'] });
    await bench.recordScans(orgId, 1, productId);
    await bench.recordScans(orgId, 1, newUuid());
    await bench.recordScans(orgId, 1, null);
    expect(await dispatches(mine)).to.have.length(1);
    expect(await dispatches(others)).to.have.length(0);
  });

  it('opens without touching what waits, and sends nothing but one probe after the open time', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 30);
    await openCircuit(endpointId);
    const waiting = (await dispatches(endpointId)).filter(({ attempts }) => attempts === 0);
    expect(waiting).to.have.length(20);
    expect(await bench.ask(endpointId, 'a')).to.deep.equal({
      type: 'idle',
      until: new Date(clock.now().getTime() + 30_000),
    });
    expect(await listNeglectedEndpointIds(database.pool, clock.now(), 10)).not.to.include(endpointId);
    clock.advance(30_000);
    expect(await listNeglectedEndpointIds(database.pool, clock.now(), 10)).to.include(endpointId);
    const probe = await bench.claim(endpointId, 'a');
    expect(probe.deliveries).to.have.length(1);
    expect(probe.probeEpoch).to.equal(1);
    expect(await bench.ask(endpointId, 'b')).to.deep.equal({ type: 'elsewhere' });
    expect((await bench.ask(endpointId, 'a', 10, true)).type, 'nor a second one of its own').to.equal('idle');
    await bench.settle(probe, 'a', [null]);
    const next = await bench.claim(endpointId, 'a');
    expect(next.probeEpoch, 'one that was not sent holds up no other').to.equal(2);
    await bench.settle(next, 'a', [answered(200)]);
    expect((await bench.claim(endpointId, 'a')).deliveries).to.have.length(29);
  });

  it('spends no attempt on probes, and asks with another event each time', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 12);
    await openCircuit(endpointId);
    const before = await dispatches(endpointId);
    const asked = new Set<string>();
    for (let n = 0; n < 12; n += 1) {
      const idle = await bench.ask(endpointId, 'a');
      clock.set((idle as { until: Date }).until);
      const probe = await bench.claim(endpointId, 'a');
      asked.add(probe.deliveries[0]!.eventId);
      await bench.settle(probe, 'a', [failed('timeout')]);
    }
    expect(asked.size).to.equal(12);
    const after = await dispatches(endpointId);
    expect(after.map(({ state, attempts }) => ({ state, attempts }))).to.deep.equal(
      before.map(({ state, attempts }) => ({ state, attempts })),
    );
    const { rows } = await database.pool.query(
      'select count(*) as count from webhook_deliveries where endpoint_id = $1 and is_probe',
      [endpointId],
    );
    expect(Number(rows[0].count)).to.equal(12);
  });

  it('disables at once on 410, tells once and writes the audit log', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 2);
    const claim = await bench.claim(endpointId, 'a');
    await bench.settle(claim, 'a', [answered(410), answered(410)]);
    expect(await circuit(endpointId)).to.deep.equal({ circuit_state: 'disabled', disabled_reason: 'gone' });
    expect(await bench.ask(endpointId, 'a')).to.deep.equal({ type: 'idle', until: null });
    const notices = await takeNotices(database.pool, 100, clock.now());
    const own = notices.filter((notice) => notice.endpoint_id === endpointId);
    expect(own).to.have.length(1);
    expect(own[0]).to.deep.include({ kind: 'webhook_endpoint.disabled', org_id: orgId });
    expect(own[0]!.data).to.include({ reason: 'gone', url: 'https://hooks.example.com/in' });
    expect(await takeNotices(database.pool, 100, clock.now()), 'taken once').to.deep.equal([]);
    const audit = await database.pool.query('select action, after from audit_log where org_id = $1', [orgId]);
    expect(audit.rows).to.have.length(1);
    expect(audit.rows[0].action).to.equal('disableWebhookEndpoint');
    await bench.recordScans(orgId, 1);
    expect(await dispatches(endpointId), 'what arrives meanwhile is stored').to.have.length(3);
  });

  it('warns after one, three and four days of failure and disables after five', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 12);
    await openCircuit(endpointId);
    const startedAt = clock.now().getTime();
    const kinds: [string, number][] = [];
    while ((await circuit(endpointId)).circuit_state !== 'disabled') {
      const idle = await bench.ask(endpointId, 'a');
      if (idle.type === 'idle') clock.set(idle.until!);
      const result = await bench.ask(endpointId, 'a');
      if (result.type === 'claimed') await bench.settle(result.claim, 'a', [answered(503)]);
      for (const { kind } of await takeNotices(database.pool, 10, clock.now()))
        kinds.push([kind, Math.floor((clock.now().getTime() - startedAt) / DAY)]);
    }
    expect(kinds).to.deep.equal([
      ['webhook_endpoint.warned', 1],
      ['webhook_endpoint.warned', 3],
      ['webhook_endpoint.warned', 4],
      ['webhook_endpoint.disabled', 5],
    ]);
  });

  it('holds the whole endpoint for as long as Retry-After asks, and no other answer shortens it', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 6);
    const until = new Date(clock.now().getTime() + 3600_000);
    const claim = await bench.claim(endpointId, 'a', 4);
    const outcomes = [answered(204), answered(429, '', '3600'), answered(503, '', '60'), answered(200)];
    expect((await bench.settle(claim, 'a', outcomes)).mayGoOn).to.equal(false);
    clock.advance(1000);
    expect(await bench.ask(endpointId, 'a')).to.deep.equal({ type: 'idle', until });
    await bench.recordScans(orgId, 1);
    expect(await listDueEndpointIds(database.pool, orgId, clock.now())).to.deep.equal([]);
    expect(await listNeglectedEndpointIds(database.pool, clock.now(), 10)).not.to.include(endpointId);
    expect(await announced(endpointId)).to.deep.equal([null, until, until, null]);
    clock.set(until);
    expect((await bench.claim(endpointId, 'b')).deliveries).to.have.length(5);
  });

  it('announces no attempt that a disabled or an open circuit will not let go', async () => {
    const gone = await bench.createEndpoint(orgId);
    const failing = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 10);
    const claim = await bench.claim(gone, 'a', 3);
    await bench.settle(claim, 'a', [answered(500), answered(410), failed('timeout')]);
    expect(await announced(gone)).to.deep.equal([null, null, null]);
    expect((await dispatches(gone)).map(({ state }) => state)).to.deep.equal(Array(10).fill('pending'));
    await openCircuit(failing);
    const openUntil = new Date(clock.now().getTime() + 30_000);
    expect(await announced(failing)).to.deep.equal(Array.from({ length: 10 }, () => openUntil));
  });

  it('keeps what became of an attempt whose endpoint is deleted meanwhile: a success delivers, the rest is discarded', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 3);
    const claim = await bench.claim(endpointId, 'a', 3);
    await withTransaction(database.pool, ({ db }) => deleteEndpoint({ clock }, db, orgId, endpointId));
    expect((await bench.settle(claim, 'a', [answered(500)])).mayGoOn).to.equal(false);
    expect(await discardForDeletedEndpoints(bench.deps)).to.equal(3);
    expect((await dispatches(endpointId)).map(({ state }) => state)).to.deep.equal(
      Array(3).fill('discarded'),
    );
    const late = { ...claim, deliveries: claim.deliveries.slice(1) };
    expect((await bench.settle(late, 'a', [answered(200), answered(500)])).mayGoOn).to.equal(false);
    expect((await dispatches(endpointId)).map(({ state }) => state)).to.deep.equal([
      'discarded',
      'delivered',
      'discarded',
    ]);
    const page = { limit: 10, beforeId: null };
    const log = await listEndpointDeliveries(database.pool, orgId, endpointId, {}, page);
    expect(log.rows.map(({ outcome }) => outcome)).to.have.members(['delivered', 'failed', 'failed']);
    expect(await announced(endpointId)).to.deep.equal([null, null, null]);
    expect(await bench.ask(endpointId, 'a')).to.deep.equal({ type: 'idle', until: null });
  });
});
