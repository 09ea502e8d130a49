import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { systemClock } from '../../../shared/clock.ts';
import { encodeIds } from '../../../shared/ids.ts';
import { listDeliveries } from '../../../shared/webhooks/delivery-repository.ts';
import { takeTurn, type TurnItem, type TurnResult } from '../../../shared/webhooks/turn.ts';
import { serveEndpoint } from '../../../workers/deliver-webhooks/endpoint-session.ts';
import { deliverWebhooks, turnDepsOf } from '../../../workers/deliver-webhooks/processor.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered } from '../../support/outcomes.ts';
import { Receivers, sessionDeps } from '../../support/webhook-sessions.ts';
import { createWebhookBench, dispatchesOf, type WebhookBench } from '../../support/webhook-turns.ts';

describe('a session of an endpoint', () => {
  let database: TestDatabase;
  let bench: WebhookBench;
  let receivers: Receivers;
  let stop: AbortController;
  let orgId: string;

  const worker = (
    overrides: Record<string, string> = {},
    wait?: (ms: number) => Promise<void>,
  ): ReturnType<typeof deliverWebhooks> =>
    deliverWebhooks(
      sessionDeps({ db: database.pool, bench, receivers, stopping: stop.signal }, overrides),
      wait,
    );
  const states = (endpointId: string) => dispatchesOf(database.pool, endpointId);

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());
  beforeEach(async () => {
    bench = createWebhookBench({ db: database.pool, clock: systemClock });
    receivers = new Receivers();
    stop = new AbortController();
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

  it('keeps a FIFO endpoint’s order when it gives back what it cannot send in time while a settlement is under way', async () => {
    const endpointId = await bench.createEndpoint(orgId, { fifo: true });
    const events = encodeIds('evt', await bench.recordScans(orgId, 20));
    const clock = new TestClock(new Date().toISOString());
    const deps = { ...sessionDeps({ db: database.pool, bench, receivers, stopping: stop.signal }), clock };
    const turnDeps = turnDepsOf(deps);
    let settlements = 0;
    let release: () => void = () => undefined;
    let lastClaim: Promise<unknown> = Promise.resolve();
    const turn = async (item: TurnItem): Promise<TurnResult> => {
      // The second one takes until it is released.
      if (item.type === 'settle' && ++settlements === 2)
        await new Promise<void>((resolve) => (release = resolve));
      const taken = takeTurn(turnDeps, [item]);
      if (item.type === 'claim') lastClaim = taken;
      return (await taken)[0]!;
    };
    receivers.respond = () => null;
    const serving = serveEndpoint(
      { ...deps, turn, wait: async () => undefined, othersWait: async () => false },
      endpointId,
    );
    // Beyond five seconds what was claimed at first could not be over within its lease.
    for (const [index, ms] of [4_500, 300, 300].entries()) {
      await receivers.untilSent(index + 1);
      clock.advance(ms);
      receivers.sent[index]!.answer(answered(204));
    }
    await setImmediate();
    await lastClaim;
    receivers.respond = () => answered(204);
    for (const { answer } of receivers.sent) answer(answered(204));
    release();
    expect(await serving).to.include({ delivered: 20, failed: 0 });
    expect(receivers.idsTo('https://hooks.example.com/in')).to.deep.equal(events);
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
    expect(bench.wakeUps.at(-1), 'for another').to.equal(`deliverWebhooks [["${endpointId}"]]`);
    stop = new AbortController();
    setMaxListeners(0, stop.signal);
    receivers.respond = () => answered(204);
    expect((await worker()({ endpointId })).delivered).to.equal(10);
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
