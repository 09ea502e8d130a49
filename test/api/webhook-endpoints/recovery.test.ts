import { expect } from 'chai';
import type { Pool } from '../../../shared/db.ts';
import { decodeId } from '../../../shared/ids.ts';
import { stepRecovery } from '../../../shared/webhooks/recoveries.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { markEndpointDeleted } from '../../../shared/webhooks/endpoint-repository.ts';
import { answered } from '../../support/outcomes.ts';
import { createWebhookBench, dispatchesOf, type WebhookBench } from '../../support/webhook-turns.ts';

const HOUR = 3600_000;

describe('the recovery of an endpoint', () => {
  let api: TestApi;
  let org: TestOrganization;
  let bench: WebhookBench;
  let id: string;
  let uuid: string;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());
  beforeEach(async () => {
    // Ids carry the real time, and a recovery looks for events by it.
    api.clock.set(new Date());
    org = await api.createOrganization();
    bench = createWebhookBench({ db: api.deps.db, clock: api.clock, secretBox: api.deps.secretBox });
    ({ id } = await org.createEndpoint());
    uuid = decodeId('whep', id)!;
  });

  const recover = (body: object, endpointId = id) =>
    org.post(`/webhook-endpoints/${endpointId}/recover`, body);
  const since = () => new Date(api.clock.now().getTime() - HOUR).toISOString();
  /** Takes steps until the recovery is over. @returns how many. */
  const runRecovery = async (recoveryId: string): Promise<number> => {
    const deps = { db: api.deps.db, clock: api.clock, waker: bench.waker };
    for (let steps = 1; ; steps += 1) {
      const step = await stepRecovery(deps, decodeId('rcv', recoveryId)!);
      if (step.type === 'over') return steps;
      api.clock.set(step.at);
    }
  };

  it('sends what was never tried, what was exhausted, and not what was delivered', async () => {
    const events = await bench.recordScans(org.uuid, 3);
    await bench.deliverAll(uuid, 200);
    await api.database.pool.query(
      `update webhook_dispatches set state = 'exhausted', attempts = 10 where event_id = $1`,
      [events[1]],
    );
    await api.database.pool.query('delete from webhook_dispatches where event_id = $1', [events[2]]);
    api.clock.advance(1_000);
    const { body, headers } = await recover({ since: since() }).expect(202);
    expect(body).to.deep.include({ status: 'queued', progress: { done: 0, total: null, recovered: 0 } });
    await runRecovery(body.id);
    const done = (await org.get(headers['location']!.replace('/api/v1', '')).expect(200)).body;
    expect(done).to.deep.include({ status: 'completed', progress: { done: 3, total: 3, recovered: 2 } });
    const claim = await bench.claim(uuid, 'a');
    expect(claim.deliveries.map(({ eventId }) => eventId)).to.have.members([events[1], events[2]]);
    expect(claim.deliveries.map(({ attempt }) => attempt)).to.deep.equal([1, 1]);
  });

  it('sends a new endpoint the events from before it was there', async () => {
    await bench.recordScans(org.uuid, 4);
    const late = await org.createEndpoint();
    const lateUuid = decodeId('whep', late.id)!;
    expect(await dispatchesOf(api.database.pool, lateUuid)).to.deep.equal([]);
    api.clock.advance(1_000);
    await runRecovery((await recover({ since: since() }, late.id).expect(202)).body.id);
    expect(await dispatchesOf(api.database.pool, lateUuid)).to.have.length(4);
  });

  it('sends what is of the endpoint’s products alone', async () => {
    const { id: productId } = await org.createProduct();
    await bench.recordScans(org.uuid, 2);
    const [own] = await bench.recordScans(org.uuid, 1, decodeId('prod', productId));
    const late = await org.createEndpoint({ productIds: [productId] });
    api.clock.advance(1_000);
    await runRecovery((await recover({ since: since() }, late.id).expect(202)).body.id);
    const { deliveries } = await bench.claim(decodeId('whep', late.id)!, 'a');
    expect(deliveries.map(({ eventId }) => eventId)).to.deep.equal([own]);
  });

  it('keeps to its rate, and resumes where it was after a crash', async () => {
    await bench.recordScans(org.uuid, 5);
    await api.database.pool.query('delete from webhook_dispatches where endpoint_id = $1', [uuid]);
    api.clock.advance(1_000);
    const { body } = await recover({ since: since(), ratePerSecond: 2 }).expect(202);
    const deps = { db: api.deps.db, clock: api.clock, waker: bench.waker };
    const recoveryId = decodeId('rcv', body.id)!;
    await stepRecovery(deps, recoveryId);
    expect(await dispatchesOf(api.database.pool, uuid)).to.have.length(2);
    const path = `/webhook-endpoints/${id}/recoveries/${body.id}`;
    const startedAt = api.clock.now().toISOString();
    expect((await org.get(path).expect(200)).body).to.include({
      status: 'running',
      startedAt,
      finishedAt: null,
    });
    await stepRecovery(deps, recoveryId);
    expect(await dispatchesOf(api.database.pool, uuid), 'a doubled wake-up does not hurry it').to.have.length(
      2,
    );
    // The worker dies in the middle of a step: nothing of it is there.
    api.clock.advance(1_000);
    const client = await api.deps.db.connect();
    const dying = {
      query: (...args: [string]) =>
        args[0] === 'commit' ? Promise.reject(new Error('killed')) : client.query(...args),
      release: (error?: Error) => client.release(error),
    };
    const connect = async () => dying;
    const query = api.deps.db.query.bind(api.deps.db);
    const broken = { ...deps, db: { connect, query } as unknown as typeof deps.db };
    const death = await stepRecovery(broken, recoveryId).then(
      () => null,
      (error: Error) => error.message,
    );
    expect(death).to.equal('killed');
    expect(await dispatchesOf(api.database.pool, uuid)).to.have.length(2);
    expect(await runRecovery(body.id)).to.be.at.least(2);
    expect(await dispatchesOf(api.database.pool, uuid)).to.have.length(5);
    const finishedAt = api.clock.now().toISOString();
    expect((await org.get(path).expect(200)).body).to.include({ status: 'completed', startedAt, finishedAt });
  });

  it('has looked at all that there is when it is over, also where the filter changed meanwhile', async () => {
    await bench.recordScans(org.uuid, 4);
    api.clock.advance(1_000);
    const start = async (events: string[]) => {
      const endpoint = await org.createEndpoint({ events });
      const { body } = await recover({ since: since(), ratePerSecond: 1 }, endpoint.id).expect(202);
      return { path: `/webhook-endpoints/${endpoint.id}`, recoveryId: body.id as string };
    };
    const step = (recoveryId: string) =>
      stepRecovery({ db: api.deps.db, clock: api.clock, waker: bench.waker }, decodeId('rcv', recoveryId)!);
    const progressOf = async ({ path, recoveryId }: Awaited<ReturnType<typeof start>>) =>
      (await org.get(`${path}/recoveries/${recoveryId}`).expect(200)).body.progress;

    const narrowed = await start(['scan.recorded']);
    await step(narrowed.recoveryId);
    expect(await progressOf(narrowed)).to.deep.equal({ done: 1, total: 4, recovered: 1 });
    await org.patch(narrowed.path, { events: ['product.diverted'] }).expect(200);
    await runRecovery(narrowed.recoveryId);
    expect(await progressOf(narrowed)).to.deep.equal({ done: 1, total: 1, recovered: 1 });

    // Two of them are found as the recovery goes on.
    const { pool } = api.database;
    const hidden = await pool.query<{ id: string }>(
      `update events set type = 'product.diverted' where id in
         (select id from events where org_id = $1 order by id desc limit 2) returning id`,
      [org.uuid],
    );
    expect(hidden.rowCount).to.equal(2);
    const widened = await start(['scan.recorded']);
    await step(widened.recoveryId);
    await org.patch(widened.path, { events: ['*'] }).expect(200);
    for (const done of [2, 3]) {
      api.clock.advance(1_000);
      await step(widened.recoveryId);
      expect(await progressOf(widened)).to.deep.equal({ done, total: Math.max(2, done), recovered: done });
    }
    await runRecovery(widened.recoveryId);
    expect(await progressOf(widened)).to.deep.equal({ done: 4, total: 4, recovered: 4 });
  });

  describe('of more events than are counted in a moment', () => {
    /** @param counting what happens before the events are counted */
    const whileCounting = (counting: () => Promise<unknown>): Pool => {
      const { db } = api.deps;
      const connect = async () => {
        const client = await db.connect();
        return {
          query: async (...args: [string]) => {
            if (/count\(\*\) as count from events/.test(args[0])) await counting();
            return client.query(...args);
          },
          release: (error?: Error) => client.release(error),
        };
      };
      return { query: db.query.bind(db), connect } as unknown as Pool;
    };
    const step = (recoveryId: string, db: Pool) =>
      stepRecovery({ db, clock: api.clock, waker: bench.waker }, decodeId('rcv', recoveryId)!);

    it('can be cancelled while they are counted, and its endpoint be disabled', async () => {
      await bench.recordScans(org.uuid, 3);
      api.clock.advance(1_000);
      const { body } = await recover({ since: since() }).expect(202);
      const statuses: number[] = [];
      const ask = async () => {
        for (const path of ['disable', `recoveries/${body.id}/cancel`])
          statuses.push((await org.post(`/webhook-endpoints/${id}/${path}`)).status);
      };
      expect(await step(body.id, whileCounting(ask))).to.deep.equal({ type: 'over' });
      expect(statuses).to.deep.equal([200, 200]);
    });

    it('begins uncounted where that takes too long', async () => {
      await bench.recordScans(org.uuid, 2);
      await api.database.pool.query('delete from webhook_dispatches where endpoint_id = $1', [uuid]);
      api.clock.advance(1_000);
      const { body } = await recover({ since: since(), ratePerSecond: 1 }).expect(202);
      let counts = 0;
      const db = whileCounting(() => {
        counts += 1;
        return Promise.reject(Object.assign(new Error('statement timeout'), { code: '57014' }));
      });
      const progress = async () =>
        (await org.get(`/webhook-endpoints/${id}/recoveries/${body.id}`).expect(200)).body.progress;
      await step(body.id, db);
      expect(await progress()).to.deep.equal({ done: 1, total: null, recovered: 1 });
      api.clock.advance(1_000);
      await step(body.id, db);
      expect(counts).to.equal(1);
      await runRecovery(body.id);
      expect(await progress()).to.deep.equal({ done: 2, total: 2, recovered: 2 });
    });
  });

  it('sends what waits for a later attempt now, with a full schedule', async () => {
    const [first, second] = await bench.recordScans(org.uuid, 2);
    await api.database.pool.query(
      `update webhook_dispatches set attempts = 8, due_at = due_at + interval '1 day' where event_id = $1`,
      [first],
    );
    api.clock.advance(1_000);
    const { body, headers } = await recover({ since: since() }).expect(202);
    await runRecovery(body.id);
    const done = (await org.get(headers['location']!.replace('/api/v1', '')).expect(200)).body;
    expect(done.progress).to.deep.equal({ done: 2, total: 2, recovered: 1 });
    const claim = await bench.claim(uuid, 'a');
    expect(claim.deliveries.map(({ eventId, attempt }) => [eventId, attempt])).to.have.deep.members([
      [first, 1],
      [second, 1],
    ]);
  });

  describe('in FIFO order', () => {
    let inOrder: string;
    let events: string[];

    beforeEach(async () => {
      const { id: endpointId } = await org.createEndpoint({ fifo: true });
      id = endpointId as string;
      inOrder = decodeId('whep', id)!;
      events = await bench.recordScans(org.uuid, 3);
      const claim = await bench.claim(inOrder, 'a');
      await bench.settle(claim, 'a', [answered(500), null, null]);
      expect(await bench.ask(inOrder, 'a')).to.include({ type: 'idle' });
    });
    const waits = async (): Promise<boolean> => (await bench.ask(inOrder, 'a')).type === 'idle';

    it('sends the event that waits in front now, with a full schedule, and the others behind it', async () => {
      api.clock.advance(1_000);
      const { body } = await recover({ since: since() }).expect(202);
      await runRecovery(body.id);
      const { progress } = (await org.get(`/webhook-endpoints/${id}/recoveries/${body.id}`)).body;
      expect(progress).to.include({ done: 3, recovered: 1 });
      const claim = await bench.claim(inOrder, 'a');
      expect(claim.deliveries.map(({ eventId }) => eventId)).to.deep.equal(events);
      expect(claim.deliveries.map(({ attempt }) => attempt)).to.deep.equal([1, 1, 1]);
      // Where the receiver is not mended, it waits again.
      await bench.settle(claim, 'a', [answered(500), null, null]);
      expect(await waits()).to.equal(true);
    });

    it('leaves the endpoint waiting for an event that is not among them', async () => {
      // The first 48 bits of an id are its time.
      const after = new Date(parseInt(events[2]!.replaceAll('-', '').slice(0, 12), 16) + 1);
      api.clock.set(new Date(after.getTime() + 1_000));
      await runRecovery((await recover({ since: after.toISOString() }).expect(202)).body.id);
      expect(await waits()).to.equal(true);
    });
  });

  it('passes over what was delivered at once, whatever its rate', async () => {
    const events = await bench.recordScans(org.uuid, 6);
    await api.database.pool.query(
      `update webhook_dispatches set state = case when event_id = any($1) then 'exhausted' else 'delivered' end`,
      [[events[0], events[4], events[5]]],
    );
    api.clock.advance(1_000);
    const { body } = await recover({ since: since(), ratePerSecond: 2 }).expect(202);
    const deps = { db: api.deps.db, clock: api.clock, waker: bench.waker };
    await stepRecovery(deps, decodeId('rcv', body.id)!);
    const pending = async () =>
      (await dispatchesOf(api.database.pool, uuid)).filter(({ state }) => state === 'pending');
    expect(await pending()).to.have.length(2);
    expect(await runRecovery(body.id)).to.equal(2);
    expect(await pending()).to.have.length(3);
  });

  it('takes no step while its endpoint is being deleted, and does not stand in the way', async () => {
    await bench.recordScans(org.uuid, 3);
    api.clock.advance(1_000);
    const { body } = await recover({ since: since() }).expect(202);
    const { pool } = api.database;
    const deleting = await pool.connect();
    try {
      await deleting.query('begin');
      await deleting.query('select 1 from webhook_endpoints where id = $1 for update', [uuid]);
      const deps = { db: api.deps.db, clock: api.clock, waker: bench.waker };
      const step = stepRecovery(deps, decodeId('rcv', body.id)!);
      step.catch(() => undefined);
      await eventually('the step to wait for the endpoint', async () => {
        const { rowCount } = await pool.query(
          `select 1 from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and query like '%webhook_endpoints%'`,
        );
        return rowCount === 1;
      });
      await markEndpointDeleted(deleting, uuid, api.clock.now());
      await deleting.query('commit');
      expect(await step).to.deep.equal({ type: 'over' });
    } finally {
      deleting.release();
    }
    const { rows } = await pool.query('select status from webhook_recoveries where endpoint_id = $1', [uuid]);
    expect(rows).to.deep.equal([{ status: 'cancelled' }]);
  });

  it('can be cancelled, once; another may start then and not before', async () => {
    await bench.recordScans(org.uuid, 3);
    api.clock.advance(1_000);
    const { body } = await recover({ since: since(), ratePerSecond: 1 }).expect(202);
    expect((await recover({ since: since() })).status).to.equal(409);
    const path = `/webhook-endpoints/${id}/recoveries/${body.id}`;
    const cancelled = await org.post(`${path}/cancel`).expect(200);
    expect(cancelled.body.status).to.equal('cancelled');
    await org.post(`${path}/cancel`).expect(200);
    expect(await runRecovery(body.id)).to.equal(1);
    const second = await recover({ since: since() }).expect(202);
    await runRecovery(second.body.id);
    expect((await org.post(`/webhook-endpoints/${id}/recoveries/${second.body.id}/cancel`)).status).to.equal(
      409,
    );
    const list = (await org.get(`/webhook-endpoints/${id}/recoveries`).expect(200)).body;
    expect(list.data.map(({ status }: { status: string }) => status)).to.deep.equal([
      'completed',
      'cancelled',
    ]);
  });

  it('refuses a time to come, and shows a stranger nothing', async () => {
    const tomorrow = new Date(api.clock.now().getTime() + 24 * HOUR).toISOString();
    expect((await recover({ since: tomorrow })).status).to.equal(422);
    const { body } = await recover({ since: since() }).expect(202);
    const stranger = await api.createOrganization();
    for (const response of [
      await stranger.get(`/webhook-endpoints/${id}/recoveries`),
      await stranger.get(`/webhook-endpoints/${id}/recoveries/${body.id}`),
      await stranger.post(`/webhook-endpoints/${id}/recoveries/${body.id}/cancel`),
      await stranger.post(`/webhook-endpoints/${id}/recover`, { since: since() }),
    ])
      expect(response.status).to.equal(404);
  });
});
