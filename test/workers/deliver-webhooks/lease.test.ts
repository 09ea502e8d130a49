import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { newUuid } from '../../../shared/ids.ts';
import { takeTurn, type TurnItem, type TurnResult } from '../../../shared/webhooks/turn.ts';
import { serveEndpoint } from '../../../workers/deliver-webhooks/endpoint-session.ts';
import { turnDepsOf } from '../../../workers/deliver-webhooks/processor.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered } from '../../support/outcomes.ts';
import { Receivers, sessionDeps } from '../../support/webhook-sessions.ts';
import { createWebhookBench, dispatchesOf, type WebhookBench } from '../../support/webhook-turns.ts';

describe('what a session of an endpoint has claimed', () => {
  let database: TestDatabase;
  let bench: WebhookBench;
  let receivers: Receivers;
  let clock: TestClock;
  let stop: AbortController;
  let orgId: string;

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());
  beforeEach(async () => {
    clock = new TestClock(new Date().toISOString());
    bench = createWebhookBench({ db: database.pool, clock });
    receivers = new Receivers();
    stop = new AbortController();
    setMaxListeners(0, stop.signal);
    orgId = await bench.createOrganization();
  });

  type Take = (item: TurnItem) => Promise<TurnResult>;
  /** @param around a turn as the test wants it */
  const serve = (endpointId: string, around: (item: TurnItem, take: Take) => Promise<TurnResult>) => {
    const deps = { ...sessionDeps({ db: database.pool, bench, receivers, stopping: stop.signal }), clock };
    const turnDeps = turnDepsOf(deps);
    const take: Take = async (item) => (await takeTurn(turnDeps, [item]))[0]!;
    const turn: Take = (item) => around(item, take);
    return serveEndpoint(
      { ...deps, turn, wait: async () => undefined, othersWait: async () => false },
      endpointId,
    );
  };
  const leased = async (endpointId: string) =>
    (await dispatchesOf(database.pool, endpointId)).filter(({ lease_until }) => lease_until !== null).length;

  it('is sent while it can be over within its lease, and claimed anew after', async () => {
    const endpointId = await bench.createEndpoint(orgId, { concurrency: 1 });
    await bench.recordScans(orgId, 4);
    const leases = new Map<string, number>();
    const left: number[] = [];
    receivers.respond = ({ headers, deadlineMs }) => {
      left.push(leases.get(headers['X-Service-Event-Id']!)! - clock.now().getTime() - deadlineMs!);
      clock.advance(5_500);
      return answered(204);
    };
    const { delivered } = await serve(endpointId, async (item, take) => {
      const result = await take(item);
      if (result.type === 'claimed') {
        const { deliveries, leaseUntil } = result.claim;
        for (const { publicEventId } of deliveries) leases.set(publicEventId, leaseUntil.getTime());
      }
      return result;
    });
    expect(delivered).to.equal(4);
    expect(Math.min(...left), 'milliseconds to spare').to.be.at.least(0);
  });

  it('goes back unsent where another session serves the endpoint by then', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 8);
    receivers.respond = () => null;
    let claims = 0;
    const { delivered } = await serve(endpointId, async (item, take) => {
      if (item.type === 'claim' && ++claims === 2) {
        await receivers.untilSent(3);
        await database.pool.query(
          `update webhook_endpoints set served_by = $2, served_until = 'infinity' where id = $1`,
          [endpointId, newUuid()],
        );
      }
      const result = await take(item);
      if (result.type === 'elsewhere')
        void setImmediate().then(() => receivers.sent.forEach(({ answer }) => answer(answered(204))));
      return result;
    });
    expect(delivered).to.equal(3);
    expect(receivers.sent).to.have.length(3);
    expect(await leased(endpointId)).to.equal(0);
  });

  it('goes back where the process stops before the claim has its answer', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 5);
    await serve(endpointId, async (item, take) => {
      const result = await take(item);
      stop.abort();
      await setImmediate();
      return result;
    });
    expect(receivers.sent).to.have.length(0);
    expect(await leased(endpointId)).to.equal(0);
    expect((await bench.claim(endpointId, 'another')).deliveries).to.have.length(5);
  });
});
