import { expect } from 'chai';
import type { Db } from '../../../shared/db.ts';
import { newUuid } from '../../../shared/ids.ts';
import {
  cellOf,
  countFirstScans,
  countScans,
  countUnits,
  readFunnel,
  readMap,
  readSummary,
  readTimeseries,
  rollUp,
  type CountedScan,
} from '../../../shared/analytics/service.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const ORG = newUuid();
const OTHER_ORG = newUuid();
const PRODUCTS = [newUuid(), newUuid()];
const RESULTS = ['genuine', 'suspicious', 'diverted'];
const COUNTRIES = ['DE', 'JP', null];
const FROM = new Date('2026-03-01T00:00:00Z');
const TO = new Date('2026-03-08T00:00:00Z');

/** Numbers that only look random, the same in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

interface Scan extends CountedScan {
  isFirst: boolean;
}

function makeScans(count: number, orgId: string, seed: number): Scan[] {
  const next = sequence(seed);
  return Array.from({ length: count }, () => {
    const country = COUNTRIES[next(3)]!;
    return {
      orgId,
      productId: PRODUCTS[next(2)]!,
      at: new Date(FROM.getTime() + next(7 * 24 * 3600) * 1000),
      result: RESULTS[next(3)]!,
      country,
      lat: country === null ? null : next(180) - 90 + 0.5,
      lon: country === null ? null : next(360) - 180 + 0.5,
      isFirst: next(4) === 0,
    };
  });
}

const countBy = <T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
};

async function count(db: Db, scans: readonly Scan[]): Promise<void> {
  await countScans(db, scans);
  await countFirstScans(
    db,
    scans.filter((scan) => scan.isFirst).map((scan) => ({ ...scan, amount: 1 })),
  );
}

describe('analytics', () => {
  let database: TestDatabase;
  const scans = makeScans(3_000, ORG, 7);
  const query = { orgId: ORG, from: FROM, to: TO };

  before(async () => {
    database = await createTestDatabase();
    for (const id of [ORG, OTHER_ORG]) {
      await database.pool.query(`insert into organizations (id, name) values ($1, 'Org')`, [id]);
    }
    for (const [index, id] of PRODUCTS.entries()) {
      await database.pool.query(`insert into products (id, org_id, name, sku) values ($1, $2, $3, $3)`, [
        id,
        ORG,
        `P${index}`,
      ]);
    }
    await count(database.pool, scans.slice(0, 2_000));
    await rollUp(database.pool);
    // Late ones, and somebody else's.
    await count(database.pool, scans.slice(2_000));
    await count(database.pool, makeScans(500, OTHER_ORG, 11));
    await rollUp(database.pool);
  });
  after(() => database.drop());

  it('counts what the raw scans count, late ones included', async () => {
    const summary = await readSummary(database.pool, query);
    expect(summary.scans).to.equal(3_000);
    expect(summary.byResult).to.deep.equal(countBy(scans, (scan) => scan.result));
    expect(summary.units.firstScanned).to.equal(scans.filter((scan) => scan.isFirst).length);
    const byCountry = countBy(scans, (scan) => scan.country ?? '');
    expect(Object.fromEntries(summary.topCountries.map((entry) => [entry.key, entry.scans]))).to.deep.equal(
      byCountry,
    );
    const [first] = summary.topProducts;
    const risky = scans.filter((scan) => scan.productId === first!.product_id && scan.result !== 'genuine');
    expect(first!.suspicious + first!.diverted).to.equal(risky.length);
  });

  it('filters by product', async () => {
    const ofProduct = scans.filter((scan) => scan.productId === PRODUCTS[1]);
    const summary = await readSummary(database.pool, { ...query, productId: PRODUCTS[1] });
    expect(summary.byResult).to.deep.equal(countBy(ofProduct, (scan) => scan.result));
    const { series } = await readTimeseries(database.pool, {
      ...query,
      productId: PRODUCTS[1],
      interval: 'day',
      timeZone: 'UTC',
      by: 'country',
    });
    const actual: Record<string, number> = {};
    for (const { key, points } of series)
      for (const { at, scans: amount } of points) actual[`${at.toISOString().slice(0, 10)} ${key}`] = amount;
    expect(actual).to.deep.equal(
      countBy(ofProduct, (scan) => `${scan.at.toISOString().slice(0, 10)} ${scan.country ?? ''}`),
    );
  });

  for (const timeZone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns']) {
    it(`begins days at midnight in ${timeZone}`, async () => {
      const dayOf = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
      const { series } = await readTimeseries(database.pool, {
        ...query,
        interval: 'day',
        timeZone,
        by: 'result',
      });
      const actual: Record<string, number> = {};
      for (const { key, points } of series)
        for (const { at, scans: amount } of points) actual[`${dayOf.format(at)} ${key}`] = amount;
      expect(actual).to.deep.equal(countBy(scans, (scan) => `${dayOf.format(scan.at)} ${scan.result}`));
    });
  }

  it('maps by cell of one degree, leaving out scans without a place', async () => {
    const cells = await readMap(database.pool, query, 'cell');
    expect(Object.fromEntries(cells.map((cell) => [cell.key, cell.scans]))).to.deep.equal(
      countBy(
        scans.filter((scan) => scan.lat !== null),
        (scan) => String(cellOf(scan.lat, scan.lon)),
      ),
    );
    expect([cellOf(90, 180), cellOf(-90, -180), cellOf(null, null)]).to.deep.equal([64_799, 0, -1]);
  });

  it('takes back what a changed verdict had counted', async () => {
    const changed = { ...scans[0]!, orgId: OTHER_ORG, at: new Date('2026-05-01T10:00:00Z') };
    const may = {
      orgId: OTHER_ORG,
      from: new Date('2026-05-01T00:00:00Z'),
      to: new Date('2026-06-01T00:00:00Z'),
    };
    await countScans(database.pool, [{ ...changed, result: 'genuine' }]);
    await rollUp(database.pool);
    await countScans(database.pool, [{ ...changed, result: 'genuine' }], -1);
    await countScans(database.pool, [{ ...changed, result: 'suspicious' }]);
    await rollUp(database.pool);
    expect((await readSummary(database.pool, may)).byResult).to.deep.equal({ suspicious: 1 });
  });

  it('counts units from minting to their first scan', async () => {
    const at = new Date('2026-04-02T12:00:00Z');
    const april = {
      orgId: ORG,
      from: new Date('2026-04-01T00:00:00Z'),
      to: new Date('2026-05-01T00:00:00Z'),
    };
    await countUnits(database.pool, 'minted', { orgId: ORG, productId: PRODUCTS[0]!, at, amount: 10 });
    await countUnits(database.pool, 'activated', { orgId: ORG, productId: PRODUCTS[0]!, at, amount: 4 });
    await rollUp(database.pool);
    expect(await readFunnel(database.pool, april)).to.deep.equal({
      minted: 10,
      activated: 4,
      firstScanned: 0,
    });
  });

  it('counts each delta once, however many fold at a time', async () => {
    const june = { orgId: ORG, from: new Date('2026-06-01T00:00:00Z'), to: new Date('2026-07-01T00:00:00Z') };
    const many = makeScans(2_000, ORG, 23).map((scan) => ({
      ...scan,
      at: new Date(scan.at.getTime() + 92 * 24 * 3_600_000),
    }));
    for (let i = 0; i < many.length; i += 100) await count(database.pool, many.slice(i, i + 100));
    await Promise.all([rollUp(database.pool), rollUp(database.pool), rollUp(database.pool)]);
    await rollUp(database.pool);
    expect((await readSummary(database.pool, june)).scans).to.equal(2_000);
    const { rows } = await database.pool.query('select count(*)::int as left from analytics_deltas');
    expect(rows[0]).to.deep.equal({ left: 0 });
  });
});
