/** Fills the table of scans as months of traffic would: every unit scanned so and so often, evenly over the months. */
import type { PoolClient } from 'pg';
import type { Pool } from '../../shared/db.ts';
import { emptyProfile, score } from '../../shared/risk/score.ts';
import { resolvePolicy } from '../../shared/risk/policy.ts';

/** On the first of a month, the months before end here and this one begins an hour ago. */
const MIN_SPAN_MS = 3_600_000;

export interface History {
  scans: number;
  months: number;
  /** In the partition of this month, which the next scans go to as well. */
  scans_this_month: number;
  table_mb: number;
  indexes_mb: number;
  fill_s: number;
}

interface Partition {
  name: string;
  bounds: string;
  /** Its own settings, as production has them. */
  options: string | null;
  isThisMonth: boolean;
  fromMs: number;
  untilMs: number;
}

/** For past months, which nothing changes any more: no vacuum of so many new rows while the benchmark measures. */
const QUIET = 'autovacuum_enabled=off';

/** A unit's profile after one honest scan at home. */
function profileOfOneScan(): string {
  const at = Date.now() - 86_400_000;
  const place = { country: 'DE', lat: 52.5, lon: 13.4, accuracyKm: 200 };
  const scan = { scanId: 'first', at, sessionId: null, networkId: 'network', place };
  const context = { markets: ['DE'], activatedAt: null };
  return JSON.stringify(score(emptyProfile(), scan, context, resolvePolicy()).profile);
}

/**
 * Replaces what the partitions of the last `months` months (this one included) hold by `scans` final scans, as many of each
 * unit. Rows lie in order of time and units at random, as they do in life; indexes and settings are those of production, and
 * the indexes are built when the rows are in. Past months go without a write-ahead log: no scan reads or writes them.
 */
export async function fillHistory(pool: Pool, scans: number, months: number): Promise<History> {
  const started = performance.now();
  const client = await pool.connect();
  try {
    await client.query(
      `set statement_timeout = 0; set synchronous_commit = off; set maintenance_work_mem = '1GB'`,
    );
    const partitions = await partitionsOf(client, months);
    const units = await shuffleUnits(client);
    const [from, until] = [partitions[0]!.fromMs, partitions.at(-1)!.untilMs];
    const everyMs = (until - from) / scans;
    let [done, thisMonth] = [0, 0];
    for (const partition of partitions) {
      // By the very sum that the statement makes, so that none lands a millisecond beyond its month.
      let upTo = Math.max(done, Math.floor((partition.untilMs - from) / everyMs) - 1);
      while (upTo < scans && Math.floor(from + upTo * everyMs) < partition.untilMs) upTo += 1;
      await fillPartition(client, partition, { first: done, last: upTo - 1, from, everyMs, units });
      thisMonth = upTo - done;
      done = upTo;
      console.log(`${partition.name}: ${thisMonth} scans, ${secondsSince(started)} s`);
    }
    await client.query('drop table bench_units');
    await fillProfiles(client, scans / units);
    await client.query('checkpoint');
    const { rows } = await client.query<{ table_mb: number; indexes_mb: number }>(
      `select sum(pg_table_size(inhrelid) / 1e6)::float8 as table_mb, sum(pg_indexes_size(inhrelid) / 1e6)::float8 as indexes_mb
         from pg_inherits where inhparent = 'scans'::regclass`,
    );
    return {
      scans: done,
      months,
      scans_this_month: thisMonth,
      table_mb: Math.round(rows[0]!.table_mb),
      indexes_mb: Math.round(rows[0]!.indexes_mb),
      fill_s: secondsSince(started),
    };
  } finally {
    await client.query('reset all');
    client.release();
  }
}

const secondsSince = (started: number) => Math.round((performance.now() - started) / 1000);

/** Oldest first; those that are missing are made. */
async function partitionsOf(client: PoolClient, months: number): Promise<Partition[]> {
  await client.query(
    `select ensure_month_partitions('scans', (now() at time zone 'UTC' - make_interval(months => $1))::date,
                                    (now() at time zone 'UTC')::date)`,
    [months - 1],
  );
  const { rows } = await client.query<Partition>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds,
            array_to_string(c.reloptions, ', ') as options,
            m.start = date_trunc('month', now(), 'UTC') as "isThisMonth",
            extract(epoch from m.start)::float8 * 1000 as "fromMs",
            extract(epoch from least(m.start + interval '1 month', now()))::float8 * 1000 as "untilMs"
       from generate_series(date_trunc('month', now(), 'UTC') - make_interval(months => $1), now(), interval '1 month') as m (start)
       join pg_class c on c.relname = 'scans_' || to_char(m.start at time zone 'UTC', 'YYYY_MM')
      order by m.start`,
    [months - 1],
  );
  const now = rows.at(-1)!;
  now.fromMs = Math.min(now.fromMs, now.untilMs - MIN_SPAN_MS);
  return rows;
}

/** `bench_units` numbers the units in an order of chance. @returns how many there are. */
async function shuffleUnits(client: PoolClient): Promise<number> {
  const { rowCount } = await client.query(
    `create unlogged table bench_units as
     select (row_number() over (order by random()) - 1)::integer as n, org_id, id, product_id, batch_id from product_units
      order by 1`,
  );
  await client.query('alter table bench_units add primary key (n)');
  await client.query('analyze bench_units');
  return rowCount!;
}

interface Stretch {
  first: number;
  last: number;
  from: number;
  everyMs: number;
  units: number;
}

async function fillPartition(client: PoolClient, partition: Partition, stretch: Stretch): Promise<void> {
  const { name, bounds, options, isThisMonth } = partition;
  const settings = (options ?? '').split(', ').filter((option) => option !== '' && option !== QUIET);
  if (!isThisMonth) settings.push(QUIET);
  await client.query(`alter table scans detach partition ${name}`);
  await client.query(`drop table ${name}`);
  await client.query(
    `create ${isThisMonth ? '' : 'unlogged'} table ${name} (like scans including defaults including constraints)
     with (${settings.join(', ')})`,
  );
  // The id is a UUIDv7 of the scan's time. "offset 0" keeps the units a look-up for each scan, and so the scans in order.
  await client.query(
    `insert into ${name} (id, org_id, unit_id, product_id, batch_id, at, network_id, ip, user_agent, country, lat, lon,
            accuracy_km, place_source, result, assessment, risk_level, risk_score, scorings)
     select (lpad(to_hex(ms), 12, '0') || '7' || left(hash, 3) || '8' || right(hash, 15))::uuid,
            u.org_id, u.id, u.product_id, u.batch_id, to_timestamp(ms / 1000.0),
            left(hash, 22), '198.51.100.7', 'Mozilla/5.0 (bench)', 'DE', 52.5, 13.4, 200, 'ip', 'genuine', 'final', 'none', 0, 1
       from (select i, floor($3::float8 + i * $4::float8)::bigint as ms, md5(i::text) as hash
               from generate_series($1::bigint, $2::bigint) as i) as scan
       cross join lateral (select * from bench_units where n = scan.i % $5::integer offset 0) as u`,
    [stretch.first, stretch.last, stretch.from, stretch.everyMs, stretch.units],
  );
  await client.query(`alter table scans attach partition ${name} ${bounds}`);
  await client.query(isThisMonth ? `vacuum (freeze, analyze) ${name}` : `analyze ${name}`);
}

async function fillProfiles(client: PoolClient, scansPerUnit: number): Promise<void> {
  await client.query(`truncate unit_risk_profiles`);
  await client.query(
    `insert into unit_risk_profiles (unit_id, org_id, scan_count, first_scanned_at, profile)
     select id, org_id, $1, now(), $2 from product_units`,
    [Math.max(1, Math.round(scansPerUnit)), profileOfOneScan()],
  );
  await client.query('vacuum analyze unit_risk_profiles');
}
