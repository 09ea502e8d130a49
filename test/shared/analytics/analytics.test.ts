import { expect } from 'chai';
import knex from 'knex';
import * as migration from '../../../migrations/20261122106100_analytics_steps.ts';
import type { Db } from '../../../shared/db.ts';
import { newUuid } from '../../../shared/ids.ts';
import {
  cellOf,
  countFirstScans,
  countScans,
  countUnits,
  MAX_SERIES,
  readFunnel,
  readMap,
  readSummary,
  readTimeseries,
  rollUp,
  type CountedScan,
} from '../../../shared/analytics/service.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { countingReads } from '../../support/rows-read.ts';

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
    expect(summary.topProducts.map(({ product_id: id, scans: amount }) => [id, amount])).to.deep.equal([
      [PRODUCTS[1], ofProduct.length],
    ]);
    const { series } = await readTimeseries(database.pool, {
      ...query,
      productId: PRODUCTS[1],
      interval: 'day',
      timeZone: 'UTC',
      by: 'country',
    });
    const actual: Record<string, number> = {};
    for (const { key, points } of series)
      for (const { at, scans: amount } of points) actual[`${at.slice(0, 10)} ${key}`] = amount;
    expect(actual).to.deep.equal(
      countBy(ofProduct, (scan) => `${scan.at.toISOString().slice(0, 10)} ${scan.country ?? ''}`),
    );
  });

  const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns'];
  for (const timeZone of [...ZONES, 'Australia/Lord_Howe', 'Pacific/Auckland'])
    for (const by of ['result', 'country', 'product'] as const)
      it(`begins days at midnight in ${timeZone}, by ${by}`, async () => {
        const dayOf = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
        // Neither bound is that of an hour.
        const odd = {
          orgId: ORG,
          from: new Date('2026-03-01T07:15:00Z'),
          to: new Date('2026-03-07T19:45:00Z'),
        };
        const within = scans.filter(({ at }) => at >= odd.from && at < odd.to);
        const { series, others } = await readTimeseries(database.pool, {
          ...odd,
          interval: 'day',
          timeZone,
          by,
        });
        const actual: Record<string, number> = {};
        for (const { key, points } of series)
          for (const { at, scans: amount } of points) actual[`${dayOf.format(new Date(at))} ${key}`] = amount;
        const keyOf = { result: 'result', country: 'country', product: 'productId' } as const;
        expect(actual).to.deep.equal(
          countBy(within, (scan) => `${dayOf.format(scan.at)} ${scan[keyOf[by]] ?? ''}`),
        );
        expect(others).to.deep.equal([]);
      });

  // Clocks go back from 03:00 to 02:00, from 02:00 to 01:30, and from 01:00 to midnight, which comes twice.
  for (const [timeZone, night] of [
    ['Europe/Berlin', '2026-10-25'],
    // Which Postgres takes for an hour ahead of UTC in summer as well.
    ['CET', '2026-10-25'],
    ['Australia/Lord_Howe', '2026-04-04'],
    ['Atlantic/Azores', '2026-10-25'],
  ] as const)
    for (const interval of ['hour', 'day', 'week'] as const)
      it(`counts every scan once by the ${interval} when the clocks of ${timeZone} go back`, async () => {
        const orgId = newUuid();
        await database.pool.query(`insert into organizations (id, name) values ($1, 'Org')`, [orgId]);
        const start = Date.parse(`${night}T00:00:00Z`) - 36 * 3_600_000;
        const made = makeScans(600, orgId, 31).map((scan) => ({
          ...scan,
          at: new Date(start + ((scan.at.getTime() - FROM.getTime()) * 3) / 7),
        }));
        await count(database.pool, made);
        await rollUp(database.pool);
        const range = { from: new Date(start), to: new Date(start + 72 * 3_600_000) };
        const { series } = await readTimeseries(database.pool, {
          orgId,
          ...range,
          interval,
          timeZone,
          by: 'country',
        });
        const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
        const all = series.flatMap(({ points }) => points);
        expect(all.reduce((sum, { scans: amount }) => sum + amount, 0)).to.equal(600);
        if (interval !== 'day') return;
        const byDay: Record<string, number> = {};
        for (const { at, scans: amount } of all)
          byDay[local.format(new Date(at))] = (byDay[local.format(new Date(at))] ?? 0) + amount;
        expect(byDay).to.deep.equal(countBy(made, ({ at }) => local.format(at)));
      });

  for (const by of ['result', 'country', 'product'] as const)
    it(`reads days where these are the world’s, and no hour of them, by ${by}`, async () => {
      const { pool } = database;
      const orgId = newUuid();
      await pool.query(`insert into organizations (id, name) values ($1, 'Org')`, [orgId]);
      const productId = newUuid();
      await pool.query(`insert into products (id, org_id, name, sku) values ($1, $2, 'Oil', 'O')`, [
        productId,
        orgId,
      ]);
      const hours = 7 * 24;
      const each = { orgId, productId, result: 'genuine', country: 'DE', lat: null, lon: null };
      await countScans(
        pool,
        Array.from({ length: hours }, (_, n) => ({ ...each, at: new Date(FROM.getTime() + n * 3_600_000) })),
      );
      await rollUp(pool);
      let read = 0;
      const db = {
        query: async (text: string, values: unknown[]) => {
          const counting = countingReads(pool);
          const answer = await counting.db.query(text, values);
          read += counting.read();
          return answer;
        },
      } as unknown as Db;
      const rowsFor = async (timeZone: string) => {
        read = 0;
        const range = { from: FROM, to: TO };
        const { series } = await readTimeseries(db, { orgId, ...range, by, interval: 'day', timeZone });
        const sum = series.flatMap(({ points }) => points).reduce((scans, point) => scans + point.scans, 0);
        expect(sum).to.equal(hours);
        return read;
      };
      expect(await rowsFor('UTC')).to.be.below(hours);
      expect(await rowsFor('Asia/Tokyo')).to.be.at.least(hours);
    });

  it('shows the largest series by themselves and the rest together', async () => {
    const orgId = newUuid();
    await database.pool.query(`insert into organizations (id, name) values ($1, 'Org')`, [orgId]);
    const countries = Array.from({ length: MAX_SERIES + 3 }, (_, n) => `A${String.fromCharCode(65 + n)}`);
    // The n-th country has n + 1 scans.
    const made = countries.flatMap((country, n) =>
      makeScans(n + 1, orgId, n + 1).map((scan) => ({ ...scan, country })),
    );
    await count(database.pool, made);
    await rollUp(database.pool);
    const { series, others } = await readTimeseries(database.pool, {
      ...query,
      orgId,
      interval: 'day',
      timeZone: 'UTC',
      by: 'country',
    });
    expect(series.map(({ key }) => key)).to.deep.equal(countries.slice(3).toReversed());
    const sum = (points: readonly { scans: number }[]) =>
      points.reduce((total, point) => total + point.scans, 0);
    expect(series.map(({ points }) => sum(points))).to.deep.equal(
      Array.from({ length: MAX_SERIES }, (_, n) => MAX_SERIES + 3 - n),
    );
    expect(sum(others)).to.equal(1 + 2 + 3);
  });

  it('takes nothing off the other countries for what is folded while it reads', async () => {
    const { pool } = database;
    const orgId = newUuid();
    await pool.query(`insert into organizations (id, name) values ($1, 'Org')`, [orgId]);
    const at = (day: number) => new Date(FROM.getTime() + day * 24 * 3_600_000 + 3_600_000);
    const each = { orgId, productId: PRODUCTS[0]!, result: 'genuine', lat: null, lon: null };
    const days = [0, 1, 2];
    const scansOf = (country: string, times: number) =>
      days.flatMap((day) => Array.from({ length: times }, () => ({ ...each, country, at: at(day) })));
    const shown = Array.from({ length: MAX_SERIES }, (_, n) => `A${String.fromCharCode(65 + n)}`);
    await countScans(pool, [...shown.flatMap((country) => scansOf(country, 2)), ...scansOf('ZW', 1)]);
    await rollUp(pool);
    // One statement after the other, and before each come scans in a country that is shown.
    let turn: Promise<unknown> = Promise.resolve();
    const db = {
      query: (text: string, values: unknown[]) => {
        const answer = turn.then(async () => {
          await countScans(pool, scansOf('AA', 1));
          await rollUp(pool);
          return pool.query(text, values);
        });
        turn = answer;
        return answer;
      },
    } as unknown as Db;
    // A part of the first day is read from quarters.
    const { others } = await readTimeseries(db, {
      orgId,
      from: new Date(FROM.getTime() + 900_000),
      to: at(3),
      interval: 'day',
      timeZone: 'UTC',
      by: 'country',
    });
    expect(others.map(({ scans: amount }) => amount)).to.deep.equal(days.map(() => 1));
  });

  it('has the same hours, days and weeks when they are made from the quarters anew', async () => {
    const read = async () => {
      const tables: Record<string, unknown[]> = {};
      for (const [table, key] of Object.entries({
        activity_days: '1, 2, 3, 4, 5',
        country_days: '1, 2, 3, 4, 5',
        series_hours: '1, 2, 3, 4',
        cell_weeks: '1, 2, 3, 4, 5',
      })) {
        const { rows } = await database.pool.query(`select * from ${table} order by ${key}`);
        expect(rows.length).to.be.greaterThan(20);
        tables[table] = rows;
      }
      return tables;
    };
    const folded = await read();
    const db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
    try {
      await db.transaction((trx) => migration.down(trx));
      await db.transaction((trx) => migration.up(trx));
    } finally {
      await db.destroy();
    }
    expect(await read()).to.deep.equal(folded);
  });

  it('lets no worker of the release before fold into the quarters alone', async () => {
    const old = database.pool.query(
      `insert into cell_rollups as r (org_id, product_id, day, cell, result, amount)
       select $1, $2, '2026-03-01', 1, 'genuine', 1
       on conflict (org_id, product_id, day, cell, result) do update set amount = r.amount + excluded.amount`,
      [ORG, PRODUCTS[0]],
    );
    expect(await old.catch((error: Error) => error)).to.be.instanceOf(Error);
  });

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
    await countUnits(database.pool, 'minted', [{ orgId: ORG, productId: PRODUCTS[0]!, at, amount: 10 }]);
    await countUnits(database.pool, 'activated', [{ orgId: ORG, productId: PRODUCTS[0]!, at, amount: 4 }]);
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
