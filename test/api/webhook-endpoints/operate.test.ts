import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { stepRecovery } from '../../../shared/webhooks/recoveries.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { answered } from '../../support/outcomes.ts';
import { markEndpointDeleted } from '../../../shared/webhooks/endpoint-repository.ts';
import { createWebhookBench, type WebhookBench } from '../../support/webhook-turns.ts';

const HOUR = 3600_000;

describe('what a person does to an endpoint', () => {
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

  const dispatches = async (endpointId = uuid) =>
    (
      await api.database.pool.query<{ event_id: string; state: string; attempts: number }>(
        'select event_id, state, attempts from webhook_dispatches where endpoint_id = $1 order by event_id',
        [endpointId],
      )
    ).rows;
  const deliverAll = async (status: number) => {
    const claim = await bench.claim(uuid, 'a');
    await bench.settle(
      claim,
      'a',
      claim.deliveries.map(() => answered(status)),
    );
    await bench.ask(uuid, 'a');
    return claim;
  };

  it('takes every option, shows it again, and refuses what makes no sense', async () => {
    const product = await org.createProduct();
    const options = {
      concurrency: 4,
      ratePerSecond: 50,
      fifo: false,
      retryDelaysSeconds: [1, 60],
      productIds: [product.id],
    };
    const endpoint = await org.createEndpoint({ ...options, headers: { 'X-Tenant': 'seven' } });
    expect(endpoint).to.deep.include({ ...options, headerNames: ['X-Tenant'] });
    expect(endpoint).not.to.have.property('headers');
    const { body } = await org
      .patch(`/webhook-endpoints/${endpoint.id}`, {
        fifo: true,
        concurrency: null,
        headers: {},
        productIds: null,
      })
      .expect(200);
    expect(body).to.deep.include({ fifo: true, concurrency: null, headerNames: [], productIds: null });
    expect(body.ratePerSecond, 'not given, not changed').to.equal(50);
    for (const bad of [
      { concurrency: 0 },
      { ratePerSecond: 1.5 },
      { retryDelaysSeconds: [0] },
      { headers: { Host: 'x' } },
      { headers: { 'X-Service-Event': 'x' } },
      { headers: { 'X-Bad': 'a\r\nb: c' } },
      { productIds: [] },
      { productIds: [(await (await api.createOrganization()).createProduct()).id] },
    ]) {
      const response = await org.patch(`/webhook-endpoints/${endpoint.id}`, bad);
      expect(response.status, JSON.stringify(bad)).to.equal(422);
    }
  });

  it('rotates the secret: several sign during the overlap, the old ones end with it', async () => {
    const first = await org.createEndpoint();
    const endpointId = decodeId('whep', first.id)!;
    const rotated = await org.post(`/webhook-endpoints/${first.id}/rotate-secret`, { overlapSeconds: 3600 });
    expect(rotated.status).to.equal(200);
    expect(rotated.body.secret)
      .to.match(/^whsec_/)
      .and.not.to.equal(first.secret);
    expect(rotated.body.previousValidUntil).to.equal(
      new Date(api.clock.now().getTime() + HOUR).toISOString(),
    );
    await bench.recordScans(org.uuid, 1);
    const during = await bench.claim(endpointId, 'a');
    expect(during.secrets).to.deep.equal([rotated.body.secret, first.secret]);
    await bench.settle(during, 'a', [null]);
    api.clock.advance(HOUR);
    expect((await bench.claim(endpointId, 'a')).secrets).to.deep.equal([rotated.body.secret]);
  });

  it('ends the present secrets at once with an overlap of 0, and refuses to gather more than five', async () => {
    for (let n = 0; n < 4; n += 1) await org.post(`/webhook-endpoints/${id}/rotate-secret`).expect(200);
    expect((await org.post(`/webhook-endpoints/${id}/rotate-secret`)).status).to.equal(409);
    const { body } = await org
      .post(`/webhook-endpoints/${id}/rotate-secret`, { overlapSeconds: 0 })
      .expect(200);
    await bench.recordScans(org.uuid, 1);
    expect((await bench.claim(uuid, 'a')).secrets).to.deep.equal([body.secret]);
    expect(
      (await org.post(`/webhook-endpoints/${id}/rotate-secret`, { overlapSeconds: 8 * 24 * 3600 })).status,
    ).to.equal(422);
  });

  it('sends a test to that endpoint alone, with the same answer whatever is there', async () => {
    const other = await bench.createEndpoint(org.uuid);
    const narrow = await org.createEndpoint({ events: ['product.diverted'] });
    const { body, headers } = await org.post(`/webhook-endpoints/${narrow.id}/test`).expect(202);
    expect(Object.keys(body)).to.deep.equal(['eventId', 'nextAttemptAt']);
    expect(body.nextAttemptAt).to.equal(api.clock.now().toISOString());
    expect(headers['location']).to.equal(
      `/api/v1/webhook-endpoints/${narrow.id}/deliveries?eventId=${body.eventId}`,
    );
    const claim = await bench.claim(decodeId('whep', narrow.id)!, 'a');
    expect(claim.deliveries.map(({ eventType }) => eventType)).to.deep.equal(['webhook.test']);
    expect(await dispatches(other)).to.deep.equal([]);
    expect(await dispatches()).to.deep.equal([]);
  });

  /** Ten refusals open the circuit. */
  const openCircuit = async () => {
    await bench.recordScans(org.uuid, 12);
    const claim = await bench.claim(uuid, 'a', 10);
    await bench.settle(
      claim,
      'a',
      claim.deliveries.map(() => answered(500)),
    );
    await bench.ask(uuid, 'a');
  };

  it('says how many events wait, and stops counting at a thousand', async () => {
    await org.post(`/webhook-endpoints/${id}/disable`).expect(200);
    const waiting = async () => (await org.get(`/webhook-endpoints/${id}`).expect(200)).body.waitingCount;
    expect(await waiting()).to.equal(0);
    await bench.recordScans(org.uuid, 2);
    expect(await waiting()).to.equal(2);
    await api.database.pool.query(
      `insert into webhook_dispatches (event_id, endpoint_id, org_id, due_at)
       select overlay(event_id::text placing lpad(n::text, 12, '0') from 25)::uuid, endpoint_id, org_id, due_at
         from (select * from webhook_dispatches where endpoint_id = $1 limit 1) one, generate_series(1, 1200) n`,
      [uuid],
    );
    expect(await waiting()).to.equal(1000);
  });

  it('says until when a test waits while the circuit is open', async () => {
    await openCircuit();
    const { body } = await org.post(`/webhook-endpoints/${id}/test`).expect(202);
    expect(Date.parse(body.nextAttemptAt) - api.clock.now().getTime()).to.equal(30_000);
  });

  it('tries a changed URL at once where the circuit was open, with a clean record', async () => {
    await openCircuit();
    expect(await bench.ask(uuid, 'a')).to.have.property('type', 'idle');
    const wokenBefore = bench.wakeUps.length;
    const described = await org
      .patch(`/webhook-endpoints/${id}`, { description: 'no new address' })
      .expect(200);
    expect(described.body.circuit).to.deep.include({ state: 'open' });
    expect(await bench.ask(uuid, 'a')).to.have.property('type', 'idle');
    expect(bench.wakeUps).to.have.length(wokenBefore);
    const { body } = await org
      .patch(`/webhook-endpoints/${id}`, { url: 'https://example.com/moved' })
      .expect(200);
    expect(body.circuit).to.deep.include({ state: 'open', failingSince: null });
    expect(body.nextAttemptAt).to.equal(api.clock.now().toISOString());
    const probe = await bench.claim(uuid, 'a');
    expect([probe.url, probe.deliveries.length]).to.deep.equal(['https://example.com/moved', 1]);
    await bench.settle(probe, 'a', [answered(503)]);
    const { body: again } = await org.get(`/webhook-endpoints/${id}`).expect(200);
    expect(Date.parse(again.circuit.openUntil) - api.clock.now().getTime(), 'doubling starts over').to.equal(
      30_000,
    );
  });

  it('leaves an endpoint disabled whose URL changes, and says so', async () => {
    await org.post(`/webhook-endpoints/${id}/disable`).expect(200);
    const { body } = await org
      .patch(`/webhook-endpoints/${id}`, { url: 'https://example.com/moved' })
      .expect(200);
    expect(body.circuit).to.deep.include({ state: 'disabled', disabledReason: 'manual' });
    expect(body.nextAttemptAt).to.equal(null);
  });

  it('keeps the patience that a receiver asked for until the endpoint moves or is enabled', async () => {
    const patience = async () => {
      await bench.recordScans(org.uuid, 1);
      await bench.settle(await bench.claim(uuid, 'a', 1), 'a', [answered(429, '', '3600')]);
    };
    const isHeld = async () => {
      const { body } = await org.get(`/webhook-endpoints/${id}`).expect(200);
      return Date.parse(body.nextAttemptAt) - api.clock.now().getTime() === HOUR;
    };
    await patience();
    await org.patch(`/webhook-endpoints/${id}`, { concurrency: 2 }).expect(200);
    expect(await isHeld(), 'another option').to.equal(true);
    await org.patch(`/webhook-endpoints/${id}`, { url: 'https://example.com/moved' }).expect(200);
    await bench.recordScans(org.uuid, 1);
    expect((await deliverAll(204)).deliveries).to.have.length(1);
    await patience();
    expect(await isHeld(), 'again').to.equal(true);
    await org.post(`/webhook-endpoints/${id}/enable`).expect(200);
    await bench.recordScans(org.uuid, 1);
    expect((await bench.claim(uuid, 'a')).deliveries).to.have.length(1);
  });

  it('allows a test every five seconds, so that it is no scanner', async () => {
    await org.post(`/webhook-endpoints/${id}/test`).expect(202);
    const refused = await org.post(`/webhook-endpoints/${id}/test`);
    expect(refused.status).to.equal(429);
    expect(refused.headers['retry-after']).to.equal('5');
    api.clock.advance(5_000);
    await org.post(`/webhook-endpoints/${id}/test`).expect(202);
  });

  it('disables, keeps what arrives visible as parked, and resumes when enabled', async () => {
    const disabled = await org.post(`/webhook-endpoints/${id}/disable`).expect(200);
    expect(disabled.body.circuit).to.include({ state: 'disabled', disabledReason: 'manual' });
    await org.post(`/webhook-endpoints/${id}/disable`).expect(200);
    expect((await org.post(`/webhook-endpoints/${id}/test`)).status).to.equal(409);
    await bench.recordScans(org.uuid, 2);
    expect((await bench.ask(uuid, 'a')).type).to.equal('idle');
    const { body } = await org.get('/events').expect(200);
    const event = (await org.get(`/events/${body.data[0].id}`).expect(200)).body;
    expect(event.dispatches).to.deep.equal([
      { endpointId: id, state: 'parked', attempts: 0, nextAttemptAt: null, settledAt: null },
    ]);
    const enabled = await org.post(`/webhook-endpoints/${id}/enable`).expect(200);
    expect(enabled.body.circuit.state).to.equal('closed');
    expect((await deliverAll(200)).deliveries).to.have.length(2);
  });

  it('replays an event with its id, a new delivery and a full schedule, also after its success', async () => {
    await bench.recordScans(org.uuid, 1);
    const first = await deliverAll(200);
    const eventId = first.deliveries[0]!.publicEventId;
    const { body } = await org.post(`/events/${eventId}/replay`).expect(202);
    expect(body).to.deep.equal({ eventId, endpointIds: [id] });
    const again = await bench.claim(uuid, 'a');
    expect(again.deliveries[0]!.publicEventId).to.equal(eventId);
    expect(again.deliveries[0]!.publicDeliveryId).not.to.equal(first.deliveries[0]!.publicDeliveryId);
    expect(again.deliveries[0]!.attempt).to.equal(1);
  });

  it('replays to an endpoint that did not ask for the event, and to no stranger’s', async () => {
    await bench.recordScans(org.uuid, 1);
    const { deliveries } = await deliverAll(200);
    const eventId = deliveries[0]!.publicEventId;
    const narrow = await org.createEndpoint({ events: ['product.diverted'] });
    await org.post(`/events/${eventId}/replay`, { endpointId: narrow.id }).expect(202);
    expect(await dispatches(decodeId('whep', narrow.id)!)).to.have.length(1);
    const stranger = await api.createOrganization();
    const theirs = await stranger.createEndpoint();
    expect((await org.post(`/events/${eventId}/replay`, { endpointId: theirs.id })).status).to.equal(404);
    expect((await stranger.post(`/events/${eventId}/replay`)).status).to.equal(404);
    for (const path of ['rotate-secret', 'test', 'enable', 'disable'])
      expect((await stranger.post(`/webhook-endpoints/${id}/${path}`)).status, path).to.equal(404);
  });

  describe('recovery', () => {
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
      await deliverAll(200);
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
      expect(await dispatches(lateUuid)).to.deep.equal([]);
      api.clock.advance(1_000);
      await runRecovery((await recover({ since: since() }, late.id).expect(202)).body.id);
      expect(await dispatches(lateUuid)).to.have.length(4);
    });

    it('keeps to its rate, and resumes where it was after a crash', async () => {
      await bench.recordScans(org.uuid, 5);
      await api.database.pool.query('delete from webhook_dispatches where endpoint_id = $1', [uuid]);
      api.clock.advance(1_000);
      const { body } = await recover({ since: since(), ratePerSecond: 2 }).expect(202);
      const deps = { db: api.deps.db, clock: api.clock, waker: bench.waker };
      const recoveryId = decodeId('rcv', body.id)!;
      await stepRecovery(deps, recoveryId);
      expect(await dispatches()).to.have.length(2);
      await stepRecovery(deps, recoveryId);
      expect(await dispatches(), 'a doubled wake-up does not hurry it').to.have.length(2);
      // The worker dies in the middle of a step: nothing of it is there.
      api.clock.advance(1_000);
      const client = await api.deps.db.connect();
      const dying = {
        query: (...args: [string]) =>
          args[0] === 'commit' ? Promise.reject(new Error('killed')) : client.query(...args),
        release: (error?: Error) => client.release(error),
      };
      const connect = async () => dying;
      const broken = { ...deps, db: { connect } as unknown as typeof deps.db };
      await stepRecovery(broken, recoveryId).catch(() => undefined);
      expect(await dispatches()).to.have.length(2);
      expect(await runRecovery(body.id)).to.be.at.least(2);
      expect(await dispatches()).to.have.length(5);
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
      const { rows } = await pool.query('select status from webhook_recoveries where endpoint_id = $1', [
        uuid,
      ]);
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
      expect(
        (await org.post(`/webhook-endpoints/${id}/recoveries/${second.body.id}/cancel`)).status,
      ).to.equal(409);
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
});
