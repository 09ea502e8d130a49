import { expect } from 'chai';
import { listDueEndpointIds, listNeglectedEndpointIds, takeTurn } from '../../../shared/webhooks/turn.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered } from '../../support/outcomes.ts';
import { claimItem, createWebhookBench, type WebhookBench } from '../../support/webhook-turns.ts';

describe('which endpoints an event and the sweeper wake', () => {
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

  const woken = async () => ({
    byEvent: (await listDueEndpointIds(database.pool, orgId, clock.now())).includes(endpointId),
    bySweeper: (await listNeglectedEndpointIds(database.pool, clock.now(), 1_000)).includes(endpointId),
  });
  const both = (is: boolean) => ({ byEvent: is, bySweeper: is });
  const leave = () => {
    const { session } = claimItem(endpointId).request;
    return takeTurn(bench.deps, [{ type: 'leave', endpointId, session }]);
  };

  it('are those of the organization with something due', async () => {
    expect(await woken()).to.deep.equal(both(false));
    await bench.recordScans(orgId, 1);
    expect(await woken()).to.deep.equal(both(true));
    const others = await bench.createOrganization();
    expect(await listDueEndpointIds(database.pool, others, clock.now())).to.deep.equal([]);
    await bench.deliverAll(endpointId, 204);
    expect(await woken()).to.deep.equal(both(false));
  });

  it('are those whose receiver’s time for patience is over', async () => {
    await bench.recordScans(orgId, 2);
    await bench.settle(await bench.claim(endpointId, 'a', 1), 'a', [answered(503, '', '60')]);
    await bench.ask(endpointId, 'a');
    clock.advance(59_999);
    expect(await woken()).to.deep.equal(both(false));
    clock.advance(1);
    expect(await woken()).to.deep.equal(both(true));
  });

  it('are those whose circuit lets a probe go, also where one was given back', async () => {
    await bench.recordScans(orgId, 11);
    await bench.settle(await bench.claim(endpointId, 'a', 10), 'a', Array(10).fill(answered(500)));
    await bench.ask(endpointId, 'a');
    clock.advance(29_999);
    expect(await woken(), 'while it is open').to.deep.equal(both(false));
    clock.advance(1);
    expect(await woken(), 'when the open time is over').to.deep.equal(both(true));
    const probe = await bench.claim(endpointId, 'a');
    expect(await woken(), 'while the probe is out').to.deep.equal(both(false));
    await bench.settle(probe, 'a', [null]);
    await leave();
    expect(await woken(), 'when it is given back').to.deep.equal(both(true));
  });

  it('are those whose session has ended without a word', async () => {
    await bench.recordScans(orgId, 1);
    await bench.claim(endpointId, 'dead');
    clock.advance(59_999);
    expect(await woken()).to.include({ bySweeper: false });
    clock.advance(1);
    expect(await woken()).to.include({ bySweeper: true });
    expect((await bench.claim(endpointId, 'heir')).deliveries).to.have.length(1);
  });
});
