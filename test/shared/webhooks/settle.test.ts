import { expect } from 'chai';
import { newUuid } from '../../../shared/ids.ts';
import type { AttemptOutcome } from '../../../shared/webhooks/attempt.ts';
import type { Claim } from '../../../shared/webhooks/claim.ts';
import { getEndpoint } from '../../../shared/webhooks/service.ts';
import { takeTurn } from '../../../shared/webhooks/turn.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered, failed } from '../../support/outcomes.ts';
import { createWebhookBench, dispatchesOf, type WebhookBench } from '../../support/webhook-turns.ts';

const HOUR = 3600_000;

describe('what attempts came to', () => {
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

  const endpoint = () => getEndpoint(database.pool, orgId, endpointId);
  /** Ten refusals, and the circuit's open time. */
  const untilProbe = async () => {
    await bench.settle(await bench.claim(endpointId, 'a', 10), 'a', Array(10).fill(answered(500)));
    await bench.ask(endpointId, 'a');
    clock.advance(30_000);
  };
  const settleAt = (claim: Claim, ended: { outcome: AttemptOutcome; endedAt: Date }[]) =>
    takeTurn(bench.deps, [
      {
        type: 'settle',
        endpointId,
        settlements: ended.map((one, n) => ({
          claim,
          session: newUuid(),
          result: { ...one, delivery: claim.deliveries[n]!, requestHeaders: {} },
        })),
      },
    ]);

  it('counts by the time when each ended, in whatever order they are settled', async () => {
    await bench.recordScans(orgId, 2);
    const claim = await bench.claim(endpointId, 'a');
    const failedAt = clock.now();
    clock.advance(HOUR);
    const deliveredAt = clock.now();
    clock.advance(HOUR);
    await settleAt(claim, [
      { outcome: answered(204), endedAt: deliveredAt },
      { outcome: answered(500), endedAt: failedAt },
    ]);
    const { circuit, recent } = await endpoint();
    expect(circuit.failingSince, 'the last one was delivered').to.equal(null);
    const hour = Math.floor(failedAt.getTime() / HOUR);
    expect(recent).to.deep.equal([
      [hour, 0, 1],
      [hour + 1, 1, 0],
    ]);
  });

  it('holds a failure against the receiver from when it failed, not from when that was written down', async () => {
    await bench.recordScans(orgId, 1);
    const claim = await bench.claim(endpointId, 'a');
    const failedAt = clock.now();
    clock.advance(5_000);
    await settleAt(claim, [{ outcome: answered(500), endedAt: failedAt }]);
    expect((await endpoint()).circuit.failingSince).to.equal(failedAt.getTime());
  });

  it('puts the next one off by the delays that were asked for meanwhile', async () => {
    await bench.recordScans(orgId, 1);
    const claim = await bench.claim(endpointId, 'a');
    await bench.updateEndpoint(orgId, endpointId, { retryDelaysSeconds: [600] });
    await bench.settle(claim, 'a', [answered(500)]);
    const [dispatch] = await dispatchesOf(database.pool, endpointId);
    // With a fifth of jitter; the first of the usual delays is five seconds.
    expect(dispatch!.due_at.getTime() - clock.now().getTime()).to.be.within(480_000, 720_000);
  });

  it('holds what we stopped ourselves against nobody', async () => {
    await bench.recordScans(orgId, 12);
    const claim = await bench.claim(endpointId, 'a', 12);
    await bench.settle(claim, 'a', Array(12).fill(failed('aborted')));
    const { circuit, recent } = await endpoint();
    expect(circuit).to.include({ phase: 'closed', failingSince: null });
    expect(recent).to.deep.equal([]);
  });

  it('lets another probe go at once where one was stopped', async () => {
    await bench.recordScans(orgId, 12);
    await untilProbe();
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [failed('aborted')]);
    expect((await bench.claim(endpointId, 'a')).probeEpoch).to.equal(2);
  });

  for (const [how, outcome] of [
    ['was not sent', null],
    ['was stopped', failed('aborted')],
  ] as const) {
    it(`lets no second probe go because one ${how} that was given up for lost`, async () => {
      await bench.recordScans(orgId, 12);
      await untilProbe();
      const lost = await bench.claim(endpointId, 'cut off');
      clock.advance(60_001);
      expect((await bench.claim(endpointId, 'heir')).probeEpoch).to.equal(2);
      await bench.settle(lost, 'cut off', [outcome]);
      expect((await bench.ask(endpointId, 'heir')).type).to.equal('idle');
    });
  }

  it('keeps the endpoint for the session that settles, and for no other', async () => {
    await bench.recordScans(orgId, 2);
    const claim = await bench.claim(endpointId, 'a', 1);
    clock.advance(50_000);
    await bench.settle(claim, 'a', [answered(204)]);
    clock.advance(50_000);
    expect(await bench.ask(endpointId, 'heir')).to.deep.equal({ type: 'elsewhere' });
    clock.advance(10_000);
    await bench.claim(endpointId, 'heir', 1);
    clock.advance(50_000);
    expect((await bench.settle(claim, 'a', [answered(204)])).mayGoOn, 'it has lost it').to.equal(false);
    clock.advance(10_000);
    expect((await bench.ask(endpointId, 'next')).type).to.equal('claimed');
  });

  it('lets a session go on whose receiver’s time for patience is over', async () => {
    await bench.recordScans(orgId, 3);
    const claim = await bench.claim(endpointId, 'a', 2);
    expect((await bench.settle(claim, 'a', [answered(503, '', '1')])).mayGoOn).to.equal(false);
    clock.advance(1_000);
    const late = { ...claim, deliveries: claim.deliveries.slice(1) };
    expect((await bench.settle(late, 'a', [answered(204)])).mayGoOn).to.equal(true);
  });

  it('lets nothing more go where FIFO order was asked for, until all has ended that was out by then', async () => {
    await bench.recordScans(orgId, 4);
    const before = await bench.claim(endpointId, 'a', 2);
    await bench.updateEndpoint(orgId, endpointId, { fifo: true });
    expect((await bench.settle(before, 'a', [answered(204)])).mayGoOn).to.equal(false);
    await bench.settle({ ...before, deliveries: before.deliveries.slice(1) }, 'a', [answered(204)]);
    const after = await bench.claim(endpointId, 'a', 2);
    expect((await bench.settle(after, 'a', [answered(204)])).mayGoOn).to.equal(true);
  });

  it('lets a session send nothing more while the circuit is open or a probe is out', async () => {
    await bench.recordScans(orgId, 13);
    const claim = await bench.claim(endpointId, 'a', 12);
    const late = (n: number) => ({ ...claim, deliveries: claim.deliveries.slice(n) });
    expect((await bench.settle(claim, 'a', Array(10).fill(answered(500)))).mayGoOn).to.equal(false);
    expect((await bench.settle(late(10), 'a', [answered(204)])).mayGoOn, 'open').to.equal(false);
    clock.advance(30_000);
    expect((await bench.claim(endpointId, 'a')).probeEpoch).to.equal(1);
    expect((await bench.settle(late(11), 'a', [answered(204)])).mayGoOn, 'half-open').to.equal(false);
  });

  it('delivers what a lost worker had delivered though its heir has given up on it', async () => {
    endpointId = await bench.createEndpoint(orgId, { retryDelaysSeconds: [] });
    await bench.recordScans(orgId, 1);
    const lost = await bench.claim(endpointId, 'cut off');
    clock.advance(60_001);
    await bench.settle(await bench.claim(endpointId, 'heir'), 'heir', [answered(500)]);
    expect((await dispatchesOf(database.pool, endpointId))[0]!.state).to.equal('exhausted');
    await bench.settle(lost, 'cut off', [answered(204)]);
    expect((await dispatchesOf(database.pool, endpointId))[0]!.state).to.equal('delivered');
  });

  it('leaves another endpoint’s attempt at the same event alone, also when its own is retried or lost', async () => {
    const other = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 2);
    const theirs = await bench.claim(other, 'b');
    const before = await dispatchesOf(database.pool, other);
    const attempts = async () =>
      (
        await database.pool.query('select * from webhook_deliveries where endpoint_id = $1 order by id', [
          other,
        ])
      ).rows;
    const logged = await attempts();
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(500), answered(204)]);
    clock.advance(6_000);
    await bench.claim(endpointId, 'a');
    clock.advance(60_001);
    await bench.claim(endpointId, 'heir');
    expect(await dispatchesOf(database.pool, other)).to.deep.equal(before);
    expect(await attempts()).to.deep.equal(logged);
    await bench.settle(theirs, 'b', [answered(204), answered(204)]);
    expect((await dispatchesOf(database.pool, other)).map(({ state }) => state)).to.deep.equal([
      'delivered',
      'delivered',
    ]);
  });
});
