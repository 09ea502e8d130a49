import { expect } from 'chai';
import { findScanOfNetwork } from '../../../shared/counterfeit-reports/repository.ts';
import { newUuid, uuidFloor } from '../../../shared/ids.ts';
import { ensureMonthPartitions } from '../../../shared/partitions/repository.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { countingReads } from '../../support/rows-read.ts';

const NOW = new Date('2026-06-20T12:00:00Z');
const DAY = 86_400_000;

describe('the scan of whoever reports a unit', () => {
  const unitId = newUuid();
  const newestId = uuidFloor(NOW);
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
    const { pool } = database;
    await ensureMonthPartitions(pool, 'scans', new Date('2026-05-01'), NOW);
    await pool.query(
      `insert into scans (id, org_id, unit_id, product_id, batch_id, at, network_id, country, result, risk_level, risk_score)
       select uuid_floor(t.at), $1, $1, $1, $1, t.at, 'network ' || hour, 'DE', 'genuine', 'none', 0
         from (select hour, $2::timestamptz - hour * interval '1 hour' as at from generate_series(1, 1000) as hour) t`,
      [unitId, NOW],
    );
    // Of a network that scanned it before as well.
    await pool.query(
      `insert into scans (id, org_id, unit_id, product_id, batch_id, at, network_id, country, result, risk_level, risk_score)
       select $2, org_id, unit_id, product_id, batch_id, $3, network_id, 'AT', result, risk_level, risk_score
         from scans where unit_id = $1 and network_id = 'network 24'`,
      [unitId, newestId, NOW],
    );
    await pool.query('vacuum analyze scans');
  });
  after(() => database.drop());

  it('is sought among the unit’s latest, however often it was scanned before', async () => {
    const { db, read } = countingReads(database.pool);
    const find = (networkId: string) =>
      findScanOfNetwork(db, unitId, networkId, new Date(NOW.getTime() - DAY));
    expect(await find('network 23')).to.include({ country: 'DE' });
    expect(await find('network 24')).to.deep.equal({ id: newestId, country: 'AT' });
    expect(await find('network 25')).to.equal(null);
    expect(read()).to.be.at.most(25);
  });
});
