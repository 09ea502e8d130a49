import { timeArray } from '../array-literals.ts';
import type { Db } from '../db.ts';
import { cutByDay, daysOf, type Range } from './steps.ts';

/** Stands for all products together in the roll-ups. */
export const ALL_PRODUCTS = '00000000-0000-0000-0000-000000000000';

export interface Counted {
  key: string;
  result: string;
  amount: number;
}

/** Amounts by kind and result. */
export async function sumActivity(db: Db, orgId: string, productId: string, range: Range) {
  const { days, ends } = bounds(range);
  const { rows } = await db.query<{ kind: string; result: string; amount: number }>(
    `select kind, result, sum(amount)::bigint as amount from (
       select kind, result, amount from activity_days
        where org_id = $1 and product_id = $2 and kind in ('scan', 'first_scan', 'minted', 'activated') and day >= $3::date and day < $4::date
       union all
       select kind, result, amount from unnest($5::timestamptz[], $6::timestamptz[]) as r (first, next)
         join activity_rollups q on q.org_id = $1 and q.product_id = $2 and q.kind in ('scan', 'first_scan', 'minted', 'activated')
                                and q.quarter >= r.first and q.quarter < r.next
     ) as s
      group by kind, result`,
    [orgId, productId, ...days, ...ends],
  );
  return rows;
}

export interface ProductSum {
  product_id: string;
  name: string;
  scans: number;
  suspicious: number;
  diverted: number;
}

/** Scans by product, those with most suspicious and diverted scans first. @param productId one, or `ALL_PRODUCTS` for each */
export async function sumByProduct(
  db: Db,
  orgId: string,
  productId: string,
  range: Range,
): Promise<ProductSum[]> {
  const { days, ends } = bounds(range);
  const { rows } = await db.query<ProductSum>(
    `with sums as (
       select product_id, sum(amount)::bigint as scans,
              coalesce(sum(amount) filter (where result = 'suspicious'), 0)::bigint as suspicious,
              coalesce(sum(amount) filter (where result = 'diverted'), 0)::bigint as diverted
         from (
           select product_id, result, amount from activity_days
            where org_id = $1 and kind = 'scan' and day >= $3::date and day < $4::date
           union all
           select product_id, result, amount from unnest($5::timestamptz[], $6::timestamptz[]) as r (first, next)
             join activity_rollups q on q.org_id = $1 and q.kind = 'scan' and q.quarter >= r.first and q.quarter < r.next
         ) as s
        where product_id <> $2 and ($7 = $2 or product_id = $7)
        group by product_id
       having sum(amount) > 0
     )
     select s.product_id, p.name, s.scans, s.suspicious, s.diverted
       from sums s join products p on p.org_id = $1 and p.id = s.product_id
      order by s.suspicious + s.diverted desc, s.scans desc, s.product_id`,
    [orgId, ALL_PRODUCTS, ...days, ...ends, productId],
  );
  return rows;
}

export async function sumByCountry(
  db: Db,
  orgId: string,
  productId: string,
  range: Range,
): Promise<Counted[]> {
  const { days, ends } = bounds(range);
  const { rows } = await db.query<Counted>(
    `select country as key, result, sum(amount)::bigint as amount from (
       select country, result, amount from country_days
        where org_id = $1 and product_id = $2 and day >= $3::date and day < $4::date
       union all
       select country, result, amount from unnest($5::timestamptz[], $6::timestamptz[]) as r (first, next)
         join country_rollups q on q.org_id = $1 and q.product_id = $2 and q.quarter >= r.first and q.quarter < r.next
     ) as s
      group by country, result`,
    [orgId, productId, ...days, ...ends],
  );
  return rows;
}

/** Of the UTC days that the range touches: cells are not kept by the hour. Whole weeks of them are read as such. */
export async function sumByCell(db: Db, orgId: string, productId: string, range: Range): Promise<Counted[]> {
  const { from, to } = daysOf(range);
  const { rows } = await db.query<Counted>(
    `with days as (
       select $3::date as first, $4::date as next
     ), weeks as (
       select first, next, date_trunc('week', (first + 6)::timestamp)::date as first_week,
              greatest(date_trunc('week', next::timestamp)::date, date_trunc('week', (first + 6)::timestamp)::date) as next_week
         from days
     )
     select cell::text as key, result, sum(amount)::bigint as amount from (
       select cell, result, amount from cell_weeks
        where org_id = $1 and product_id = $2 and week >= (select first_week from weeks) and week < (select next_week from weeks)
       union all
       select cell, result, amount from cell_days
        where org_id = $1 and product_id = $2 and day >= (select first from weeks)
          and day < (select least(first_week, next) from weeks)
       union all
       select cell, result, amount from cell_days
        where org_id = $1 and product_id = $2 and day >= (select next_week from weeks) and day < (select next from weeks)
     ) as s
      group by cell, result`,
    [orgId, productId, dateOf(from), dateOf(to)],
  );
  return rows;
}

const NO_DAY = '2000-01-01';

/** The whole days of a range as dates, and the quarters around them as two lists of bounds. */
function bounds(range: Range): { days: [string, string]; ends: [string, string] } {
  const { inner, ends } = cutByDay(range);
  return {
    days: inner === null ? [NO_DAY, NO_DAY] : [dateOf(inner.from), dateOf(inner.to)],
    ends: [timeArray(ends.map(({ from }) => from)), timeArray(ends.map(({ to }) => to))],
  };
}

const dateOf = (midnight: Date): string => midnight.toISOString().slice(0, 10);
