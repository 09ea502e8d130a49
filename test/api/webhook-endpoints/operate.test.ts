import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { markEndpointDeleted } from '../../../shared/webhooks/endpoint-repository.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { whileHeld } from '../../support/held-row.ts';
import { answered } from '../../support/outcomes.ts';
import { createWebhookBench, dispatchesOf, type WebhookBench } from '../../support/webhook-turns.ts';

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
      const { url, events } = endpoint;
      for (const asked of [
        org.patch(`/webhook-endpoints/${endpoint.id}`, bad),
        org.post('/webhook-endpoints', { url, events, ...bad }),
      ])
        expect((await asked).status, JSON.stringify(bad)).to.equal(422);
    }
  });

  it('keeps the headers that a change does not name', async () => {
    const endpoint = await org.createEndpoint({ headers: { 'X-Tenant': 'seven' } });
    const { body } = await org.patch(`/webhook-endpoints/${endpoint.id}`, { description: 'ERP' }).expect(200);
    expect(body.headerNames).to.deep.equal(['X-Tenant']);
    await bench.recordScans(org.uuid, 1);
    expect((await bench.claim(decodeId('whep', endpoint.id)!, 'a')).headers).to.deep.equal({
      'X-Tenant': 'seven',
    });
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
    // The next rotation takes away what has ended.
    await org.post(`/webhook-endpoints/${first.id}/rotate-secret`).expect(200);
    const { rows } = await api.database.pool.query(
      'select count(*)::int as secrets from webhook_secrets where endpoint_id = $1',
      [endpointId],
    );
    expect(rows).to.deep.equal([{ secrets: 2 }]);
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
    expect(await dispatchesOf(api.database.pool, other)).to.deep.equal([]);
    expect(await dispatchesOf(api.database.pool, uuid)).to.deep.equal([]);
  });

  for (const fifo of [false, true])
    it(`sends a test ${fifo ? 'after all that waits in FIFO order' : 'before all that waits'}`, async () => {
      await org.patch(`/webhook-endpoints/${id}`, { fifo }).expect(200);
      await bench.recordScans(org.uuid, 3);
      const oldest = (await dispatchesOf(api.database.pool, uuid))[0]!.due_at;
      api.clock.advance(1_000);
      const { eventId } = (await org.post(`/webhook-endpoints/${id}/test`).expect(202)).body;
      const sent: string[] = [];
      for (let n = 0; n < 4; n += 1) {
        const claim = await bench.claim(uuid, 'a', 1);
        sent.push(claim.deliveries[0]!.publicEventId);
        await bench.settle(claim, 'a', [answered(204)]);
      }
      expect(sent.indexOf(eventId)).to.equal(fifo ? 3 : 0);
      // Not so early that the installation's status would tell of work that waits for long.
      const test = (await dispatchesOf(api.database.pool, uuid)).at(-1)!;
      if (!fifo) expect(oldest.getTime() - test.due_at.getTime()).to.equal(1);
    });

  it('puts a test that went before all that waits in its place where FIFO order is asked for afterwards', async () => {
    const events = await bench.recordScans(org.uuid, 2);
    api.clock.advance(1_000);
    await org.post(`/webhook-endpoints/${id}/test`).expect(202);
    api.clock.advance(1_000);
    events.push(...(await bench.recordScans(org.uuid, 1)));
    await org.patch(`/webhook-endpoints/${id}`, { fifo: true }).expect(200);
    const { deliveries } = await bench.claim(uuid, 'a', 8);
    expect(deliveries.map(({ eventType }) => eventType === 'webhook.test')).to.deep.equal([
      false,
      false,
      true,
      false,
    ]);
    expect(deliveries.map(({ eventId }) => eventId).filter((one) => events.includes(one))).to.deep.equal(
      events,
    );
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
    expect((await bench.deliverAll(uuid, 204)).deliveries).to.have.length(1);
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
    expect((await bench.deliverAll(uuid, 200)).deliveries).to.have.length(2);
  });

  it('replays an event with its id, a new delivery and a full schedule, also after its success', async () => {
    await bench.recordScans(org.uuid, 1);
    const first = await bench.deliverAll(uuid, 200);
    const eventId = first.deliveries[0]!.publicEventId;
    const { body } = await org.post(`/events/${eventId}/replay`).expect(202);
    expect(body).to.deep.equal({ eventId, endpointIds: [id] });
    const again = await bench.claim(uuid, 'a');
    expect(again.deliveries[0]!.publicEventId).to.equal(eventId);
    expect(again.deliveries[0]!.publicDeliveryId).not.to.equal(first.deliveries[0]!.publicDeliveryId);
    expect(again.deliveries[0]!.attempt).to.equal(1);
    const log = (await org.get(`/webhook-endpoints/${id}/deliveries`).expect(200)).body.data;
    expect(
      log.map(({ outcome }: { outcome: string }) => outcome),
      'newest first',
    ).to.deep.equal(['pending', 'delivered']);
  });

  for (const { fifo, status } of [
    { fifo: false, status: 500 },
    { fifo: true, status: 500 },
    { fifo: false, status: 200 },
  ]) {
    it(`replays an event whose last attempt is out and ${status === 200 ? 'delivers it' : 'fails'}${fifo ? ', in FIFO order' : ''}`, async () => {
      const one = await org.createEndpoint({ retryDelaysSeconds: [], fifo });
      const oneUuid = decodeId('whep', one.id)!;
      await bench.recordScans(org.uuid, 1);
      const out = await bench.claim(oneUuid, 'a');
      await org
        .post(`/events/${out.deliveries[0]!.publicEventId}/replay`, { endpointId: one.id })
        .expect(202);
      expect((await bench.ask(oneUuid, 'a', 1, true)).type, 'not twice at a time').to.equal('idle');
      await bench.settle(out, 'a', [answered(status)]);
      if (status === 200) {
        expect((await dispatchesOf(api.database.pool, oneUuid))[0]!.state).to.equal('delivered');
        return;
      }
      const again = await bench.claim(oneUuid, 'a');
      expect(again.deliveries.map(({ attempt }) => attempt)).to.deep.equal([1]);
      await bench.settle(again, 'a', [answered(200)]);
      expect((await dispatchesOf(api.database.pool, oneUuid))[0]!.state).to.equal('delivered');
    });
  }

  it('replays to all others where one of them is being deleted', async () => {
    const other = await org.createEndpoint();
    const otherUuid = decodeId('whep', other.id)!;
    await bench.recordScans(org.uuid, 1);
    const { deliveries } = await bench.deliverAll(otherUuid, 200);
    const row = { text: 'select 1 from webhook_endpoints where id = $1 for update', values: [uuid] };
    await whileHeld(api.database.pool, row, async ({ holder, waiting, release }) => {
      const replayed = Promise.resolve(org.post(`/events/${deliveries[0]!.publicEventId}/replay`));
      await waiting(1);
      await markEndpointDeleted(holder, uuid, api.clock.now());
      await release();
      const { status, body } = await replayed;
      expect({ status, sentTo: body.endpointIds }).to.deep.equal({ status: 202, sentTo: [other.id] });
    });
    expect((await dispatchesOf(api.database.pool, otherUuid))[0]!.state).to.equal('pending');
  });

  it('replays to an endpoint that did not ask for the event, and to no stranger’s', async () => {
    await bench.recordScans(org.uuid, 1);
    const { deliveries } = await bench.deliverAll(uuid, 200);
    const eventId = deliveries[0]!.publicEventId;
    const narrow = await org.createEndpoint({ events: ['product.diverted'] });
    await org.post(`/events/${eventId}/replay`, { endpointId: narrow.id }).expect(202);
    expect(await dispatchesOf(api.database.pool, decodeId('whep', narrow.id)!)).to.have.length(1);
    const stranger = await api.createOrganization();
    const theirs = await stranger.createEndpoint();
    expect((await org.post(`/events/${eventId}/replay`, { endpointId: theirs.id })).status).to.equal(404);
    expect((await stranger.post(`/events/${eventId}/replay`)).status).to.equal(404);
    for (const path of ['rotate-secret', 'test', 'enable', 'disable'])
      expect((await stranger.post(`/webhook-endpoints/${id}/${path}`)).status, path).to.equal(404);
  });
});
