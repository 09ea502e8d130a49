import { expect } from 'chai';
import { ensureMonthPartitions } from '../../../shared/partitions/repository.ts';
import { dropExpiredPartitions } from '../../../shared/webhooks/retention.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const TABLES = ['events', 'webhook_dispatches', 'webhook_deliveries', 'scans'];

describe('retention of events and deliveries', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
    for (const table of TABLES)
      await ensureMonthPartitions(database.pool, table, new Date('2025-12-01'), new Date('2026-06-01'));
  });
  after(() => database.drop());

  const months = async (table: string) =>
    (
      await database.pool.query<{ month: string }>(
        `select right(c.relname, 7) as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = $1::regclass and right(c.relname, 7) < '2026_07' order by 1`,
        [table],
      )
    ).rows.map(({ month }) => month);

  it('drops whole months that are older than asked for, and nothing younger', async () => {
    const clock = new TestClock('2026-06-15T00:00:00.000Z');
    const config = { EVENT_RETENTION_DAYS: 90, DELIVERY_RETENTION_DAYS: 30 };
    const dropped = await dropExpiredPartitions({ db: database.pool, clock, config });
    // 90 days before is the 17th of March, 30 days before the 16th of May: those months stay.
    expect(await months('events')).to.deep.equal(['2026_03', '2026_04', '2026_05', '2026_06']);
    expect(await months('webhook_dispatches')).to.deep.equal(['2026_03', '2026_04', '2026_05', '2026_06']);
    expect(await months('webhook_deliveries')).to.deep.equal(['2026_05', '2026_06']);
    expect(await months('scans')).to.have.length(7);
    expect(dropped).to.equal(3 + 3 + 5);
    expect(await dropExpiredPartitions({ db: database.pool, clock, config })).to.equal(0);
  });

  it('gives up soon where somebody reads, and succeeds later', async () => {
    const clock = new TestClock('2026-08-15T00:00:00.000Z');
    const config = { EVENT_RETENTION_DAYS: 90, DELIVERY_RETENTION_DAYS: 30 };
    const reader = await database.pool.connect();
    try {
      await reader.query('begin');
      await reader.query('select * from webhook_deliveries limit 1');
      let error: unknown = null;
      await dropExpiredPartitions({ db: database.pool, clock, config }).catch(
        (caught: unknown) => (error = caught),
      );
      expect((error as { code?: string }).code).to.equal('55P03');
    } finally {
      await reader.query('rollback');
      reader.release();
    }
    expect(await dropExpiredPartitions({ db: database.pool, clock, config })).to.be.greaterThan(0);
  });
});
