import { expect } from 'chai';
import { decodeId, encodeId, newUuid } from '../../../shared/ids.ts';
import { discardForDeletedEndpoints } from '../../../shared/webhooks/deleted-endpoints.ts';
import {
  countRows,
  createTestApi,
  dumpTable,
  type TestApi,
  type TestOrganization,
} from '../../support/api.ts';
import { answered } from '../../support/outcomes.ts';
import { createWebhookBench, type WebhookBench } from '../../support/webhook-turns.ts';
import { eventually } from '../../support/eventually.ts';
import { expectProblem } from '../../support/problem.ts';

describe('webhook endpoints', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  it('shows the secret once, at creation, and keeps it encrypted', async () => {
    const { body, headers } = await org
      .post('/webhook-endpoints', {
        url: 'https://hooks.example.com/a?b=1',
        events: ['*'],
        description: 'CRM',
      })
      .expect(201);
    expect(body.secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(headers['location']).to.equal(`/api/v1/webhook-endpoints/${body.id}`);
    const { secret, ...shown } = body;
    expect(shown).to.deep.include({
      url: 'https://hooks.example.com/a?b=1',
      events: ['*'],
      description: 'CRM',
    });
    expect(shown.circuit).to.include({ state: 'closed', disabledReason: null });
    expect((await org.get(`/webhook-endpoints/${body.id}`).expect(200)).body).to.deep.equal(shown);
    expect((await org.get('/webhook-endpoints').expect(200)).text).not.to.include('whsec_');
    const stored = await dumpTable(api.database, 'webhook_secrets');
    expect(stored).not.to.include(secret);
    expect(stored).to.match(/v1\.s1\./);
  });

  it('changes the fields that are given, and never shows the secret again', async () => {
    const { id } = await org.createEndpoint();
    const { body } = await org.patch(`/webhook-endpoints/${id}`, { events: ['scan.recorded'] }).expect(200);
    expect(body).to.deep.include({ events: ['scan.recorded'], url: 'https://hooks.example.com/in' });
    expect(body).not.to.have.property('secret');
    expectProblem(await org.patch(`/webhook-endpoints/${id}`, {}), 'VALIDATION_FAILED');
  });

  it('refuses to change what is not as it was read any more, and names it; the rest does not matter', async () => {
    const productId = (await org.createProduct()).id;
    const read = {
      url: 'https://hooks.example.com/in',
      events: ['*'],
      description: null,
      concurrency: null,
      ratePerSecond: 5,
      fifo: false,
      retryDelaysSeconds: [1, 2],
      productIds: [productId],
    };
    const { id } = await org.createEndpoint(read);
    const path = `/webhook-endpoints/${id}`;
    const faster = { description: 'Faster', expected: read };
    await org.patch(path, faster).expect(200);
    // Its answer may have been lost.
    await org.patch(path, faster).expect(200);
    const late = await org.patch(path, {
      url: 'https://hooks.example.com/late',
      description: 'Slower',
      expected: { url: read.url, description: null },
    });
    const { errors = [] } = expectProblem(late, 'CONFLICT');
    expect(errors.map(({ path, code }) => [path, code])).to.deep.equal([
      ['description', 'CHANGED_MEANWHILE'],
    ]);
    expect((await org.get(path)).body).to.deep.include({ ...read, description: 'Faster' });
    await org.patch(path, { productIds: null, expected: { productIds: [productId] } }).expect(200);
    const again = await org.patch(path, { fifo: true, expected: { productIds: [productId] } });
    expectProblem(again, 'CONFLICT');
  });

  it('sends the envelope unless a channel is named, and knows no other kind', async () => {
    const plain = await org.createEndpoint();
    expect(plain).to.deep.include({ format: 'event', language: 'en' });
    const path = `/webhook-endpoints/${plain.id}`;
    const { body } = await org.patch(path, { format: 'teams', language: 'ja' }).expect(200);
    expect(body).to.deep.include({ format: 'teams', language: 'ja' });
    for (const wrong of [{ format: 'irc' }, { format: null }, { language: 'xx' }, { language: null }])
      expectProblem(await org.patch(path, wrong), 'VALIDATION_FAILED');
    const late = await org.patch(path, { format: 'slack', expected: { format: 'event' } });
    expectProblem(late, 'CONFLICT');
    expect((await org.get(path)).body).to.deep.include({ format: 'teams', language: 'ja' });
  });

  it('refuses types of events that there are not, repetitions, and "*" in company', async () => {
    const before = await countRows(api.database);
    const bad = [
      [],
      ['*', 'scan.recorded'],
      ['scan.recorded', 'scan.recorded'],
      ['nothing.ever'],
      ['webhook.test'],
      '*',
      null,
      [1],
    ];
    for (const events of bad) {
      const response = await org.post('/webhook-endpoints', { url: 'https://a.example.com', events });
      const { errors } = expectProblem(response, 'VALIDATION_FAILED');
      expect(errors![0]!.path, JSON.stringify(events)).to.match(/^events/);
    }
    for (const body of [{ url: 'https://a.example.com' }, { events: ['*'] }]) {
      expectProblem(await org.post('/webhook-endpoints', body), 'VALIDATION_FAILED');
    }
    expect(await countRows(api.database)).to.deep.equal(before);
  });

  it('refuses addresses that a stranger must not have us call, at creation and at change', async () => {
    const { id } = await org.createEndpoint();
    const before = await dumpTable(api.database, 'webhook_endpoints');
    const urls = [
      'http://example.com/',
      'ftp://example.com/',
      'javascript:alert(1)',
      'https:example.com',
      '//example.com',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://017700000001/',
      'https://0x7f.1/',
      'https://127.1/',
      'https://0/',
      'https://１２７.０.０.１/',
      'https://[::1]/',
      'https://[::ffff:7f00:1]/',
      'https://[64:ff9b::a9fe:a9fe]/',
      'https://[2002:7f00:1::]/',
      'https://localhost./',
      'https://169.254.169.254/',
      'https://[fd00:ec2::254]/',
      'https://100.100.100.200/',
      'https://user:pass@example.com/',
      'https://example.com\\@evil/',
      'https://example.com/#@evil',
      'https://example.com:22/',
      'https://example.com:6379/',
      'https://10.0.0.1/',
      '',
      ' ',
      `https://example.com/${'x'.repeat(2000)}`,
      // Grows beyond what fits when it is written as a URL must be.
      `https://example.com/${'é'.repeat(1000)}`,
    ];
    for (const url of urls) {
      for (const response of [
        await org.post('/webhook-endpoints', { url, events: ['*'] }),
        await org.patch(`/webhook-endpoints/${id}`, { url }),
      ]) {
        expect(expectProblem(response, 'VALIDATION_FAILED').errors![0]!.path, url).to.equal('url');
      }
    }
    expect(await dumpTable(api.database, 'webhook_endpoints')).to.equal(before);
  }).timeout(10_000);

  it('refuses a name that leads inside, and does not say where it leads', async () => {
    api.addressesOfHosts.current = ['10.11.12.13'];
    const response = await org.post('/webhook-endpoints', {
      url: 'https://inside.example.com',
      events: ['*'],
    });
    api.addressesOfHosts.current = ['93.184.215.14'];
    expectProblem(response, 'VALIDATION_FAILED');
    expect(response.text).not.to.include('10.11.12.13');
  });

  it('refuses one endpoint more than a hundred', async () => {
    const crowded = await api.createOrganization();
    await api.database.pool.query(
      `insert into webhook_endpoints (id, org_id, url, events)
       select gen_random_uuid(), $1, 'https://a.example.com', '{*}' from generate_series(1, 100)`,
      [crowded.uuid],
    );
    api.addressesOfHosts.current = ['10.11.12.13'];
    const response = await crowded.post('/webhook-endpoints', {
      url: 'https://a.example.com',
      events: ['*'],
    });
    expectProblem(response, 'CONFLICT');
    api.addressesOfHosts.current = ['93.184.215.14'];
  });

  it('holds no connection to Postgres while a name server is asked', async () => {
    const { db, vetWebhookUrl } = api.deps;
    const asked: string[] = [];
    api.deps.vetWebhookUrl = async (orgId, raw) => {
      // One of an earlier request comes back by itself; that of this one would not, as it waits here.
      await eventually('none is held', () => db.totalCount === db.idleCount);
      asked.push(raw);
      return vetWebhookUrl(orgId, raw);
    };
    const { id } = await org.createEndpoint();
    await org.patch(`/webhook-endpoints/${id}`, { url: 'https://new.example.com/' }).expect(200);
    api.deps.vetWebhookUrl = vetWebhookUrl;
    expect(asked).to.have.length(2);
  });

  it('answers a repeated creation though the name leads inside by now', async () => {
    const create = () =>
      org
        .post('/webhook-endpoints', { url: 'https://moved.example.com', events: ['*'] })
        .set('Idempotency-Key', 'moved');
    const first = await create().expect(201);
    api.addressesOfHosts.current = ['10.11.12.13'];
    const repeated = await create();
    api.addressesOfHosts.current = ['93.184.215.14'];
    expect(repeated.status).to.equal(201);
    expect(repeated.body).to.deep.equal(first.body);
  });

  it('looks no name up for an endpoint that is not there', async () => {
    const { id } = await org.createEndpoint();
    const stranger = await api.createOrganization();
    api.addressesOfHosts.current = ['10.11.12.13'];
    const response = await stranger.patch(`/webhook-endpoints/${id}`, { url: 'https://a.example.com' });
    api.addressesOfHosts.current = ['93.184.215.14'];
    expectProblem(response, 'NOT_FOUND');
  });

  it('deletes: gone for every verb but its log, secret destroyed, what waited shown as discarded', async () => {
    const { id } = await org.createEndpoint({ events: ['barcode_job.completed'] });
    await org.mintUnits();
    const states = async () =>
      (
        await api.database.pool.query(
          `select d.state, e.deleted_at is null as kept from webhook_dispatches d
             join webhook_endpoints e on e.id = d.endpoint_id where e.events = '{barcode_job.completed}'`,
        )
      ).rows;
    expect(await states()).to.deep.equal([{ state: 'pending', kept: true }]);
    const deleted = await org.delete(`/webhook-endpoints/${id}`).expect(204);
    expect(deleted.text).to.equal('');
    const [event] = (await org.get('/events?type=barcode_job.completed').expect(200)).body.data;
    const { dispatches } = (await org.get(`/events/${event.id}`).expect(200)).body;
    const settledAt = api.clock.now().toISOString();
    expect(dispatches.find((one: { endpointId: string }) => one.endpointId === id)).to.deep.include({
      state: 'discarded',
      nextAttemptAt: null,
      settledAt,
    });
    // Millions may wait: nobody waits for them.
    expect(await states()).to.deep.equal([{ state: 'pending', kept: false }]);
    expect(await discardForDeletedEndpoints(api.deps)).to.equal(1);
    expect(await states()).to.deep.equal([{ state: 'discarded', kept: false }]);
    expect((await org.get(`/events/${event.id}`).expect(200)).body.dispatches).to.deep.equal(dispatches);
    expectProblem(await org.post(`/events/${event.id}/replay`, { endpointId: id }), 'NOT_FOUND');
    const secrets = await api.database.pool.query(
      `select 1 from webhook_secrets s join webhook_endpoints e on e.id = s.endpoint_id where e.deleted_at is not null`,
    );
    expect(secrets.rowCount).to.equal(0);
    for (const response of [
      await org.get(`/webhook-endpoints/${id}`),
      await org.patch(`/webhook-endpoints/${id}`, { description: 'x' }),
      await org.delete(`/webhook-endpoints/${id}`),
      await (await api.createOrganization()).get(`/webhook-endpoints/${id}/deliveries`),
    ]) {
      expectProblem(response, 'NOT_FOUND');
    }
    await org.get(`/webhook-endpoints/${id}/deliveries`).expect(200);
    expect((await org.get(`/search?q=${id}`).expect(200)).body.data).to.deep.equal([]);
  });
});

describe('what waited for a deleted endpoint', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  it('is discarded in slices, and what waits for others is left alone', async () => {
    const org = await api.createOrganization();
    const turns = createWebhookBench({ db: api.deps.db, clock: api.clock, secretBox: api.deps.secretBox });
    const [gone, kept] = [await org.createEndpoint(), await org.createEndpoint()];
    await turns.recordScans(org.uuid, 5);
    await org.delete(`/webhook-endpoints/${gone.id}`).expect(204);
    const count = async (id: string) =>
      (
        await api.database.pool.query(
          `select state, count(*)::int as n from webhook_dispatches where endpoint_id = $1 group by state order by state`,
          [decodeId('whep', id)],
        )
      ).rows;
    const round = () => discardForDeletedEndpoints(api.deps, { slice: 2, mostSlices: 2 });
    expect(await round()).to.equal(4);
    expect(await count(gone.id)).to.deep.equal([
      { state: 'discarded', n: 4 },
      { state: 'pending', n: 1 },
    ]);
    expect([await round(), await round()]).to.deep.equal([1, 0]);
    expect(await count(kept.id)).to.deep.equal([{ state: 'pending', n: 5 }]);
  });
});

describe('deliveries of an endpoint', () => {
  let api: TestApi;
  let org: TestOrganization;
  let endpoint: { id: string };
  let eventId: string;

  let turns: WebhookBench;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    endpoint = await org.createEndpoint({ events: ['barcode_job.completed'] });
    await org.mintUnits();
    const { rows } = await api.database.pool.query('select endpoint_id, event_id from webhook_dispatches');
    eventId = encodeId('evt', rows[0].event_id);
    turns = createWebhookBench({ db: api.deps.db, clock: api.clock, secretBox: api.deps.secretBox });
    const claim = await turns.claim(rows[0].endpoint_id, 'first');
    await turns.settle(claim, 'first', [answered(500, 'no\0 room')]);
    api.clock.advance(3600_000);
    await turns.claim(rows[0].endpoint_id, 'second');
  });
  after(() => api.close());

  const list = (query = '') => org.get(`/webhook-endpoints/${endpoint.id}/deliveries${query}`);
  const endpointUuid = () => decodeId('whep', endpoint.id);

  it('shows each attempt, newest first: the one that failed with its answer, the one under way', async () => {
    const { body } = await list().expect(200);
    const [pending, failed] = body.data;
    expect(body.data).to.have.length(2);
    expect(pending).to.include({ attempt: 2, outcome: 'pending', eventId, settledAt: null, response: null });
    expect(failed).to.include({ attempt: 1, outcome: 'failed', eventType: 'barcode_job.completed' });
    expect(failed.error.class).to.equal('status');
    // A receiver may answer with characters that Postgres cannot store.
    expect(failed.response).to.deep.include({ status: 500, body: 'no\ufffd room', truncated: false });
    expect(Date.parse(failed.nextAttemptAt)).to.be.greaterThan(Date.parse(failed.startedAt));
    expect(failed.id).to.match(/^dlv_/);
    expect(failed.request.headers).to.include({
      'X-Service-Event': 'barcode_job.completed',
      'X-Service-Event-Id': eventId,
      'X-Service-Delivery': failed.id,
      'webhook-id': eventId,
    });
    expect(failed.timings).to.have.all.keys('dnsMs', 'connectMs', 'tlsMs', 'firstByteMs', 'totalMs');
  });

  it('filters by event and outcome', async () => {
    const count = async (query: string) => (await list(query).expect(200)).body.data.length;
    expect(await count(`?eventId=${eventId}`)).to.equal(2);
    expect(await count('?outcome=failed')).to.equal(1);
    expect(await count('?outcome=delivered')).to.equal(0);
    expect(await count(`?eventId=${encodeId('evt', newUuid())}`)).to.equal(0);
    expectProblem(await list('?outcome=lost'), 'VALIDATION_FAILED');
  });

  it('keeps what a list needs with the endpoint: success rate, next attempt, circuit', async () => {
    const shown = async () => (await org.get(`/webhook-endpoints/${endpoint.id}`).expect(200)).body;
    const one = await shown();
    expect((await org.get('/webhook-endpoints').expect(200)).body.data).to.deep.equal([one]);
    expect(one.recent).to.deep.equal({ hours: 24, delivered: 0, failed: 1, successRate: 0 });
    expect(one.circuit).to.include({ state: 'closed', disabledReason: null });
    const retryAt = one.nextAttemptAt;
    expect(Date.parse(retryAt)).to.be.lessThan(api.clock.now().getTime());
    api.clock.advance(120_000);
    const claim = await turns.claim(endpointUuid()!, 'third');
    await turns.settle(claim, 'third', [answered(204)]);
    const later = await shown();
    expect(later.recent).to.deep.equal({ hours: 24, delivered: 1, failed: 1, successRate: 0.5 });
    expect(later.nextAttemptAt, 'nothing waits').to.equal(null);
    api.clock.advance(25 * 3600_000);
    expect((await shown()).recent).to.deep.equal({ hours: 24, delivered: 0, failed: 0, successRate: null });
  });

  it('never shows the signing secret', async () => {
    expect((await list().expect(200)).text).not.to.match(/whsec_|v1\.s1\./);
  });
});
