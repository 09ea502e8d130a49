/**
 * Ninety days of scans for the benchmark of analytics, as the roll-ups would hold them. Scans are drawn one by one and counted by
 * quarter of an hour, product, country and cell, in sets; hours, days and weeks come from that by the migration that brought
 * them, which a test holds against folding (`test/shared/analytics/analytics.test.ts`).
 */
import { Pool } from 'pg';
import type { Db } from '../../shared/db.ts';
import { newUuid } from '../../shared/ids.ts';
import { ExtensionlessMigrations, migrateToLatest } from '../../shared/migrate.ts';

export const PRODUCTS = 50;
const COUNTRIES = 40;
const DAYS = 90;
export const FROM = '2026-07-01T00:00:00Z';
export const TO = '2026-09-29T00:00:00Z';

/** The migration that makes the roll-ups of hours, days and weeks from those of quarters. */
const STEPS = '20261122106100';

class Before extends ExtensionlessMigrations {
  override async getMigrations(): Promise<string[]> {
    return (await super.getMigrations()).filter((file) => file < STEPS);
  }
}

export interface Filled {
  orgId: string;
  products: string[];
  scans: number;
}

const since = (started: number): string => ((performance.now() - started) / 1000).toFixed(0);

/** An empty database gets an organization for each number of scans, and the newest schema. */
export async function fillHistory(databaseUrl: string, scans: readonly number[]): Promise<Filled[]> {
  await migrateToLatest(databaseUrl, new Before());
  // Filling takes longer than the service lets a statement run.
  const db = new Pool({ connectionString: databaseUrl, max: 2 });
  try {
    await db.query(
      `alter table activity_rollups drop constraint activity_rollups_pkey;
       drop index activity_rollups_by_time;
       alter table country_rollups drop constraint country_rollups_pkey;
       alter table cell_rollups drop constraint cell_rollups_pkey`,
    );
    const filled: Filled[] = [];
    for (const count of scans) {
      const started = performance.now();
      const organization = await createOrganization(db);
      // Two at a time: a day has rows of its own.
      const days = [...Array(DAYS).keys()].values();
      const work = async () => {
        for (const day of days) await fillDay(db, organization, day, Math.round(count / DAYS));
      };
      await Promise.all([work(), work()]);
      filled.push({ ...organization, scans: count });
      console.log(`${count} scans counted by quarter in ${since(started)} s`);
    }
    const started = performance.now();
    await db.query(
      `alter table activity_rollups add primary key (org_id, product_id, kind, quarter, result);
       create index activity_rollups_by_time on activity_rollups (org_id, kind, quarter);
       alter table country_rollups add primary key (org_id, product_id, quarter, country, result);
       alter table cell_rollups add primary key (org_id, product_id, day, cell, result)`,
    );
    await migrateToLatest(databaseUrl);
    await db.query(
      'vacuum analyze activity_rollups, activity_days, country_rollups, country_days, series_hours, cell_days, cell_weeks',
    );
    console.log(`indexes, hours, days and weeks in ${since(started)} s`);
    return filled;
  } finally {
    await db.end();
  }
}

export async function createOrganization(db: Db): Promise<{ orgId: string; products: string[] }> {
  const orgId = newUuid();
  await db.query(`insert into organizations (id, name) values ($1, 'Bench')`, [orgId]);
  const products = Array.from({ length: PRODUCTS }, newUuid);
  await db.query(
    `insert into products (id, org_id, name, sku) select id, $2, 'Product ' || n, 'sku-' || n
       from unnest($1::uuid[]) with ordinality as t (id, n)`,
    [products, orgId],
  );
  return { orgId, products };
}

/**
 * Few products and cells have most of the scans, as it is everywhere. A product is at home in three countries; a scan in seven
 * comes from any of the 40. A country has up to 37 cells.
 */
async function fillDay(
  db: Db,
  { orgId, products }: { orgId: string; products: readonly string[] },
  day: number,
  scans: number,
): Promise<void> {
  await db.query(
    `with drawn as (
       select 1 + floor($3::integer * power(random(), 2))::integer as product, date_bin('15 minutes', $1::timestamptz + random() * interval '1 day', '2000-01-01Z') as quarter,
              random() as r, random() as home, random() as place, floor(37 * power(random(), 3))::integer as cell
         from generate_series(1, $2::integer)
     ), raw as materialized (
       select product, quarter, case when r < 0.95 then 'genuine' when r < 0.98 then 'suspicious' else 'diverted' end as result, cell,
              case when home < 0.85 then (product * 7 + floor(3 * place)::integer) % $4::integer
                   else floor($4::integer * place)::integer end as country
         from drawn
     ), activity as (
       insert into activity_rollups (org_id, product_id, quarter, kind, result, amount)
       select $5::uuid, coalesce(($6::uuid[])[product], '00000000-0000-0000-0000-000000000000'), quarter, kind,
              case when kind = 'scan' then result else '' end, amount
         from (select product, quarter, result, count(*) as amount from raw
                group by grouping sets ((product, quarter, result), (quarter, result))) as s
         cross join (values ('scan'), ('first_scan'), ('activated'), ('minted')) as k (kind)
        where kind = 'scan' or result = 'genuine'
     ), countries as (
       insert into country_rollups (org_id, product_id, quarter, country, result, amount)
       select $5::uuid, coalesce(($6::uuid[])[product], '00000000-0000-0000-0000-000000000000'), quarter,
              chr(65 + country % 26) || chr(65 + country / 26), result, count(*)
         from raw group by grouping sets ((product, quarter, country, result), (quarter, country, result))
     )
     insert into cell_rollups (org_id, product_id, day, cell, result, amount)
     select $5::uuid, coalesce(($6::uuid[])[product], '00000000-0000-0000-0000-000000000000'), ($1::timestamptz at time zone 'UTC')::date,
            30000 + country * 37 + cell, result, count(*)
       from raw group by grouping sets ((product, country, cell, result), (country, cell, result))`,
    [new Date(Date.parse(FROM) + day * 24 * 3_600_000), scans, PRODUCTS, COUNTRIES, orgId, products],
  );
}
