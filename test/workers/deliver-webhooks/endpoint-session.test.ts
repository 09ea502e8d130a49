import { createHmac, randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { expect } from 'chai';
import { loadConfig } from '../../../shared/config.ts';
import { systemClock } from '../../../shared/clock.ts';
import { withTransaction, type UnitOfWork } from '../../../shared/db.ts';
import { encodeIds } from '../../../shared/ids.ts';
import { listDeliveries } from '../../../shared/webhooks/delivery-repository.ts';
import type { AttemptOutcome, AttemptRequest } from '../../../shared/webhooks/attempt.ts';
import { disableEndpoint, rotateSecret } from '../../../shared/webhooks/operate.ts';
import { updateEndpoint, type EndpointChanges, type VettedUrl } from '../../../shared/webhooks/service.ts';
import { STAY_MS } from '../../../workers/deliver-webhooks/endpoint-session.ts';
import { deliverWebhooks } from '../../../workers/deliver-webhooks/processor.ts';
import type { WorkerDeps } from '../../../workers/deps.ts';
import { TEST_ENVIRONMENT } from '../../support/api.ts';
import { TestClock } from '../../support/clock.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered, failed } from '../../support/outcomes.ts';
import { createWebhookBench, testSecretBox, type WebhookBench } from '../../support/webhook-turns.ts';

interface Sent {
  request: AttemptRequest;
  answer(outcome: AttemptOutcome): void;
}

/** Receivers in the test's hand: what is sent waits for its answer, unless `respond` has one at once. */
class Receivers {
  readonly sent: Sent[] = [];
  respond: (request: AttemptRequest) => AttemptOutcome | null = () => answered(204);
  private onSent: () => void = () => undefined;

  send = (request: AttemptRequest): Promise<AttemptOutcome> =>
    new Promise((resolve) => {
      request.signal?.addEventListener('abort', () => resolve(failed('aborted')), { once: true });
      this.sent.push({ request, answer: resolve });
      const outcome = this.respond(request);
      if (outcome !== null) resolve(outcome);
      this.onSent();
    });

  async untilSent(count: number): Promise<void> {
    while (this.sent.length < count) await new Promise<void>((resolve) => (this.onSent = resolve));
  }

  idsTo(url: string): string[] {
    return this.sent
      .filter(({ request }) => request.url === url)
      .map(({ request }) => request.headers['X-Service-Event-Id']!);
  }
}

describe('a session of an endpoint', () => {
  let database: TestDatabase;
  let bench: WebhookBench;
  let receivers: Receivers;
  let stop: AbortController;
  let orgId: string;
  /** Endpoints that wait for a place. */
  let waiting: number;
  /** When the next wake-up for later is due. */
  let later: Date | null;

  const worker = (
    overrides: Record<string, string> = {},
    wait?: (ms: number) => Promise<void>,
  ): ReturnType<typeof deliverWebhooks> => deliverWebhooks(depsOf(overrides), wait);
  const depsOf = (overrides: Record<string, string>) =>
    ({
      config: loadConfig({ ...TEST_ENVIRONMENT, WEBHOOK_ENDPOINT_CONCURRENCY: '3', ...overrides }),
      clock: systemClock,
      db: database.pool,
      secretBox: testSecretBox,
      waker: bench.waker,
      sender: { userAgent: 'Touchstone/test', send: receivers.send, close: async () => undefined },
      randomUniform: () => 0.5,
      stopping: stop.signal,
      queues: {
        'deliver-webhooks': {
          getWaitingCount: async () => waiting,
          getDelayed: async () => (later === null ? [] : [{ timestamp: later.getTime() - 7, delay: 7 }]),
        },
      },
    }) as unknown as WorkerDeps;
  const states = async (endpointId: string) =>
    (
      await database.pool.query<{ state: string; attempts: number; lease_until: Date | null }>(
        'select state, attempts, lease_until from webhook_dispatches where endpoint_id = $1 order by event_id',
        [endpointId],
      )
    ).rows;

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());
  beforeEach(async () => {
    bench = createWebhookBench({ db: database.pool, clock: systemClock });
    receivers = new Receivers();
    stop = new AbortController();
    waiting = 0;
    later = null;
    setMaxListeners(0, stop.signal);
    orgId = await bench.createOrganization();
  });

  it('sends all that is due, each once, never more at a time than the endpoint takes', async () => {
    const endpointId = await bench.createEndpoint(orgId, { concurrency: 2 });
    await bench.recordScans(orgId, 40);
    let [out, most] = [0, 0];
    receivers.respond = (request) => {
      out += 1;
      most = Math.max(most, out);
      const index = receivers.sent.findIndex((sent) => sent.request === request);
      setTimeout(() => {
        out -= 1;
        receivers.sent[index]!.answer(answered(204));
      }, 1);
      return null;
    };
    const result = await worker()({ endpointId });
    expect(result).to.include({ delivered: 40, failed: 0 });
    expect(most).to.equal(2);
    expect(new Set(receivers.idsTo('https://hooks.example.com/in')).size).to.equal(40);
    expect((await states(endpointId)).every(({ state }) => state === 'delivered')).to.equal(true);
  });

  it('leaves the others where they were while one receiver hangs', async () => {
    const hung = await bench.createEndpoint(orgId, { url: 'https://hung.example.com/' });
    const well = await bench.createEndpoint(orgId, { url: 'https://well.example.com/' });
    await bench.recordScans(orgId, 30);
    receivers.respond = ({ url }) => (url.startsWith('https://hung') ? null : answered(204));
    const deliver = worker();
    const hanging = deliver({ endpointId: hung });
    await receivers.untilSent(3);
    const ended: string[] = [];
    const [toHung, toWell] = [hanging, deliver({ endpointId: well })].map((serving, index) =>
      serving.then((result) => {
        ended.push(index === 0 ? 'hung' : 'well');
        return result;
      }),
    );
    // By events, not by the clock: all that the well one gets is delivered and settled, and its session over, while not
    // one of the hung one's attempts has ended. An attempt that waited for another endpoint's would never get there.
    expect(await toWell).to.include({ delivered: 30, failed: 0 });
    expect(ended).to.deep.equal(['well']);
    expect((await states(well)).map(({ state }) => state)).to.deep.equal(Array(30).fill('delivered'));
    expect((await states(hung)).map(({ state }) => state)).to.deep.equal(Array(30).fill('pending'));
    expect(receivers.idsTo('https://hung.example.com/'), 'its own lanes and no more').to.have.length(3);
    // And it goes on: what is recorded later overtakes what hangs.
    await bench.recordScans(orgId, 5);
    expect(await deliver({ endpointId: well })).to.include({ delivered: 5, failed: 0 });
    expect(ended).to.deep.equal(['well']);
    stop.abort();
    await toHung;
  });

  it('settles what ends between two turns in one', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 12);
    const gaps: (() => void)[] = [];
    let waits = true;
    const gap = async () => {
      if (waits) await new Promise<void>((resolve) => gaps.push(resolve));
    };
    const serving = worker({}, gap)({ endpointId });
    // Answered one by one, and the endpoint's next turn is still to come.
    await receivers.untilSent(12);
    expect(gaps).to.have.length(1);
    expect((await states(endpointId)).map(({ state }) => state)).to.deep.equal(Array(12).fill('pending'));
    waits = false;
    for (const end of gaps) end();
    expect((await serving).delivered).to.equal(12);
    const { rows } = await database.pool.query<{ turns: number }>(
      'select count(distinct xmin::text)::int as turns from webhook_dispatches where endpoint_id = $1',
      [endpointId],
    );
    expect(rows[0]!.turns, 'transactions that settled them').to.equal(1);
  });

  it('goes on with an endpoint’s other lanes while one of its attempts hangs', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 1);
    let first = true;
    receivers.respond = () => {
      const hangs = first;
      first = false;
      return hangs ? null : answered(204);
    };
    const serving = worker()({ endpointId });
    await receivers.untilSent(1);
    await bench.recordScans(orgId, 2);
    await receivers.untilSent(3);
    receivers.sent[0]!.answer(answered(204));
    expect((await serving).delivered).to.equal(3);
  });

  it('keeps a FIFO endpoint’s order and stops at its first failure', async () => {
    const endpointId = await bench.createEndpoint(orgId, { fifo: true });
    const events = await bench.recordScans(orgId, 5);
    let n = 0;
    receivers.respond = () => {
      n += 1;
      return answered(n === 3 ? 500 : 204);
    };
    const result = await worker()({ endpointId });
    expect(result).to.include({ delivered: 2, failed: 1 });
    expect(receivers.sent).to.have.length(3);
    const rows = await states(endpointId);
    expect(rows.map(({ attempts }) => attempts)).to.deep.equal([1, 1, 1, 0, 0]);
    expect(events).to.have.length(5);
    expect(bench.wakeUps.at(-1)).to.match(/^deliverWebhooks .*,[45]\d{3}\]$/);
  });

  it('sends the endpoint’s own headers, and keeps their values out of the log', async () => {
    const endpointId = await bench.createEndpoint(orgId, {
      headers: { Authorization: 'Bearer canary-7712' },
    });
    await bench.recordScans(orgId, 1);
    await worker()({ endpointId });
    expect(receivers.sent[0]!.request.headers).to.include({ Authorization: 'Bearer canary-7712' });
    const { rows } = await database.pool.query(
      'select request_headers from webhook_deliveries where endpoint_id = $1',
      [endpointId],
    );
    expect(rows[0].request_headers).to.include({ Authorization: '[not kept]' });
    const { rows: logged } = await listDeliveries(
      database.pool,
      endpointId,
      {},
      { limit: 1, beforeId: null },
    );
    expect(logged[0]!.request_headers, 'all that was sent').to.deep.equal({
      ...receivers.sent[0]!.request.headers,
      Authorization: '[not kept]',
    });
    expect(logged[0]!.request_headers).to.include({ 'User-Agent': 'Touchstone/test' });
    const endpoints = await database.pool.query('select * from webhook_endpoints where id = $1', [
      endpointId,
    ]);
    expect(JSON.stringify(endpoints.rows)).not.to.include('canary-7712');
  });

  it('hands everything back when the process stops, so that another can go on at once', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 10);
    receivers.respond = () => null;
    const serving = worker()({ endpointId });
    await receivers.untilSent(3);
    stop.abort();
    await serving;
    const rows = await states(endpointId);
    expect(rows.map(({ state, attempts, lease_until }) => ({ state, attempts, lease_until }))).to.deep.equal(
      Array.from({ length: 10 }, () => ({ state: 'pending', attempts: 0, lease_until: null })),
    );
    stop = new AbortController();
    setMaxListeners(0, stop.signal);
    receivers.respond = () => answered(204);
    expect((await worker()({ endpointId })).delivered).to.equal(10);
  });

  it('makes room after a while where others wait for a place, and goes on behind them', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 60);
    const clock = new TestClock(new Date().toISOString());
    receivers.respond = () => {
      clock.advance(500);
      return answered(204);
    };
    const withPlaces = (WEBHOOK_CONCURRENCY: string) =>
      deliverWebhooks({ ...depsOf({ WEBHOOK_CONCURRENCY }), clock });
    waiting = 1;
    const { delivered } = await withPlaces('1')({ endpointId });
    expect(delivered).to.be.within(STAY_MS / 500, 59);
    const rows = await states(endpointId);
    expect(rows.filter(({ state }) => state === 'delivered')).to.have.length(delivered);
    const given = rows.filter(({ state }) => state === 'pending');
    expect(given.every(({ attempts, lease_until }) => attempts === 0 && lease_until === null)).to.equal(true);
    expect(bench.wakeUps.at(-1)).to.equal(`deliverWebhooks ${JSON.stringify([[endpointId], 1])}`);
    // Nobody serves it meanwhile, and it goes on to the end where nobody waits, or others have places.
    waiting = 0;
    expect((await withPlaces('1')({ endpointId })).delivered).to.equal(60 - delivered);
    await bench.recordScans(orgId, 60);
    waiting = 1;
    expect((await withPlaces('2')({ endpointId })).delivered).to.equal(60);
  });

  it('makes room for what was to wait until now, as for what has waited, and not for what is to wait still', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 60);
    const clock = new TestClock(new Date().toISOString());
    receivers.respond = () => {
      clock.advance(500);
      return answered(204);
    };
    const deliver = deliverWebhooks({ ...depsOf({ WEBHOOK_CONCURRENCY: '1' }), clock });
    later = new Date(clock.now().getTime() + STAY_MS / 2);
    const { delivered } = await deliver({ endpointId });
    expect(delivered).to.be.within(STAY_MS / 500, 59);
    later = new Date(clock.now().getTime() + 3_600_000);
    expect((await deliver({ endpointId })).delivered).to.equal(60 - delivered);
  });

  it('writes an outcome down though Postgres was away when it came', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 1);
    receivers.respond = () => null;
    const connect = database.pool.connect.bind(database.pool);
    const serving = worker()({ endpointId });
    await receivers.untilSent(1);
    let refusals = 2;
    database.pool.connect = (() => {
      refusals -= 1;
      if (refusals < 0) database.pool.connect = connect;
      return refusals < 0 ? connect() : Promise.reject(new Error('connection terminated'));
    }) as typeof connect;
    receivers.sent[0]!.answer(answered(204));
    await serving;
    expect(refusals).to.be.lessThan(0);
    expect(await states(endpointId)).to.have.nested.property('[0].state', 'delivered');
    expect(receivers.sent).to.have.length(1);
  });

  /** Claim number `n` that takes something commits, and nobody hears of it. */
  const loseCommitOfClaim = (n: number) => {
    const connect = database.pool.connect.bind(database.pool);
    let left = n;
    database.pool.connect = (async () => {
      const client = await connect();
      let isLost = false;
      return {
        query: async (...args: [string | { name?: string }]) => {
          const result = await client.query(...(args as [string]));
          const isClaim = typeof args[0] === 'object' && args[0].name === 'claim-due-dispatches';
          if (isClaim && result.rowCount! > 0) isLost = --left === 0;
          if (args[0] !== 'commit' || !isLost) return result;
          database.pool.connect = connect;
          throw new Error('connection lost in the commit');
        },
        release: () => client.release(isLost),
      };
    }) as unknown as typeof connect;
  };

  for (const [n, which] of [
    [1, 'its first claim'],
    [2, 'a claim ahead'],
  ] as const) {
    it(`keeps a FIFO endpoint’s order although it never heard what ${which} took`, async () => {
      const endpointId = await bench.createEndpoint(orgId, { fifo: true });
      const events = await bench.recordScans(orgId, 24);
      loseCommitOfClaim(n);
      // The last of the first claim is still out when the session asks again.
      receivers.respond = () => {
        if (receivers.sent.length !== 12) return answered(204);
        setTimeout(() => receivers.sent[11]!.answer(answered(204)), 600);
        return null;
      };
      expect((await worker()({ endpointId })).delivered).to.equal(24);
      expect(receivers.idsTo('https://hooks.example.com/in')).to.deep.equal(encodeIds('evt', events));
      expect((await states(endpointId)).every(({ state }) => state === 'delivered')).to.equal(true);
    });
  }

  describe('whose endpoint is changed while it holds deliveries and three are out', () => {
    const OLD = 'https://hooks.example.com/in';
    const NEW = 'https://new.example.com/in';
    let clock: TestClock;
    let endpointId: string;
    let events: string[];
    let serving: Promise<unknown>;

    beforeEach(async () => {
      endpointId = await bench.createEndpoint(orgId);
      events = encodeIds('evt', await bench.recordScans(orgId, 12));
      clock = new TestClock(new Date().toISOString());
      receivers.respond = () => null;
      serving = deliverWebhooks({ ...depsOf({}), clock })({ endpointId });
      await receivers.untilSent(3);
      // So long ago that a turn has seen the endpoint that it may have been changed.
      clock.advance(1_500);
    });

    const operate = (work: (uow: UnitOfWork) => Promise<unknown>) =>
      withTransaction(database.pool, (uow) => work(uow));
    const endpointDeps = () => ({ ...bench.deps, clock, waker: bench.waker, random: randomBytes });
    const change = (changes: EndpointChanges) =>
      operate((uow) => updateEndpoint(endpointDeps(), uow, orgId, endpointId, changes));

    it('sends all others to its new URL, with its new secret alone', async () => {
      await change({ url: NEW as VettedUrl });
      let secret = '';
      await operate(async ({ db }) => {
        ({ secret } = await rotateSecret(endpointDeps(), db, orgId, endpointId, 0));
      });
      receivers.respond = () => answered(204);
      receivers.sent[0]!.answer(answered(204));
      // Though two are out still.
      await receivers.untilSent(12);
      for (const { answer } of receivers.sent.slice(1, 3)) answer(answered(204));
      expect(await serving).to.include({ delivered: 12, failed: 0 });
      expect(receivers.idsTo(OLD)).to.deep.equal(events.slice(0, 3));
      expect(receivers.idsTo(NEW)).to.have.members(events.slice(3));
      for (const { request } of receivers.sent.slice(3)) {
        const [t, ...signatures] = request.headers['X-Service-Signature']!.split(',');
        const signed = `${t!.slice(2)}.${request.body.toString()}`;
        expect(signatures).to.deep.equal([`v1=${createHmac('sha256', secret).update(signed).digest('hex')}`]);
      }
      expect((await states(endpointId)).map(({ attempts }) => attempts)).to.deep.equal(Array(12).fill(1));
    });

    it('sends nothing more when it is disabled', async () => {
      await operate(({ db }) => disableEndpoint({ clock }, db, orgId, endpointId));
      receivers.respond = () => answered(204);
      for (const { answer } of receivers.sent.slice()) answer(answered(204));
      await serving;
      expect(receivers.idsTo(OLD)).to.deep.equal(events.slice(0, 3));
      expect((await states(endpointId)).map(({ attempts }) => attempts)).to.deep.equal([
        ...Array(3).fill(1),
        ...Array(9).fill(0),
      ]);
    });

    it('keeps to its new rate', async () => {
      await change({ ratePerSecond: 1 });
      receivers.respond = () => answered(204);
      for (const { answer } of receivers.sent.slice()) answer(answered(204));
      await serving;
      expect(receivers.idsTo(OLD)).to.deep.equal(events.slice(0, 4));
      expect((await states(endpointId)).map(({ attempts }) => attempts)).to.deep.equal([
        ...Array(4).fill(1),
        ...Array(8).fill(0),
      ]);
    });

    it('keeps to FIFO order from then on: nothing goes past what fails', async () => {
      await change({ fifo: true });
      receivers.respond = () => answered(204);
      receivers.sent[1]!.answer(answered(500));
      await eventually('the failure to be settled', async () => {
        const { rows } = await database.pool.query<{ held: boolean }>(
          'select held_until is not null as held from webhook_endpoints where id = $1',
          [endpointId],
        );
        return rows[0]!.held;
      });
      receivers.sent[0]!.answer(answered(204));
      receivers.sent[2]!.answer(answered(204));
      await serving;
      expect(receivers.idsTo(OLD), 'while it waits').to.deep.equal(events.slice(0, 3));
      clock.advance(10_000);
      await deliverWebhooks({ ...depsOf({}), clock })({ endpointId });
      expect(receivers.idsTo(OLD).slice(3)).to.deep.equal([events[1], ...events.slice(3)]);
    });
  });

  it('stops sending what it holds once the circuit opens', async () => {
    const endpointId = await bench.createEndpoint(orgId, { concurrency: 1 });
    await bench.recordScans(orgId, 60);
    receivers.respond = () => answered(500);
    await worker()({ endpointId });
    const attempted = (await states(endpointId)).filter(({ attempts }) => attempts > 0).length;
    // Ten open it; a few more are out before that is known.
    expect(attempted).to.be.within(10, 40);
    expect((await states(endpointId)).every(({ lease_until }) => lease_until === null)).to.equal(true);
  });
});
