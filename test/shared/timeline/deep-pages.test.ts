import { expect } from 'chai';
import { newUuid } from '../../../shared/ids.ts';
import { ensureMonthPartitions } from '../../../shared/partitions/repository.ts';
import { listEntries, type EntryPlace } from '../../../shared/timeline/repository.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { countingReads } from '../../support/rows-read.ts';

const NOW = new Date('2026-06-20T12:00:00Z');

describe('the timeline of a unit with many scans', () => {
  const unitId = newUuid();
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
    const { pool } = database;
    await ensureMonthPartitions(pool, 'scans', new Date('2026-05-01'), NOW);
    await pool.query(
      `insert into scans (id, org_id, unit_id, product_id, batch_id, at, country, result, risk_level, risk_score)
       select uuid_floor(t.at), $1, $1, $1, $1, t.at, 'DE', 'genuine', 'none', 0
         from (select $2::timestamptz - hour * interval '1 hour' as at from generate_series(1, 1000) as hour) t`,
      [unitId, NOW],
    );
    await pool.query('vacuum analyze scans');
  });
  after(() => database.drop());

  it('reads for each page no more than it shows, however far back', async () => {
    const { db, read } = countingReads(database.pool);
    const times: string[] = [];
    let after: EntryPlace | null = null;
    for (let page = 0; page < 20; page++) {
      const found = await listEntries(db, {
        orgId: unitId,
        unitId,
        batchId: unitId,
        productId: unitId,
        types: ['scanned'],
        after,
        limit: 50,
      });
      expect(read(), `page ${page}`).to.be.at.most(51);
      times.push(...found.map(({ at }) => at.toISOString()));
      after = found.at(-1)!;
    }
    const hoursBack = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000).toISOString();
    expect(times).to.deep.equal(Array.from({ length: 1000 }, (_, index) => hoursBack(index + 1)));
  });
});
