import { expect } from 'chai';
import { withTransaction } from '../../../shared/db.ts';
import { disableEndpoint, enableEndpoint } from '../../../shared/webhooks/operate.ts';
import { discardForDeletedEndpoints } from '../../../shared/webhooks/deleted-endpoints.ts';
import { takeNotices } from '../../../shared/webhooks/notices.ts';
import { deleteEndpoint } from '../../../shared/webhooks/service.ts';
import { listNeglectedEndpointIds, takeTurn } from '../../../shared/webhooks/turn.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { TestClock } from '../../support/clock.ts';
import { answered, failed } from '../../support/outcomes.ts';
import {
  circuitOf,
  claimItem,
  createWebhookBench,
  dispatchesOf,
  type WebhookBench,
} from '../../support/webhook-turns.ts';

const MINUTE = 60_000;

describe('a turn of the deliverer in which something is wrong', () => {
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

  describe('an endpoint whose secret does not open', () => {
    const HALF_HOUR = 30 * MINUTE;
    /** As after its key was taken from the ring. */
    const lockOut = (endpointId: string) =>
      database.pool.query(
        "update webhook_secrets set sealed = replace(sealed, 'v1.k1.', 'v1.k0.') where endpoint_id = $1",
        [endpointId],
      );
    const letIn = (endpointId: string) =>
      database.pool.query(
        "update webhook_secrets set sealed = replace(sealed, 'v1.k0.', 'v1.k1.') where endpoint_id = $1",
        [endpointId],
      );
    it('fails nobody else’s turn, and spends no attempt', async () => {
      const [bad, good] = [await bench.createEndpoint(orgId), await bench.createEndpoint(orgId)];
      await lockOut(bad);
      await bench.recordScans(orgId, 1);
      const results = await takeTurn(bench.deps, [claimItem(bad), claimItem(good)]);
      expect(results.map(({ type }) => type)).to.deep.equal(['idle', 'claimed']);
      expect(await dispatches(bad)).to.have.nested.property('[0].attempts', 0);
    });

    it('is asked again each minute, and goes on once the key is back', async () => {
      const endpointId = await bench.createEndpoint(orgId);
      await lockOut(endpointId);
      await bench.recordScans(orgId, 1);
      for (let n = 0; n < 3; n += 1) {
        expect(await bench.ask(endpointId, 'a')).to.deep.equal({
          type: 'idle',
          until: new Date(clock.now().getTime() + MINUTE),
        });
        expect(await listNeglectedEndpointIds(database.pool, clock.now(), 10)).not.to.include(endpointId);
        clock.advance(MINUTE);
      }
      await letIn(endpointId);
      await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(204)]);
      // That was the end of it: the next time begins from the beginning.
      await lockOut(endpointId);
      await bench.recordScans(orgId, 1);
      clock.advance(HALF_HOUR);
      await bench.ask(endpointId, 'a');
      expect(await circuit(endpointId)).to.include({ circuit_state: 'closed' });
    });

    it('is disabled after half an hour with a notice, and sends all once it is enabled', async () => {
      const endpointId = await bench.createEndpoint(orgId);
      await lockOut(endpointId);
      await bench.recordScans(orgId, 2);
      await bench.ask(endpointId, 'a');
      clock.advance(HALF_HOUR);
      expect(await bench.ask(endpointId, 'a')).to.deep.equal({ type: 'idle', until: null });
      expect(await circuit(endpointId)).to.deep.equal({
        circuit_state: 'disabled',
        disabled_reason: 'unreadable',
      });
      const notices = await takeNotices(database.pool, 100, clock.now());
      const own = notices.filter((notice) => notice.endpoint_id === endpointId);
      expect(own.map(({ kind, data }) => [kind, data.reason])).to.deep.equal([
        ['webhook_endpoint.disabled', 'unreadable'],
      ]);
      await letIn(endpointId);
      await withTransaction(database.pool, (uow) =>
        enableEndpoint({ clock, waker: bench.waker }, uow, orgId, endpointId),
      );
      expect((await bench.claim(endpointId, 'a')).deliveries).to.have.length(2);
    });
  });

  it('goes on with the others where one endpoint makes the turn fail, whatever the fault', async () => {
    const [bad, good] = [await bench.createEndpoint(orgId), await bench.createEndpoint(orgId)];
    await bench.recordScans(orgId, 1);
    // No fault that Postgres knows of: its row cannot be read by this program.
    await database.pool.query(`update webhook_endpoints set circuit = 'null' where id = $1`, [bad]);
    const results = await takeTurn(bench.deps, [claimItem(bad), claimItem(good)]);
    expect(results.map(({ type }) => type)).to.deep.equal(['failed', 'claimed']);
    await database.pool.query('update webhook_endpoints set deleted_at = now() where id = $1', [bad]);
  });

  it('does not let one endpoint’s locked row hold up the others', async () => {
    const [slow, quick] = [await bench.createEndpoint(orgId), await bench.createEndpoint(orgId)];
    await bench.recordScans(orgId, 1);
    const holder = await database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from webhook_endpoints where id = $1 for update', [slow]);
      const results = await takeTurn(bench.deps, [claimItem(slow), claimItem(quick)]);
      expect(results.map(({ type }) => type)).to.deep.equal(['busy', 'claimed']);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });

  it('takes a success from a worker that lost its lease, and nothing else', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 2);
    const lost = await bench.claim(endpointId, 'a');
    clock.advance(61_000);
    await bench.claim(endpointId, 'b');
    const { rows } = await database.pool.query(
      'select outcome, error_class from webhook_deliveries where endpoint_id = $1 and attempt = 1',
      [endpointId],
    );
    expect(rows.map((row) => row.error_class)).to.deep.equal(['lost', 'lost']);
    await bench.settle(lost, 'a', [answered(200), answered(500)]);
    expect((await dispatches(endpointId)).map(({ state }) => state)).to.deep.equal(['delivered', 'pending']);
    clock.advance(MINUTE + 1000);
    expect((await bench.claim(endpointId, 'c')).deliveries).to.have.length(1);
  });

  it('sends all of a claim whose answer was lost first, also where there is room for a part of it only', async () => {
    const endpointId = await bench.createEndpoint(orgId, { fifo: true });
    const eventIds = await bench.recordScans(orgId, 6);
    await bench.ask(endpointId, 'a', 5);
    const sent: string[] = [];
    for (let hasWork = false; sent.length < 6; hasWork = true) {
      const result = await bench.ask(endpointId, 'a', 2, hasWork);
      if (result.type !== 'claimed') throw new Error(`nothing was claimed: ${JSON.stringify(result)}`);
      sent.push(...result.claim.deliveries.map((delivery) => delivery.eventId));
    }
    expect(sent).to.deep.equal(eventIds);
    const { rows } = await database.pool.query(
      `select attempt, error_class, count(*)::int from webhook_deliveries where endpoint_id = $1 group by 1, 2 order by 1, 2`,
      [endpointId],
    );
    expect(rows).to.deep.equal([
      { attempt: 1, error_class: 'lost', count: 5 },
      { attempt: 1, error_class: null, count: 1 },
      { attempt: 2, error_class: null, count: 5 },
    ]);
  });

  it('waits for the rate’s next token, no longer, where such a claim took the only event', async () => {
    const endpointId = await bench.createEndpoint(orgId, { ratePerSecond: 1 });
    await bench.recordScans(orgId, 1);
    expect((await bench.ask(endpointId, 'a', 5)).type).to.equal('claimed');
    clock.advance(250);
    const until = new Date(clock.now().getTime() + 750);
    expect(await bench.ask(endpointId, 'a', 5)).to.deep.equal({ type: 'idle', until });
    clock.advance(750);
    expect((await bench.claim(endpointId, 'a')).deliveries).to.have.length(1);
  });

  it('changes nothing by writing an outcome twice, as after a commit whose answer was lost', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 4);
    const claim = await bench.claim(endpointId, 'a');
    const outcomes = [answered(204), answered(500), failed('aborted'), null];
    await bench.settle(claim, 'a', outcomes);
    const once = await dispatches(endpointId);
    expect(once.map(({ state, attempts }) => [state, attempts])).to.deep.equal([
      ['delivered', 1],
      ['pending', 1],
      ['pending', 0],
      ['pending', 0],
    ]);
    await bench.settle(claim, 'a', outcomes);
    expect(await dispatches(endpointId)).to.deep.equal(once);
  });

  it('stores what a receiver answers, also what Postgres has no room for in a text', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 1);
    const claim = await bench.claim(endpointId, 'a');
    const odd = {
      ...answered(200, 'nul \0, half \ud83d and "quotes" \\'),
      responseHeaders: { x: '\udfff\0' },
    };
    await bench.settle(claim, 'a', [odd]);
    const { rows } = await database.pool.query(
      'select response_snippet, response_headers from webhook_deliveries where endpoint_id = $1',
      [endpointId],
    );
    expect(rows).to.deep.equal([
      {
        response_snippet: 'nul \ufffd, half \ufffd and "quotes" \\',
        response_headers: { x: '\ufffd\ufffd' },
      },
    ]);
  });

  it('keeps an answer whose JSON spells such characters out as it came', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 1);
    const claim = await bench.claim(endpointId, 'a');
    const text = String.raw`{"ok":"\ud83d\ude00 \u0000"} \\\u0000`;
    await bench.settle(claim, 'a', [answered(200, `${text}\0`)]);
    const { rows } = await database.pool.query(
      'select response_snippet from webhook_deliveries where endpoint_id = $1',
      [endpointId],
    );
    expect(rows).to.deep.equal([{ response_snippet: `${text}\ufffd` }]);
  });

  const log = async (endpointId: string) =>
    (
      await database.pool.query<{ error_class: string | null; attempt: number }>(
        'select error_class, attempt from webhook_deliveries where endpoint_id = $1 order by id',
        [endpointId],
      )
    ).rows;

  it('leaves in the log what earlier attempts came to, where a dead worker had a later one out', async () => {
    const retried = await bench.createEndpoint(orgId);
    const deleted = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 1);
    for (const endpointId of [retried, deleted])
      await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(500)]);
    clock.advance(MINUTE);
    for (const endpointId of [retried, deleted]) await bench.claim(endpointId, 'dead');
    clock.advance(MINUTE + 1);
    await withTransaction(database.pool, ({ db }) => deleteEndpoint({ clock }, db, orgId, deleted));
    await discardForDeletedEndpoints(bench.deps);
    const earlier = [
      { error_class: 'status', attempt: 1 },
      { error_class: 'lost', attempt: 2 },
    ];
    expect(await log(deleted)).to.deep.equal(earlier);
    await bench.claim(retried, 'heir');
    expect(await log(retried)).to.deep.equal([...earlier, { error_class: null, attempt: 3 }]);
  });

  it('closes what a dead worker had out, also where nothing more may go', async () => {
    const neglected = () => listNeglectedEndpointIds(database.pool, clock.now(), 100);
    const disabled = await bench.createEndpoint(orgId);
    const failing = await bench.createEndpoint(orgId);
    const deleted = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 13);
    for (const endpointId of [disabled, deleted]) await bench.claim(endpointId, 'dead', 3);
    await bench.settle(await bench.claim(failing, 'dead', 13), 'dead', Array(10).fill(answered(500)));
    await withTransaction(database.pool, async ({ db }) => {
      await disableEndpoint({ clock }, db, orgId, disabled);
      await deleteEndpoint({ clock }, db, orgId, deleted);
    });
    expect(await neglected()).not.to.include.members([disabled, failing]);
    clock.advance(60_001);
    expect(await neglected()).to.include.members([disabled, failing]);
    expect(await bench.ask(disabled, 'heir')).to.deep.equal({ type: 'idle', until: null });
    // The circuit's probe takes one of three.
    expect((await bench.claim(failing, 'heir')).deliveries.length).to.equal(1);
    await discardForDeletedEndpoints(bench.deps);
    const lost = Array.from({ length: 3 }, () => ({ error_class: 'lost', attempt: 1 }));
    expect(await log(disabled)).to.deep.equal(lost);
    expect((await log(failing)).slice(10, 13)).to.deep.equal(lost);
    expect(await log(deleted)).to.deep.equal(lost);
    expect(await neglected()).not.to.include(disabled);
  });

  it('keeps a FIFO endpoint waiting when the answer comes of an attempt whose worker has lost it', async () => {
    const endpointId = await bench.createEndpoint(orgId, { fifo: true });
    await bench.recordScans(orgId, 2);
    const late = await bench.claim(endpointId, 'cut off', 1);
    clock.advance(60_001);
    const claim = await bench.claim(endpointId, 'heir', 1);
    await bench.settle(claim, 'heir', [answered(429, '', '3600')]);
    const until = new Date(clock.now().getTime() + 3_600_000);
    for (const status of [500, 204]) {
      await bench.settle(late, 'cut off', [answered(status)]);
      expect(await bench.ask(endpointId, 'heir')).to.deep.equal({ type: 'idle', until });
    }
  });
});
