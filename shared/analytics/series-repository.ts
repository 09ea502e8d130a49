/** Scans over time, from the hours of single series and, where a bucket begins amid an hour, from quarters. */
import { plainArray, textArray, timeArray } from '../array-literals.ts';
import type { Db } from '../db.ts';
import type { Range } from './steps.ts';

/** A series of one product or of all; see the migration for its names. */
export interface Series {
  productId: string;
  name: string;
}

/** Amounts of one series, of those asked for. */
export interface Sums {
  /** Its index. */
  series: number;
  /** Indexes of buckets, and the amount of each. */
  buckets: number[];
  amounts: number[];
}

/** @param sums a statement of series, bucket and amount. @returns a row for each series. */
async function readSums(db: Db, sums: string, values: readonly unknown[]): Promise<Sums[]> {
  const { rows } = await db.query<Sums>(
    `select series, json_agg(bucket) as buckets, json_agg(amount) as amounts from (${sums}) as s group by series`,
    [...values],
  );
  return rows;
}

const productsOf = (series: readonly Series[]): string => plainArray(series.map((one) => one.productId));
const namesOf = (series: readonly Series[]): string => textArray(series.map((one) => one.name));

/** The ends of ranges as two lists, for `unnest`. */
const endsOf = (ranges: readonly Range[]): string[] => [
  timeArray(ranges.map(({ from }) => from)),
  timeArray(ranges.map(({ to }) => to)),
];

/** In SQL, ranges of UTC days. */
const DAYS = `(select (first at time zone 'UTC')::date as first, (next at time zone 'UTC')::date as next
                   from unnest($4::timestamptz[], $5::timestamptz[]) as r (first, next))`;

// Ranges are read laterally, each by the index: no plan reads all rows for a few.

/** Scans by series and bucket from runs of whole hours, amid none of which a bucket begins. */
export async function sumHours(
  db: Db,
  orgId: string,
  series: readonly Series[],
  ranges: readonly Range[],
  edges: readonly Date[],
): Promise<Sums[]> {
  return readSums(
    db,
    `select (w.n - 1)::integer as series, width_bucket(h.hour, $6::timestamptz[]) - 1 as bucket, sum(h.amount) as amount
       from unnest($2::uuid[], $3::text[]) with ordinality as w (product_id, name, n)
      cross join unnest($4::timestamptz[], $5::timestamptz[]) as r (first, next)
      cross join lateral (
         select hour, amount from series_hours
          where org_id = $1 and product_id = w.product_id and series = w.name and hour >= r.first and hour < r.next
         offset 0
      ) as h
      group by 1, 2`,
    [orgId, productsOf(series), namesOf(series), ...endsOf(ranges), timeArray(edges)],
  );
}

/** From runs of whole UTC days, for series of results and of all scans. */
const DAY_SUMS = `
  select (w.n - 1)::integer as series, width_bucket(d.day::timestamp at time zone 'UTC', $6::timestamptz[]) - 1 as bucket,
         sum(d.amount) as amount
    from (select * from unnest($2::uuid[], $3::text[]) with ordinality as w (product_id, name, n)
           where name = 'scans' or name like 'result/%') as w
   cross join ${DAYS} as r
   cross join lateral (
      select day, result, amount from activity_days
       where org_id = $1 and product_id = w.product_id and kind = 'scan' and day >= r.first and day < r.next
      offset 0
   ) as d
   where w.name = 'scans' or w.name = 'result/' || d.result
   group by 1, 2`;

/** The same for series of countries, all of one product. */
const COUNTRY_DAY_SUMS = `
  select (w.n - 1)::integer as series, width_bucket(d.day::timestamp at time zone 'UTC', $6::timestamptz[]) - 1 as bucket,
         sum(d.amount) as amount
    from ${DAYS} as r
   cross join lateral (
      select day, country, amount from country_days
       where org_id = $1 and product_id = ($2::uuid[])[1] and day >= r.first and day < r.next
      offset 0
   ) as d
    join unnest($3::text[]) with ordinality as w (name, n) on w.name = 'country/' || d.country
   group by 1, 2`;

/** From quarters, for series of results and of all scans. */
const QUARTER_SUMS = `
  select (w.n - 1)::integer as series, width_bucket(q.quarter, $6::timestamptz[]) - 1 as bucket, sum(q.amount) as amount
    from (select * from unnest($2::uuid[], $3::text[]) with ordinality as w (product_id, name, n)
           where name = 'scans' or name like 'result/%') as w
   cross join unnest($4::timestamptz[], $5::timestamptz[]) as r (first, next)
   cross join lateral (
      select quarter, result, amount from activity_rollups
       where org_id = $1 and product_id = w.product_id and kind = 'scan' and quarter >= r.first and quarter < r.next
      offset 0
   ) as q
   where w.name = 'scans' or w.name = 'result/' || q.result
   group by 1, 2`;

/** The same for series of countries, all of one product. */
const COUNTRY_QUARTER_SUMS = `
  select (w.n - 1)::integer as series, width_bucket(q.quarter, $6::timestamptz[]) - 1 as bucket, sum(q.amount) as amount
    from unnest($4::timestamptz[], $5::timestamptz[]) as r (first, next)
   cross join lateral (
      select quarter, country, amount from country_rollups
       where org_id = $1 and product_id = ($2::uuid[])[1] and quarter >= r.first and quarter < r.next
      offset 0
   ) as q
    join unnest($3::text[]) with ordinality as w (name, n) on w.name = 'country/' || q.country
   group by 1, 2`;

const areOfCountries = (series: readonly Series[]): boolean =>
  series.some(({ name }) => name.startsWith('country/'));

// Series of countries and that of all scans in one statement, which sees one moment: what is folded between two would be taken off
// the rest of the countries.

/** The same from runs of whole UTC days. @param series those of countries all of one product, which is that of all scans as well */
export async function sumDays(
  db: Db,
  orgId: string,
  series: readonly Series[],
  ranges: readonly Range[],
  edges: readonly Date[],
): Promise<Sums[]> {
  return readSums(db, areOfCountries(series) ? `${DAY_SUMS} union all ${COUNTRY_DAY_SUMS}` : DAY_SUMS, [
    orgId,
    productsOf(series),
    namesOf(series),
    ...endsOf(ranges),
    timeArray(edges),
  ]);
}

/** The same from quarters. */
export async function sumQuarters(
  db: Db,
  orgId: string,
  series: readonly Series[],
  ranges: readonly Range[],
  edges: readonly Date[],
): Promise<Sums[]> {
  return readSums(
    db,
    areOfCountries(series) ? `${QUARTER_SUMS} union all ${COUNTRY_QUARTER_SUMS}` : QUARTER_SUMS,
    [orgId, productsOf(series), namesOf(series), ...endsOf(ranges), timeArray(edges)],
  );
}
