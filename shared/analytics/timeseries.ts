/** Scans over time: which series an answer shows, and their points. */
import type { Db } from '../db.ts';
import { listEdges, type Buckets } from './edges.ts';
import { ALL_PRODUCTS, sumByCountry, sumByProduct } from './repository.ts';
import { sumDays, sumHours, sumQuarters, type Series, type Sums } from './series-repository.ts';
import { partsOf, quartersOf, type Range } from './steps.ts';

export interface TimeseriesQuery extends Range, Buckets {
  orgId: string;
  /** UUID; all products without it. */
  productId?: string | undefined;
  by: 'result' | 'product' | 'country';
}

export interface TimePoint {
  /** ISO 8601, UTC. */
  at: string;
  scans: number;
}

export interface Timeseries {
  /** By key: a result, a product's UUID or a country ('' unknown); those with most scans first. Intervals without scans are left out. */
  series: { key: string; points: TimePoint[] }[];
  /** Everything beyond `MAX_SERIES` together. */
  others: TimePoint[];
}

/** Series by product and by country that an answer shows each for itself: more than a chart can tell apart. */
export const MAX_SERIES = 20;

const RESULTS = ['genuine', 'suspicious', 'diverted', 'suspended', 'recalled', 'expired', 'inactive'];

interface Choice {
  keys: string[];
  series: Series[];
  /** All of them together, where some are not shown. */
  whole: Series | null;
}

/** The largest series of the range, in order. */
async function choose(db: Db, query: TimeseriesQuery): Promise<Choice> {
  const { orgId, productId = ALL_PRODUCTS, by } = query;
  const whole = { productId, name: 'scans' };
  if (by === 'product' && productId !== ALL_PRODUCTS)
    return { keys: [productId], series: [whole], whole: null };
  if (by === 'result')
    return {
      keys: RESULTS,
      series: RESULTS.map((result) => ({ productId, name: `result/${result}` })),
      whole: null,
    };
  const totals = new Map<string, number>();
  if (by === 'product')
    for (const row of await sumByProduct(db, orgId, productId, query)) totals.set(row.product_id, row.scans);
  else
    for (const { key, amount } of await sumByCountry(db, orgId, productId, query))
      totals.set(key, (totals.get(key) ?? 0) + amount);
  const keys = [...totals].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([key]) => key);
  const shown = keys.slice(0, MAX_SERIES);
  return {
    keys: shown,
    series: shown.map((key) =>
      by === 'product' ? { productId: key, name: 'scans' } : { productId, name: `country/${key}` },
    ),
    whole: keys.length > shown.length ? whole : null,
  };
}

/**
 * Scans over time. Exact, and from as few rows as there are: a year has 24 times as many hours as days, each of which may lie on
 * a page of its own.
 */
export async function readTimeseries(db: Db, query: TimeseriesQuery): Promise<Timeseries> {
  const edges = listEdges(quartersOf(query), query);
  const { keys, series, whole } = await choose(db, query);
  if (series.length === 0) return { series: [], others: [] };
  const all = whole === null ? series : [...series, whole];
  const amounts = all.map(() => new Float64Array(edges.length));
  for (const sums of await sumPoints(db, query, all, edges))
    for (const [i, bucket] of sums.buckets.entries()) amounts[sums.series]![bucket]! += sums.amounts[i]!;
  const others = new Float64Array(edges.length);
  if (whole !== null)
    for (const bucket of edges.keys())
      others[bucket] =
        amounts.at(-1)![bucket]! - series.reduce((sum, _, index) => sum + amounts[index]![bucket]!, 0);
  const times = edges.map((at) => at.toISOString());
  const pointsOf = (row: Float64Array): TimePoint[] => {
    const points: TimePoint[] = [];
    for (const [bucket, at] of times.entries())
      if (row[bucket] !== 0) points.push({ at, scans: row[bucket]! });
    return points;
  };
  return {
    series: keys
      .map((key, index) => ({ key, points: pointsOf(amounts[index]!) }))
      .filter(({ points }) => points.length > 0),
    others: pointsOf(others),
  };
}

async function sumPoints(
  db: Db,
  query: TimeseriesQuery,
  series: readonly Series[],
  edges: readonly Date[],
): Promise<Sums[]> {
  const { orgId } = query;
  const { days, hours, quarters } = partsOf(query, edges);
  const reads: Promise<Sums[]>[] = [];
  if (days.length > 0) reads.push(sumDays(db, orgId, series, days, edges));
  if (hours.length > 0) reads.push(sumHours(db, orgId, series, hours, edges));
  if (quarters.length > 0) reads.push(sumQuarters(db, orgId, series, quarters, edges));
  return (await Promise.all(reads)).flat();
}
