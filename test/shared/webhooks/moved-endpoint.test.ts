import { expect } from 'chai';
import type { VettedUrl } from '../../../shared/webhooks/service.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered } from '../../support/outcomes.ts';
import {
  circuitOf,
  createWebhookBench,
  dispatchesOf,
  type WebhookBench,
} from '../../support/webhook-turns.ts';

const NEW = 'https://new.example.com/in';

describe('an endpoint that moves to a new URL', () => {
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

  const move = () => bench.updateEndpoint(orgId, endpointId, { url: NEW as VettedUrl });
  const states = async () => (await dispatchesOf(database.pool, endpointId)).map(({ state }) => state);

  it('is neither opened, held nor disabled by what the old receiver answers after that', async () => {
    await bench.recordScans(orgId, 14);
    const claim = await bench.claim(endpointId, 'a', 13);
    await move();
    const late = [...Array.from({ length: 10 }, () => answered(500)), answered(503, '', '3600')];
    const { mayGoOn } = await bench.settle(claim, 'a', [...late, answered(410), answered(204)]);
    expect(mayGoOn).to.equal(true);
    expect(await circuitOf(database.pool, endpointId)).to.deep.equal({
      circuit_state: 'closed',
      disabled_reason: null,
    });
    expect(await states()).to.deep.equal([...Array(12).fill('pending'), 'delivered', 'pending']);
    const next = await bench.claim(endpointId, 'a');
    expect({ url: next.url, sent: next.deliveries.length }).to.deep.equal({ url: NEW, sent: 1 });
    await bench.settle(next, 'a', [answered(204)]);
    clock.advance(6_000);
    // By their own schedule.
    expect((await bench.claim(endpointId, 'a')).deliveries).to.have.length(12);
  });

  it('tries at once what the old receiver asked patience for, as far as its own schedule allows', async () => {
    await bench.recordScans(orgId, 1);
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(503, '', '86400')]);
    await bench.ask(endpointId, 'a');
    clock.advance(6_000);
    await move();
    expect((await bench.claim(endpointId, 'b')).deliveries).to.have.length(1);
  });

  it('does not open for a hiccup because the old receiver had failed', async () => {
    await bench.recordScans(orgId, 10);
    const failing = await bench.claim(endpointId, 'a', 9);
    await bench.settle(
      failing,
      'a',
      Array.from({ length: 9 }, () => answered(500)),
    );
    await move();
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(500)]);
    expect(await circuitOf(database.pool, endpointId)).to.include({ circuit_state: 'closed' });
  });

  for (const status of [204, 500]) {
    it(`is asked by a probe of its own, whatever the old one’s probe hears (${status})`, async () => {
      await bench.recordScans(orgId, 12);
      const opening = await bench.claim(endpointId, 'a', 10);
      await bench.settle(
        opening,
        'a',
        Array.from({ length: 10 }, () => answered(500)),
      );
      await bench.ask(endpointId, 'a');
      clock.advance(31_000);
      const probe = await bench.claim(endpointId, 'a');
      await move();
      await bench.settle(probe, 'a', [answered(status)]);
      const own = await bench.claim(endpointId, 'a');
      expect({ url: own.url, sent: own.deliveries.length }).to.deep.equal({ url: NEW, sent: 1 });
      expect(own.probeEpoch).to.equal(probe.probeEpoch! + 1);
    });
  }
});
