import { expect } from 'chai';
import { foldDeltas } from '../../../shared/analytics/delta-repository.ts';
import { countScans, readSummary, rollUp } from '../../../shared/analytics/service.ts';
import { newUuid } from '../../../shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { whileHeld } from '../../support/held-row.ts';

const ORG = newUuid();
const PRODUCT = newUuid();
const RANGE = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-03-08T00:00:00Z') };
const SCAN = {
  orgId: ORG,
  productId: PRODUCT,
  at: new Date('2026-03-02T10:00:00Z'),
  result: 'genuine',
  country: 'DE',
  lat: 52.5,
  lon: 13.5,
};

describe('the summary', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
    await database.pool.query(`insert into organizations (id, name) values ($1, 'Org')`, [ORG]);
    await database.pool.query(`insert into products (id, org_id, name, sku) values ($1, $2, 'P', 'P')`, [
      PRODUCT,
      ORG,
    ]);
    await countScans(database.pool, [SCAN]);
    await rollUp(database.pool);
  });
  after(() => database.drop());

  it('has sums of one state, whatever is folded while it is read', async () => {
    await countScans(database.pool, [SCAN, { ...SCAN, result: 'diverted' }]);
    const lock = { text: 'lock table country_days', values: [] };
    await whileHeld(database.pool, lock, async ({ holder, waiting, release }) => {
      const reading = readSummary(database.pool, { orgId: ORG, ...RANGE });
      // It has the sums by result, and waits for those by country.
      await waiting(1);
      expect(await foldDeltas(holder, 10)).to.equal(2);
      await release();
      const { scans, topCountries, topProducts } = await reading;
      expect([scans, topCountries[0]!.scans, topProducts[0]!.scans]).to.deep.equal([1, 1, 1]);
    });
    expect((await readSummary(database.pool, { orgId: ORG, ...RANGE })).scans).to.equal(3);
  });

  it('counts nothing of others’, in whole days and in parts of days', async () => {
    const [own, other] = [newUuid(), newUuid()];
    for (const orgId of [own, other]) {
      await database.pool.query(`insert into organizations (id, name) values ($1, 'Org')`, [orgId]);
      const productId = newUuid();
      await database.pool.query(`insert into products (id, org_id, name, sku) values ($1, $2, 'P', 'P')`, [
        productId,
        orgId,
      ]);
      const at = ['2026-03-02T10:00:00Z', '2026-03-03T10:00:00Z', '2026-03-04T10:00:00Z'];
      await countScans(
        database.pool,
        at.map((time) => ({ ...SCAN, orgId, productId, at: new Date(time) })),
      );
    }
    await rollUp(database.pool);
    const [from, to] = [new Date('2026-03-02T06:15:00Z'), new Date('2026-03-04T18:45:00Z')];
    const { scans, byResult, topCountries, topProducts } = await readSummary(database.pool, {
      orgId: own,
      from,
      to,
    });
    expect([scans, byResult]).to.deep.equal([3, { genuine: 3 }]);
    expect([...topCountries, ...topProducts].map((top) => top.scans)).to.deep.equal([3, 3]);
  });
});
