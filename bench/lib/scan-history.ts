/** Fills the table of scans as months of traffic would: every unit scanned so and so often, all in this month's partition. */
import type { Pool } from '../../shared/db.ts';
import { emptyProfile, score } from '../../shared/risk/score.ts';
import { resolvePolicy } from '../../shared/risk/policy.ts';

const FILLERS = 2;
/** The scans lie in the first days of the month up to now, at least this far back. */
const MIN_SPAN_S = 3_600;

export interface History {
  scans: number;
  table_mb: number;
  indexes_mb: number;
  fill_s: number;
}

/** A unit's profile after one honest scan at home. */
function profileOfOneScan(): string {
  const at = Date.now() - 86_400_000;
  const place = { country: 'DE', lat: 52.5, lon: 13.4, accuracyKm: 200 };
  const scan = { scanId: 'first', at, sessionId: null, networkId: 'network', place };
  const context = { markets: ['DE'], activatedAt: null };
  return JSON.stringify(score(emptyProfile(), scan, context, resolvePolicy()).profile);
}

/**
 * Replaces what this month's partition holds by `scansPerUnit` final scans of each unit. The indexes are built afterwards,
 * as fast as the disk is; rows, indexes and settings are those of production.
 */
export async function fillHistory(pool: Pool, scansPerUnit: number): Promise<History> {
  const started = performance.now();
  const { rows } = await pool.query<{ name: string; bounds: string; span: number }>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds,
            extract(epoch from now() - date_trunc('month', now(), 'UTC'))::float8 as span
       from pg_class c
      where c.relname = 'scans_' || to_char(now() at time zone 'UTC', 'YYYY_MM')`,
  );
  const { name, bounds, span } = rows[0]!;
  const seconds = Math.max(MIN_SPAN_S, span);
  await pool.query(`alter table scans detach partition ${name}`);
  await pool.query(`drop table ${name}`);
  await pool.query(`create table ${name} (like scans including defaults including constraints)`);
  const passes = Array.from({ length: scansPerUnit }, (_, pass) => pass);
  await Promise.all(Array.from({ length: FILLERS }, () => fill(pool, name, passes, seconds)));
  await pool.query(`truncate unit_risk_profiles`);
  await pool.query(
    `insert into unit_risk_profiles (unit_id, org_id, scan_count, first_scanned_at, last_scanned_at, profile)
     select id, org_id, $1, now(), now(), $2 from product_units`,
    [scansPerUnit, profileOfOneScan()],
  );
  const client = await pool.connect();
  try {
    await client.query(`set statement_timeout = 0; set maintenance_work_mem = '1GB'`);
    await client.query(`alter table scans attach partition ${name} ${bounds}`);
    await client.query(`vacuum (freeze, analyze) ${name}`);
    await client.query('vacuum analyze unit_risk_profiles');
    await client.query('checkpoint');
    const size = await client.query<{ scans: number; table_mb: number; indexes_mb: number }>(
      `select reltuples::float8 as scans, (pg_table_size(oid) / 1e6)::float8 as table_mb, (pg_indexes_size(oid) / 1e6)::float8 as indexes_mb
         from pg_class where relname = $1`,
      [name],
    );
    const { scans, table_mb, indexes_mb } = size.rows[0]!;
    return {
      scans: Math.round(scans),
      table_mb: Math.round(table_mb),
      indexes_mb: Math.round(indexes_mb),
      fill_s: Math.round((performance.now() - started) / 1000),
    };
  } finally {
    await client.query('reset all');
    client.release();
  }
}

/** Takes passes off the list until none is left: each writes one scan of every unit, at a random moment. */
async function fill(pool: Pool, table: string, passes: number[], seconds: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0; set synchronous_commit = off');
    while (passes.pop() !== undefined) {
      await client.query(
        `insert into ${table} (id, org_id, unit_id, product_id, batch_id, at, network_id, ip, user_agent, country, lat, lon,
                accuracy_km, place_source, result, assessment, risk_level, risk_score, scorings)
         select uuidv7(make_interval(secs => -ago)), org_id, id, product_id, batch_id, now() - make_interval(secs => ago),
                'bench', '198.51.100.7', 'bench', 'DE', 52.5, 13.4, 200, 'ip', 'genuine', 'final', 'none', 0, 1
           from (select org_id, id, product_id, batch_id, random() * $1 as ago from product_units) as scanned`,
        [seconds],
      );
    }
  } finally {
    await client.query('reset all');
    client.release();
  }
}
