import type { Db } from '../db.ts';

/** Stands for all products together in the roll-ups. */
export const ALL_PRODUCTS = '00000000-0000-0000-0000-000000000000';

export interface Range {
  from: Date;
  to: Date;
}

export interface Counted {
  key: string;
  result: string;
  amount: number;
}

/** Amounts by kind and result. */
export async function sumActivity(db: Db, orgId: string, productId: string, { from, to }: Range) {
  const { rows } = await db.query<{ kind: string; result: string; amount: number }>(
    `select kind, result, sum(amount)::bigint as amount from activity_rollups
      where org_id = $1 and product_id = $2 and quarter >= $3 and quarter < $4
      group by kind, result`,
    [orgId, productId, from, to],
  );
  return rows;
}

/** Scans by product and result, those with most suspicious and diverted scans first. */
export async function sumByProduct(db: Db, orgId: string, { from, to }: Range, limit: number) {
  const { rows } = await db.query<{
    product_id: string;
    name: string;
    scans: number;
    suspicious: number;
    diverted: number;
  }>(
    `with sums as (
       select product_id, sum(amount)::bigint as scans,
              coalesce(sum(amount) filter (where result = 'suspicious'), 0)::bigint as suspicious,
              coalesce(sum(amount) filter (where result = 'diverted'), 0)::bigint as diverted
         from activity_rollups
        where org_id = $1 and kind = 'scan' and product_id <> $2 and quarter >= $3 and quarter < $4
        group by product_id
     )
     select s.product_id, p.name, s.scans, s.suspicious, s.diverted
       from sums s join products p on p.org_id = $1 and p.id = s.product_id
      order by s.suspicious + s.diverted desc, s.scans desc, s.product_id
      limit $5`,
    [orgId, ALL_PRODUCTS, from, to, limit],
  );
  return rows;
}

export async function sumByCountry(
  db: Db,
  orgId: string,
  productId: string,
  { from, to }: Range,
): Promise<Counted[]> {
  const { rows } = await db.query<Counted>(
    `select country as key, result, sum(amount)::bigint as amount from country_rollups
      where org_id = $1 and product_id = $2 and quarter >= $3 and quarter < $4
      group by country, result`,
    [orgId, productId, from, to],
  );
  return rows;
}

/** Days are UTC's: a map does not show the hours at the ends of its range. */
export async function sumByCell(
  db: Db,
  orgId: string,
  productId: string,
  { from, to }: Range,
): Promise<Counted[]> {
  const { rows } = await db.query<Counted>(
    `select cell::text as key, result, sum(amount)::bigint as amount from cell_rollups
      where org_id = $1 and product_id = $2 and day >= ($3::timestamptz at time zone 'UTC')::date
        and day <= (($4::timestamptz - interval '1 microsecond') at time zone 'UTC')::date
      group by cell, result`,
    [orgId, productId, from, to],
  );
  return rows;
}

export interface SeriesRequest extends Range {
  orgId: string;
  productId: string;
  interval: 'hour' | 'day' | 'week';
  /** An IANA name that Postgres knows. */
  timeZone: string;
}

export interface SeriesRow {
  at: Date;
  key: string;
  amount: number;
}

export async function seriesByResult(db: Db, request: SeriesRequest): Promise<SeriesRow[]> {
  const { rows } = await db.query<SeriesRow>(
    `select date_trunc($5, quarter, $6) as at, result as key, sum(amount)::bigint as amount from activity_rollups
      where org_id = $1 and product_id = $2 and kind = 'scan' and quarter >= $3 and quarter < $4
      group by 1, 2 order by 1, 2`,
    [request.orgId, request.productId, request.from, request.to, request.interval, request.timeZone],
  );
  return rows;
}

/** One product where one is asked for, else each. */
export async function seriesByProduct(db: Db, request: SeriesRequest): Promise<SeriesRow[]> {
  const { rows } = await db.query<SeriesRow>(
    `select date_trunc($5, quarter, $6) as at, product_id::text as key, sum(amount)::bigint as amount from activity_rollups
      where org_id = $1 and kind = 'scan' and quarter >= $3 and quarter < $4
        and product_id <> $7 and ($2::uuid = $7 or product_id = $2)
      group by 1, 2 order by 1, 2`,
    [
      request.orgId,
      request.productId,
      request.from,
      request.to,
      request.interval,
      request.timeZone,
      ALL_PRODUCTS,
    ],
  );
  return rows;
}

export async function seriesByCountry(db: Db, request: SeriesRequest): Promise<SeriesRow[]> {
  const { rows } = await db.query<SeriesRow>(
    `select date_trunc($5, quarter, $6) as at, country as key, sum(amount)::bigint as amount from country_rollups
      where org_id = $1 and product_id = $2 and quarter >= $3 and quarter < $4
      group by 1, 2 order by 1, 2`,
    [request.orgId, request.productId, request.from, request.to, request.interval, request.timeZone],
  );
  return rows;
}
