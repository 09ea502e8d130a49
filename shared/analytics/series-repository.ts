/** Scans over time, from the hours of single series and, where a bucket begins amid an hour, from quarters. */
import { plainArray, textArray, timeArray } from '../array-literals.ts';
import type { Db } from '../db.ts';
import type { Range } from './steps.ts';

export interface Buckets {
  interval: 'hour' | 'day' | 'week';
  /** An IANA name that Postgres knows. */
  timeZone: string;
}

/**
 * When the hours, days or weeks begin that a range touches, as clocks of the time zone show them. A day begins at the first
 * moment of its date: where midnight comes twice, as in the Azores each October, at the first.
 */
export async function listEdges(db: Db, { from, to }: Range, buckets: Buckets): Promise<Date[]> {
  const { rows } = await db.query<{ at: Date }>(
    `with midnights as (
       select local::date as date, local at time zone $4 as at
         from generate_series(date_trunc($3, $1::timestamptz at time zone $4), $2::timestamptz at time zone $4,
                              case $3 when 'week' then interval '7 days' else interval '1 day' end) as local
        where $3 <> 'hour'
     ), edges as (
       select case when ((at - interval '1 hour') at time zone $4)::date = date then at - interval '1 hour' else at end as at
         from midnights
       union
       select date_trunc('hour', quarter, $4)
         from generate_series(date_bin('15 minutes', $1::timestamptz, '2000-01-01Z'), $2::timestamptz, interval '15 minutes') as quarter
        where $3 = 'hour'
     )
     select at from edges where at < $2::timestamptz order by at`,
    [from, to, buckets.interval, buckets.timeZone],
  );
  return rows.map(({ at }) => at);
}

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

/** Scans by series and bucket from whole hours, without those hours that `split` lists. */
export async function sumHours(
  db: Db,
  orgId: string,
  series: readonly Series[],
  { from, to }: Range,
  edges: readonly Date[],
  split: readonly Date[],
): Promise<Sums[]> {
  return readSums(
    db,
    `select (w.n - 1)::integer as series, width_bucket(h.hour, $6::timestamptz[]) - 1 as bucket, sum(h.amount) as amount
       from unnest($2::uuid[], $3::text[]) with ordinality as w (product_id, name, n)
       join series_hours h on h.org_id = $1 and h.product_id = w.product_id and h.series = w.name
                          and h.hour >= $4 and h.hour < $5 and h.hour <> all ($7::timestamptz[])
      group by 1, 2`,
    [orgId, productsOf(series), namesOf(series), from, to, timeArray(edges), timeArray(split)],
  );
}

/** The same from whole UTC days, where each bucket begins with one: for series of results and of all scans. */
export async function sumDays(
  db: Db,
  orgId: string,
  series: readonly Series[],
  { from, to }: Range,
  edges: readonly Date[],
): Promise<Sums[]> {
  return readSums(
    db,
    `select (w.n - 1)::integer as series, width_bucket(d.day::timestamp at time zone 'UTC', $6::timestamptz[]) - 1 as bucket,
            sum(d.amount) as amount
       from (select * from unnest($2::uuid[], $3::text[]) with ordinality as w (product_id, name, n)
              where name = 'scans' or name like 'result/%') as w
       join activity_days d on d.org_id = $1 and d.product_id = w.product_id and d.kind = 'scan'
                           and d.day >= ($4::timestamptz at time zone 'UTC')::date and d.day < ($5::timestamptz at time zone 'UTC')::date
      where w.name = 'scans' or w.name = 'result/' || d.result
      group by 1, 2`,
    [orgId, productsOf(series), namesOf(series), from, to, timeArray(edges)],
  );
}

/** The same from whole UTC days, for series of countries, all of one product. */
export async function sumCountryDays(
  db: Db,
  orgId: string,
  series: readonly Series[],
  { from, to }: Range,
  edges: readonly Date[],
): Promise<Sums[]> {
  return readSums(
    db,
    `select (w.n - 1)::integer as series, width_bucket(d.day::timestamp at time zone 'UTC', $6::timestamptz[]) - 1 as bucket,
            sum(d.amount) as amount
       from country_days d
       join unnest($3::text[]) with ordinality as w (name, n) on w.name = 'country/' || d.country
      where d.org_id = $1 and d.product_id = $2
        and d.day >= ($4::timestamptz at time zone 'UTC')::date and d.day < ($5::timestamptz at time zone 'UTC')::date
      group by 1, 2`,
    [orgId, series[0]!.productId, namesOf(series), from, to, timeArray(edges)],
  );
}

/** The same from quarters: for series of results and of all scans. Laterally, so that no plan reads all quarters for a few. */
export async function sumQuarters(
  db: Db,
  orgId: string,
  series: readonly Series[],
  ranges: readonly Range[],
  edges: readonly Date[],
): Promise<Sums[]> {
  return readSums(
    db,
    `select (w.n - 1)::integer as series, width_bucket(q.quarter, $6::timestamptz[]) - 1 as bucket, sum(q.amount) as amount
       from (select * from unnest($2::uuid[], $3::text[]) with ordinality as w (product_id, name, n)
              where name = 'scans' or name like 'result/%') as w
      cross join unnest($4::timestamptz[], $5::timestamptz[]) as r (first, next)
      cross join lateral (
         select quarter, result, amount from activity_rollups
          where org_id = $1 and product_id = w.product_id and kind = 'scan' and quarter >= r.first and quarter < r.next
         offset 0
      ) as q
      where w.name = 'scans' or w.name = 'result/' || q.result
      group by 1, 2`,
    [
      orgId,
      productsOf(series),
      namesOf(series),
      timeArray(ranges.map(({ from }) => from)),
      timeArray(ranges.map(({ to }) => to)),
      timeArray(edges),
    ],
  );
}

/** The same from quarters, for series of countries, all of one product. */
export async function sumCountryQuarters(
  db: Db,
  orgId: string,
  series: readonly Series[],
  ranges: readonly Range[],
  edges: readonly Date[],
): Promise<Sums[]> {
  return readSums(
    db,
    `select (w.n - 1)::integer as series, width_bucket(q.quarter, $6::timestamptz[]) - 1 as bucket, sum(q.amount) as amount
       from unnest($4::timestamptz[], $5::timestamptz[]) as r (first, next)
      cross join lateral (
         select quarter, country, amount from country_rollups
          where org_id = $1 and product_id = $2 and quarter >= r.first and quarter < r.next
         offset 0
      ) as q
       join unnest($3::text[]) with ordinality as w (name, n) on w.name = 'country/' || q.country
      group by 1, 2`,
    [
      orgId,
      series[0]!.productId,
      namesOf(series),
      timeArray(ranges.map(({ from }) => from)),
      timeArray(ranges.map(({ to }) => to)),
      timeArray(edges),
    ],
  );
}
