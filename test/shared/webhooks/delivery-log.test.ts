import { expect } from 'chai';
import { withTransaction } from '../../../shared/db.ts';
import { listDeliveries, type DeliveryFilter } from '../../../shared/webhooks/delivery-repository.ts';
import { settleAttempts } from '../../../shared/webhooks/dispatch-repository.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered } from '../../support/outcomes.ts';
import { countingReads } from '../../support/rows-read.ts';
import { createWebhookBench, type WebhookBench } from '../../support/webhook-turns.ts';

describe('the log of deliveries', () => {
  let database: TestDatabase;
  let bench: WebhookBench;
  let orgId: string;
  let endpointId: string;

  before(async () => {
    database = await createTestDatabase();
    bench = createWebhookBench({ db: database.pool, clock: new TestClock(new Date().toISOString()) });
    orgId = await bench.createOrganization();
    endpointId = await bench.createEndpoint(orgId);
  });
  after(() => database.drop());

  it('finds a failure without reading the thousands that succeeded since', async () => {
    await bench.recordScans(orgId, 1);
    await bench.settle(await bench.claim(endpointId, 'a'), 'a', [answered(500)]);
    await database.pool.query(
      `insert into webhook_deliveries (id, org_id, endpoint_id, event_id, event_type, attempt, started_at, settled_at, outcome)
       select uuidv7(), $1, $2, uuidv7(), 'scan.recorded', 1, now(), now(), 'delivered' from generate_series(1, 3000)`,
      [orgId, endpointId],
    );
    const { db, read } = countingReads(database.pool);
    const list = (filter: DeliveryFilter) =>
      listDeliveries(db, endpointId, filter, { limit: 50, beforeId: null });
    expect((await list({ outcome: 'failed' })).rows.map((row) => row.response_status)).to.deep.equal([500]);
    expect(read()).to.equal(1);
  });

  it('is written to without touching an index where an attempt succeeds', async () => {
    await bench.recordScans(orgId, 1);
    const [delivery] = (await bench.claim(endpointId, 'a')).deliveries;
    await withTransaction(database.pool, async ({ db }) => {
      const settlement = {
        endpointId,
        eventId: delivery!.eventId,
        deliveryId: delivery!.deliveryId,
        leaseEpoch: delivery!.leaseEpoch,
        state: 'delivered' as const,
        dueAt: null,
        refundAttempt: false,
        outcome: answered(204),
        requestHeaders: {},
        nextAttemptAt: null,
      };
      const updates = async () => {
        const { rows } = await db.query<{ all: number; hot: number }>(
          `select sum(pg_stat_get_xact_tuples_updated(inhrelid))::integer as all,
                  sum(pg_stat_get_xact_tuples_hot_updated(inhrelid))::integer as hot
             from pg_inherits where inhparent = 'webhook_deliveries'::regclass`,
        );
        return rows[0]!;
      };
      // What the connection has not reported of its earlier transactions counts, too.
      const before = await updates();
      await settleAttempts(db, [settlement], new Date());
      expect(await updates()).to.deep.equal({ all: before.all + 1, hot: before.hot + 1 });
    });
  });
});
