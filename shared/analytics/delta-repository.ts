import type { Db } from '../db.ts';

export type DeltaKind = 'scan' | 'first_scan' | 'minted' | 'activated';

export interface Delta {
  orgId: string;
  productId: string;
  at: Date;
  kind: DeltaKind;
  result: string;
  country: string;
  /** See the migration; -1 without a place. */
  cell: number;
  /** Negative takes back. */
  amount: number;
}

/** Adds deltas, those alike as one row. */
export async function insertDeltas(db: Db, deltas: readonly Delta[]): Promise<void> {
  await db.query({
    name: 'insert-deltas',
    text: `insert into analytics_deltas (org_id, product_id, quarter, kind, result, country, cell, amount)
           select org_id, product_id, date_bin('15 minutes', at, '2000-01-01Z'), kind, result, country, cell, sum(amount)
             from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::integer[],
                         $8::integer[])
               as t (org_id, product_id, at, kind, result, country, cell, amount)
            group by 1, 2, 3, 4, 5, 6, 7
           having sum(amount) <> 0`,
    values: [
      deltas.map((delta) => delta.orgId),
      deltas.map((delta) => delta.productId),
      deltas.map((delta) => delta.at),
      deltas.map((delta) => delta.kind),
      deltas.map((delta) => delta.result),
      deltas.map((delta) => delta.country),
      deltas.map((delta) => delta.cell),
      deltas.map((delta) => delta.amount),
    ],
  });
}

/**
 * Folds up to `limit` deltas into the roll-ups: one statement, so that each delta is either waiting or counted, and counted
 * by quarter, hour, day and week alike. Keys are taken in order, or two folds could wait for each other.
 * @returns how many.
 */
export async function foldDeltas(db: Db, limit: number): Promise<number> {
  const { rows } = await db.query<{ folded: number }>(
    `with taken as (
       delete from analytics_deltas where id in (select id from analytics_deltas order by id limit $1 for update skip locked)
       returning org_id, product_id, quarter, kind, result, country, cell, amount
     ), doubled as (
       select * from taken
       union all
       select org_id, '00000000-0000-0000-0000-000000000000', quarter, kind, result, country, cell, amount from taken
     ), activity_sums as materialized (
       select org_id, product_id, quarter, kind, result, sum(amount) as amount from doubled group by 1, 2, 3, 4, 5
     ), country_sums as materialized (
       select org_id, product_id, quarter, country, result, sum(amount) as amount from doubled where kind = 'scan' group by 1, 2, 3, 4, 5
     ), cell_sums as materialized (
       select org_id, product_id, (quarter at time zone 'UTC')::date as day, cell, result, sum(amount) as amount
         from doubled where kind = 'scan' and cell >= 0 group by 1, 2, 3, 4, 5
     ), activity as (
       insert into activity_rollups as r (org_id, product_id, quarter, kind, result, amount)
       select org_id, product_id, quarter, kind, result, amount from activity_sums order by 1, 2, 4, 3, 5
       on conflict (org_id, product_id, kind, quarter, result) do update set amount = r.amount + excluded.amount
     ), by_day as (
       insert into activity_days as r (org_id, product_id, day, kind, result, amount)
       select org_id, product_id, (quarter at time zone 'UTC')::date, kind, result, sum(amount) from activity_sums
        group by 1, 2, 3, 4, 5 order by 1, 2, 4, 3, 5
       on conflict (org_id, product_id, kind, day, result) do update set amount = r.amount + excluded.amount
     ), countries as (
       insert into country_rollups as r (org_id, product_id, quarter, country, result, amount)
       select org_id, product_id, quarter, country, result, amount from country_sums order by 1, 2, 3, 4, 5
       on conflict (org_id, product_id, quarter, country, result) do update set amount = r.amount + excluded.amount
     ), countries_by_day as (
       insert into country_days as r (org_id, product_id, day, country, result, amount)
       select org_id, product_id, (quarter at time zone 'UTC')::date, country, result, sum(amount) from country_sums
        group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
       on conflict (org_id, product_id, day, country, result) do update set amount = r.amount + excluded.amount
     ), series as (
       insert into series_hours as r (org_id, product_id, series, hour, amount)
       select org_id, product_id, series, hour, sum(amount) from (
         select org_id, product_id, 'scans' as series, date_trunc('hour', quarter, 'UTC') as hour, amount from country_sums
         union all
         select org_id, product_id, 'result/' || result, date_trunc('hour', quarter, 'UTC'), amount from country_sums
         union all
         select org_id, product_id, 'country/' || country, date_trunc('hour', quarter, 'UTC'), amount from country_sums
       ) as s
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
       on conflict (org_id, product_id, series, hour) do update set amount = r.amount + excluded.amount
     ), cells as (
       insert into cell_days as r (org_id, product_id, day, cell, result, amount)
       select org_id, product_id, day, cell, result, amount from cell_sums order by 1, 2, 3, 4, 5
       on conflict (org_id, product_id, day, cell, result) do update set amount = r.amount + excluded.amount
     ), cells_by_week as (
       insert into cell_weeks as r (org_id, product_id, week, cell, result, amount)
       select org_id, product_id, date_trunc('week', day::timestamp)::date, cell, result, sum(amount) from cell_sums
        group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
       on conflict (org_id, product_id, week, cell, result) do update set amount = r.amount + excluded.amount
     )
     select count(*) as folded from taken`,
    [limit],
  );
  return rows[0]!.folded;
}

/** Waits for the folds that are under way: what is being folded is still there for others, and locked. */
export async function awaitFolds(db: Db): Promise<void> {
  await db.query('select count(*) from (select 1 from analytics_deltas for key share) as waiting');
}
