import { expect } from 'chai';
import {
  cellOf,
  countScans,
  readMap,
  readSummary,
  readTimeseries,
  rollUp,
  type CountedScan,
} from '../../../shared/analytics/service.ts';
import { newUuid } from '../../../shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** A Wednesday. */
const DAY = '2026-03-04';
const RANGE = { from: new Date(`${DAY}T00:00:00Z`), to: new Date('2026-03-05T00:00:00Z') };

describe('places and products of the figures', () => {
  let database: TestDatabase;
  let orgId: string;
  let productIds: string[];

  before(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    orgId = newUuid();
    await database.pool.query(`insert into organizations (id, name) values ($1, 'Org')`, [orgId]);
    productIds = [newUuid(), newUuid(), newUuid()].sort();
    for (const id of productIds)
      await database.pool.query(`insert into products (id, org_id, name, sku) values ($1, $2, $3, $3)`, [
        id,
        orgId,
        id.slice(-8),
      ]);
  });
  after(() => database.drop());

  const scan = (fields: Partial<CountedScan> = {}): CountedScan => ({
    orgId,
    productId: productIds[0]!,
    at: new Date(`${DAY}T10:00:00Z`),
    result: 'genuine',
    country: 'DE',
    lat: 52.5,
    lon: 13.5,
    ...fields,
  });
  const fold = async (scans: readonly CountedScan[], amount: 1 | -1 = 1) => {
    await countScans(database.pool, scans, amount);
    await rollUp(database.pool);
  };

  it('are gone where everything of theirs was taken back', async () => {
    const moved = scan({ productId: productIds[1]!, country: 'JP', lat: 35.5, lon: 139.5 });
    await fold([scan(), moved]);
    await fold([moved], -1);
    const query = { orgId, ...RANGE };
    const { topCountries, topProducts } = await readSummary(database.pool, query);
    expect(topCountries.map(({ key }) => key)).to.deep.equal(['DE']);
    expect(topProducts.map(({ product_id: id }) => id)).to.deep.equal([productIds[0]]);
    for (const by of ['country', 'cell'] as const)
      expect((await readMap(database.pool, query, by)).map(({ scans }) => scans)).to.deep.equal([1]);
    for (const by of ['country', 'product'] as const) {
      const asked = { ...query, by, interval: 'day', timeZone: 'UTC' } as const;
      expect((await readTimeseries(database.pool, asked)).series).to.have.length(1);
    }
  });

  it('have no verdict that was taken back', async () => {
    await fold([scan(), scan({ result: 'suspicious' })]);
    await fold([scan({ result: 'suspicious' })], -1);
    const [place] = await readMap(database.pool, { orgId, ...RANGE }, 'country');
    expect(place!.byResult).to.deep.equal({ genuine: 1 });
  });

  it('come in one order: products by what is suspicious or diverted, then by scans; places by scans, then by name', async () => {
    const [quiet, busy, doubtful] = productIds as [string, string, string];
    await fold([
      scan({ productId: quiet }),
      scan({ productId: busy, country: 'AT', lat: 48.5, lon: 16.5 }),
      scan({ productId: busy, country: 'FR' }),
      scan({ productId: doubtful, result: 'diverted', country: 'FR' }),
    ]);
    const { topCountries, topProducts } = await readSummary(database.pool, { orgId, ...RANGE });
    expect(topProducts.map(({ product_id: id }) => id)).to.deep.equal([doubtful, busy, quiet]);
    expect(topCountries.map(({ key }) => key)).to.deep.equal(['FR', 'AT', 'DE']);
  });

  for (const [title, from, to, counted] of [
    ['a day amid a week', '2026-03-04', '2026-03-05', 1],
    ['days of one week that ends after them', '2026-03-03', '2026-03-07', 4],
    ['days about a Monday', '2026-03-08', '2026-03-10', 2],
    ['one week', '2026-03-02', '2026-03-09', 7],
    ['a week and days before and after it', '2026-03-01', '2026-03-11', 10],
  ] as const)
    it(`are those of ${title} by cell`, async () => {
      const days = Array.from({ length: 14 }, (_, n) => new Date(Date.UTC(2026, 1, 27 + n, 12)));
      await fold(days.map((at) => scan({ at })));
      const range = { from: new Date(from), to: new Date(to) };
      expect(await readMap(database.pool, { orgId, ...range }, 'cell')).to.deep.equal([
        { key: String(cellOf(52.5, 13.5)), scans: counted, byResult: { genuine: counted } },
      ]);
    });
});
