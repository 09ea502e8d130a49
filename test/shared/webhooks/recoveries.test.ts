import { expect } from 'chai';
import { withTransaction } from '../../../shared/db.ts';
import { sendTestEvent } from '../../../shared/webhooks/operate.ts';
import {
  cancelRecovery,
  getRecovery,
  startRecovery,
  stepRecovery,
} from '../../../shared/webhooks/recoveries.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered } from '../../support/outcomes.ts';
import { createWebhookBench, dispatchesOf, type WebhookBench } from '../../support/webhook-turns.ts';

const HOUR = 3600_000;

describe('a recovery', () => {
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
    // Ids carry the real time, and a recovery looks for events by it.
    clock = new TestClock(new Date().toISOString());
    bench = createWebhookBench({ db: database.pool, clock });
    orgId = await bench.createOrganization();
    endpointId = await bench.createEndpoint(orgId);
  });

  const deps = () => ({ ...bench.deps, waker: bench.waker });
  /** The first 48 bits of an id are its time. */
  const timeOf = (id: string) => parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  /** @param at by default, when all has been recorded */
  const start = async ({
    since = new Date(timeOf(endpointId) - 1),
    at = new Date(Date.now() + 1_000),
    ratePerSecond = 100,
  } = {}) => {
    clock.set(at);
    return withTransaction(database.pool, (uow) =>
      startRecovery(deps(), uow, orgId, endpointId, { since, ratePerSecond }),
    );
  };
  const run = async (id: string) => {
    for (;;) {
      const step = await stepRecovery(deps(), id);
      if (step.type === 'over') return getRecovery(database.pool, orgId, endpointId, id);
      clock.set(step.at);
    }
  };
  const forget = () =>
    database.pool.query('delete from webhook_dispatches where endpoint_id = $1', [endpointId]);
  /** Records an event whose id tells of another time than those before. */
  const recordLater = async (): Promise<string> => {
    const recordedAt = Date.now();
    while (Date.now() <= recordedAt);
    const [id] = await bench.recordScans(orgId, 1);
    return id!;
  };
  const dispatches = () => dispatchesOf(database.pool, endpointId);

  it('wakes a worker when it starts, and the endpoint when there is something to send', async () => {
    await bench.recordScans(orgId, 1);
    const { id } = await start();
    expect(bench.wakeUps.at(-1)).to.equal(`recoverWebhooks [["${id}"]]`);
    const woken = bench.wakeUps.length;
    await run(id);
    expect(bench.wakeUps, 'it is due anyway').to.have.length(woken);
    await forget();
    await run((await start()).id);
    expect(bench.wakeUps.at(-1)).to.equal(`deliverWebhooks [["${endpointId}"]]`);
  });

  it('sends in no special order where none was asked for: what is fresh does not wait behind it', async () => {
    await bench.recordScans(orgId, 1);
    await forget();
    const { id } = await start();
    await run(id);
    expect((await dispatches()).map(({ due_at }) => due_at)).to.deep.equal([clock.now()]);
  });

  it('is about what happened before it started, and leaves what comes after alone', async () => {
    await bench.recordScans(orgId, 1);
    const later = await recordLater();
    await forget();
    expect(await run((await start({ at: new Date(timeOf(later)) })).id)).to.include({ examined: 1 });
    expect(await dispatches()).to.have.length(1);
  });

  it('sends nobody the tests of another endpoint', async () => {
    const other = await bench.createEndpoint(orgId);
    await withTransaction(database.pool, (uow) => sendTestEvent(deps(), uow, orgId, other));
    expect(await run((await start()).id)).to.include({ examined: 0, recovered: 0 });
    expect(await dispatches()).to.deep.equal([]);
  });

  it('counts of the endpoint’s products alone', async () => {
    const product = '018f0000-0000-7000-8000-0000000000a1';
    await database.pool.query(`insert into products (id, org_id, name, sku) values ($1, $2, 'Oil', 'OIL')`, [
      product,
      orgId,
    ]);
    await bench.recordScans(orgId, 3);
    await bench.recordScans(orgId, 2, product);
    await bench.updateEndpoint(orgId, endpointId, { productIds: [product] });
    await forget();
    const { id } = await start({ ratePerSecond: 1 });
    await stepRecovery(deps(), id);
    expect(await getRecovery(database.pool, orgId, endpointId, id)).to.include({ total: 2, examined: 1 });
  });

  it('goes on past as many events as a step looks at', async () => {
    await database.pool.query(
      `with e as (
         insert into events (id, org_id, type, created_at, data)
         select uuidv7(), $1, 'scan.recorded', $3::timestamptz, '{}' from generate_series(1, 5001)
         returning id, created_at
       )
       insert into webhook_dispatches (event_id, endpoint_id, org_id, due_at, state, settled_at)
       select id, $2, $1, created_at, 'delivered', created_at from e order by id limit 5000`,
      [orgId, endpointId, clock.now()],
    );
    expect(await run((await start()).id)).to.include({ status: 'completed', examined: 5001, recovered: 1 });
  });

  it('does not end the patience that a receiver has asked for', async () => {
    await bench.recordScans(orgId, 1);
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(503, '', String(HOUR / 1000))]);
    const until = new Date(clock.now().getTime() + HOUR);
    expect(await run((await start()).id)).to.include({ recovered: 1 });
    expect(await bench.ask(endpointId, 'a')).to.deep.equal({ type: 'idle', until });
  });

  it('is no other endpoint’s, also where both are somebody’s own', async () => {
    const { id } = await start();
    const strangers = await bench.createOrganization();
    const theirs = await bench.createEndpoint(strangers);
    for (const asked of [
      getRecovery(database.pool, strangers, theirs, id),
      cancelRecovery({ clock }, database.pool, strangers, theirs, id),
    ]) {
      const refused = await asked.then(
        () => null,
        (error: { code: string }) => error.code,
      );
      expect(refused).to.equal('NOT_FOUND');
    }
    expect(await getRecovery(database.pool, orgId, endpointId, id)).to.include({ status: 'queued' });
  });

  it('says when it was cancelled', async () => {
    const { id } = await start();
    clock.advance(1_000);
    const cancelled = await cancelRecovery({ clock }, database.pool, orgId, endpointId, id);
    expect(cancelled.finished_at).to.deep.equal(clock.now());
    clock.advance(1_000);
    expect(await cancelRecovery({ clock }, database.pool, orgId, endpointId, id)).to.deep.equal(cancelled);
  });

  describe('in FIFO order', () => {
    beforeEach(async () => {
      endpointId = await bench.createEndpoint(orgId, { fifo: true, retryDelaysSeconds: [HOUR / 1000] });
    });

    it('lets the event in front go though others were delivered before it', async () => {
      const [, second] = await bench.recordScans(orgId, 2);
      await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(204), answered(500)]);
      expect((await bench.ask(endpointId, 'a')).type).to.equal('idle');
      await run((await start()).id);
      const { deliveries } = await bench.claim(endpointId, 'a');
      expect(deliveries.map(({ eventId }) => eventId)).to.deep.equal([second]);
    });

    it('keeps waiting for the event in front where only those behind it are sent again', async () => {
      await bench.recordScans(orgId, 1);
      const second = await recordLater();
      await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(500), answered(500)]);
      const until = new Date(clock.now().getTime() + HOUR);
      expect(await bench.ask(endpointId, 'a')).to.deep.equal({ type: 'idle', until });
      const { recovered } = await run((await start({ since: new Date(timeOf(second)) })).id);
      expect(recovered).to.equal(1);
      expect(await bench.ask(endpointId, 'a')).to.deep.equal({ type: 'idle', until });
    });
  });
});
