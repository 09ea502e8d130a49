/**
 * Lists and exports of many scans: how long a page takes with each filter, and how fast and in how much memory a worker
 * writes them all. `npm run bench -- scans --scans 1000000`
 */
import { parseArgs } from 'node:util';
import { BEGIN_IN_ORDER, withTransaction, type Pool } from '../shared/db.ts';
import { newUuid } from '../shared/ids.ts';
import { migrateToLatest } from '../shared/migrate.ts';
import { scansContent, startScanExport } from '../shared/exports/scans.ts';
import { findScans, type ScanFilter } from '../shared/scans/service.ts';
import { numberOf } from './lib/options.ts';
import { ownServices, temporaryFolder } from './lib/surroundings.ts';
import { benchPool, measureExport } from './lib/measure-export.ts';

const PRODUCTS = 20;
const BATCHES = 200;
const RUNS = 40;
const PART = 50_000;

export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({ args, options: { scans: { type: 'string', default: '1000000' } } });
  const scans = numberOf('--scans', values.scans);
  const services = await ownServices();
  const db = benchPool(services.databaseUrl);
  const folder = temporaryFolder();
  try {
    await migrateToLatest(services.databaseUrl);
    const seed = await seedScans(db, scans);
    const pages = await measureFilters(db, seed);
    const exports: Record<string, unknown> = {};
    for (const format of ['csv', 'ndjson'] as const)
      exports[format] = await measureExport(db, folder, scansContent({ db }), (deps, uow) =>
        startScanExport(deps, uow, seed.orgId, { format, filter: {} }),
      );
    return { scans, pageMs: pages, exports, ceilingRssMb: 200 };
  } finally {
    await db.end();
    await services.stop();
  }
}

interface Seed {
  orgId: string;
  productId: string;
  batchId: string;
  unitId: string;
}

/** Scans of a month: 2 % suspicious, a rare country, 200 batches of 20 products, 1,000 units. */
async function seedScans(db: Pool, scans: number): Promise<Seed> {
  const ids = (count: number) => Array.from({ length: count }, () => newUuid());
  const [orgId, products, batches, units] = [newUuid(), ids(PRODUCTS), ids(BATCHES), ids(1_000)];
  await db.query(`insert into organizations (id, name) values ($1, 'Bench')`, [orgId]);
  // In parts: the pool's statements have a time-out.
  for (let first = 1; first <= scans; first += PART)
    await db.query(
      `insert into scans (id, org_id, unit_id, product_id, batch_id, at, country, result, risk_level, risk_score, assessment,
                        lat, lon, accuracy_km, place_source)
     select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - $5 + n), 12, '0') || '7000' || '8000'
             || lpad(to_hex(n), 12, '0'))::uuid,
            $1, ($2::uuid[])[1 + n % 1000], ($3::uuid[])[1 + n % ${PRODUCTS}], ($4::uuid[])[1 + n % ${BATCHES}],
            now() - ($5 - n) * interval '1 second', case when n % 997 = 0 then 'MT' when n % 3 = 0 then 'DE' else 'FR' end,
            case when n % 50 = 0 then 'suspicious' else 'genuine' end,
            case when n % 50 = 0 then 'high' when n % 20 = 0 then 'low' else 'none' end, 0, 'final', 48.5, 9.5, 200, 'ip'
       from generate_series($6::bigint, least($5::bigint, $6::bigint + ${PART} - 1)) as n`,
      [orgId, units, products, batches, scans, first],
    );
  await db.query('vacuum analyze scans');
  return { orgId, productId: products[3]!, batchId: batches[7]!, unitId: units[9]! };
}

async function measureFilters(db: Pool, { orgId, productId, batchId, unitId }: Seed) {
  const now = Date.now();
  const hour = { from: new Date(now - 2 * 3_600_000), to: new Date(now - 3_600_000) };
  const filters: Record<string, ScanFilter> = {
    none: {},
    time: hour,
    product: { productId },
    batch: { batchId },
    unit: { unitId },
    'rare country': { country: 'MT' },
    'result suspicious': { result: 'suspicious' },
    'result genuine': { result: 'genuine' },
    'risk high': { riskLevel: 'high' },
    'product, country, time': { productId, country: 'DE', to: hour.to },
    'batch, result': { batchId, result: 'genuine' },
  };
  const times: Record<string, number> = {};
  for (const [name, filter] of Object.entries(filters)) {
    const runs: number[] = [];
    let beforeId: string | null = null;
    for (let index = 0; index < RUNS; index += 1) {
      const started = performance.now();
      const rows = await withTransaction(
        db,
        (uow) => findScans(uow.db, orgId, filter, { limit: 50, beforeId }),
        BEGIN_IN_ORDER,
      );
      runs.push(performance.now() - started);
      beforeId = rows.at(-1)?.id ?? null;
    }
    runs.sort((a, b) => a - b);
    times[name] = Math.round(runs[Math.floor(RUNS * 0.95)]! * 10) / 10;
  }
  return times;
}
