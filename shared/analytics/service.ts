/**
 * Aggregated figures. Facts write deltas in their own transactions (`countScans`, `countUnits`); the maintenance worker
 * folds them into roll-ups within seconds, and reading touches only roll-ups. Exact: a delta is either waiting or counted.
 */
import { withTransaction, type Db, type Pool } from '../db.ts';
import { awaitFolds, foldDeltas, insertDeltas, type Delta } from './delta-repository.ts';
import {
  ALL_PRODUCTS,
  sumActivity,
  sumByCell,
  sumByCountry,
  sumByProduct,
  type Counted,
} from './repository.ts';
import { daysOf, quartersOf, type Range } from './steps.ts';

export { quartersOf, type Range } from './steps.ts';
export { MAX_SERIES, readTimeseries, type TimeseriesQuery } from './timeseries.ts';

export interface CountedScan {
  orgId: string;
  productId: string;
  at: Date;
  result: string;
  country: string | null;
  lat: number | null;
  lon: number | null;
}

/** Units of a product that came somewhere for the first time, or with a negative amount what was taken for them. */
export type CountedFirst = Pick<Delta, 'orgId' | 'productId' | 'at' | 'amount'>;

/** The one-degree cell of a position: see the migration. */
export function cellOf(lat: number | null, lon: number | null): number {
  if (lat === null || lon === null) return -1;
  const row = Math.min(179, Math.floor(lat + 90));
  const column = Math.min(359, Math.floor(lon + 180));
  return row * 360 + column;
}

/** Counts final scans, in the transaction that makes them final; `amount: -1` takes back what was counted of them. */
export async function countScans(db: Db, scans: readonly CountedScan[], amount: 1 | -1 = 1): Promise<void> {
  if (scans.length === 0) return;
  await insertDeltas(
    db,
    scans.map(({ orgId, productId, at, result, country, lat, lon }) => ({
      orgId,
      productId,
      at,
      amount,
      kind: 'scan',
      result,
      country: country ?? '',
      cell: cellOf(lat, lon),
    })),
  );
}

/** Counts units that were scanned for the first time. */
export async function countFirstScans(db: Db, firsts: readonly CountedFirst[]): Promise<void> {
  if (firsts.length === 0) return;
  await insertDeltas(
    db,
    firsts.map((first) => ({ ...first, kind: 'first_scan', result: '', country: '', cell: -1 })),
  );
}

/** Counts units that were minted or activated for the first time, in the transaction that did it. */
export async function countUnits(
  db: Db,
  kind: 'minted' | 'activated',
  units: readonly CountedFirst[],
): Promise<void> {
  if (units.length === 0) return;
  await insertDeltas(
    db,
    units.map((counted) => ({ ...counted, kind, result: '', country: '', cell: -1 })),
  );
}

const FOLD_AT_A_TIME = 20_000;

/** Folds everything that waits. @returns how many deltas. */
export async function rollUp(db: Db): Promise<number> {
  let total = 0;
  for (;;) {
    const folded = await foldDeltas(db, FOLD_AT_A_TIME);
    total += folded;
    if (folded < FOLD_AT_A_TIME) return total;
  }
}

/** After it everything that waited before is in the roll-ups, whoever folded it. */
export async function rollUpWholly(db: Db): Promise<void> {
  await rollUp(db);
  await awaitFolds(db);
}

/** A range counts with all of the quarters of an hour that it touches: `quartersOf`. */
export interface AnalyticsQuery extends Range {
  orgId: string;
  /** UUID; all products without it. */
  productId?: string | undefined;
}

const productOf = ({ productId }: AnalyticsQuery): string => productId ?? ALL_PRODUCTS;

export interface Funnel {
  minted: number;
  activated: number;
  /** Units scanned for the first time. */
  firstScanned: number;
}

const funnelOf = (rows: readonly { kind: string; amount: number }[]): Funnel => {
  const sum = (kind: string) =>
    rows.filter((row) => row.kind === kind).reduce((total, row) => total + row.amount, 0);
  return { minted: sum('minted'), activated: sum('activated'), firstScanned: sum('first_scan') };
};

export async function readFunnel(db: Db, query: AnalyticsQuery): Promise<Funnel> {
  return funnelOf(await sumActivity(db, query.orgId, productOf(query), query));
}

const TOP = 10;

/** Its statements see one state of the roll-ups: what is folded meanwhile would be in one of them and not in another. */
const ONE_STATE = 'begin isolation level repeatable read read only';

export async function readSummary(pool: Pool, query: AnalyticsQuery) {
  const [activity, countries, topProducts] = await withTransaction(
    pool,
    async ({ db }) =>
      [
        await sumActivity(db, query.orgId, productOf(query), query),
        await sumByCountry(db, query.orgId, productOf(query), query),
        await sumByProduct(db, query.orgId, productOf(query), query),
      ] as const,
    ONE_STATE,
  );
  const scans = activity.filter((row) => row.kind === 'scan' && row.amount > 0);
  return {
    scans: scans.reduce((total, row) => total + row.amount, 0),
    byResult: Object.fromEntries(scans.map((row) => [row.result, row.amount])),
    topCountries: gather(countries).slice(0, TOP),
    topProducts: topProducts.slice(0, TOP),
    units: funnelOf(activity),
  };
}

export interface Gathered {
  key: string;
  scans: number;
  byResult: Record<string, number>;
}

/** Rows of one key together, those with most scans first; what was taken back to nothing is gone. */
function gather(rows: readonly Counted[]): Gathered[] {
  const byKey = new Map<string, Gathered>();
  for (const { key, result, amount } of rows) {
    if (amount === 0) continue;
    const entry = byKey.get(key) ?? { key, scans: 0, byResult: {} };
    entry.scans += amount;
    entry.byResult[result] = amount;
    byKey.set(key, entry);
  }
  return [...byKey.values()].sort((a, b) => b.scans - a.scans || a.key.localeCompare(b.key));
}

/** What a map counts of a range: cells are kept by the UTC day. */
export const mappedRange = (range: Range, by: 'country' | 'cell'): Range =>
  by === 'country' ? quartersOf(range) : daysOf(range);

export async function readMap(db: Db, query: AnalyticsQuery, by: 'country' | 'cell'): Promise<Gathered[]> {
  const read = by === 'country' ? sumByCountry : sumByCell;
  return gather(await read(db, query.orgId, productOf(query), query));
}
