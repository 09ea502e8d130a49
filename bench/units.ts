/**
 * Exports of many units: how fast and in how much memory a worker writes them all, right after they were minted and when Postgres has
 * counted them. `npm run bench -- units --units 1000000`
 */
import { parseArgs } from 'node:util';
import type { Pool } from '../shared/db.ts';
import { startUnitExport, unitsContent, type ExportedUnits } from '../shared/exports/units.ts';
import { newUuid, newUuids } from '../shared/ids.ts';
import { parseKeyring } from '../shared/keyring.ts';
import { migrateToLatest } from '../shared/migrate.ts';
import { numberOf } from './lib/options.ts';
import { ownServices, temporaryFolder } from './lib/surroundings.ts';
import { benchPool, measureExport } from './lib/measure-export.ts';

const PART = 20_000;
const KEYS = parseKeyring(`k1:${Buffer.alloc(32, 1).toString('base64')}`);

export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({ args, options: { units: { type: 'string', default: '1000000' } } });
  const units = numberOf('--units', values.units);
  const services = await ownServices();
  const db = benchPool(services.databaseUrl);
  const folder = temporaryFolder();
  try {
    await migrateToLatest(services.databaseUrl);
    const { orgId, batchId } = await seedUnits(db, units);
    const content = unitsContent({ db, config: { TOKEN_KEYS: KEYS, PUBLIC_URL: 'https://verify.example' } });
    const measure = (format: 'csv' | 'ndjson', filter: ExportedUnits) =>
      measureExport(db, folder, content, (deps, uow) =>
        startUnitExport(deps, uow, orgId, { format, filter, withScans: true }),
      );
    const uncounted = await measure('csv', { batchId });
    await db.query('analyze');
    const csv = await measure('csv', {});
    const ndjson = await measure('ndjson', {});
    return { units, exports: { 'csv of the batch, uncounted': uncounted, csv, ndjson }, ceilingRssMb: 200 };
  } finally {
    await db.end();
    await services.stop();
  }
}

/** Of one batch; every third was scanned twice. */
async function seedUnits(db: Pool, units: number): Promise<{ orgId: string; batchId: string }> {
  const [orgId, productId, batchId] = [newUuid(), newUuid(), newUuid()];
  await db.query(`insert into organizations (id, name) values ($1, 'Bench')`, [orgId]);
  await db.query(`insert into products (id, org_id, name, sku) values ($1, $2, 'Oil', 'OIL')`, [
    productId,
    orgId,
  ]);
  await db.query('insert into batches (id, org_id, product_id, quantity, lot) values ($1, $2, $3, $4, $5)', [
    batchId,
    orgId,
    productId,
    units,
    'L1',
  ]);
  // In parts: the pool's statements have a time-out.
  for (let first = 0; first < units; first += PART) {
    const ids = newUuids(Math.min(PART, units - first));
    await db.query(
      `insert into product_units (id, org_id, product_id, batch_id, ordinal, serial, code, token_key, status, activated_at)
       select id, $2, $3, $4, $5::int + n, 'S' || lpad(($5::int + n)::text, 10, '0'), substring(decode(md5(id::text), 'hex') from 1 for 10), 'k1',
              'active', now()
         from unnest($1::uuid[]) with ordinality as t (id, n)`,
      [ids, orgId, productId, batchId, first],
    );
    const scanned = ids.filter((_, index) => index % 3 === 0);
    await db.query(
      `insert into unit_risk_profiles (unit_id, org_id, scan_count, first_scanned_at) select id, $2, 2, now() from unnest($1::uuid[]) as id`,
      [scanned, orgId],
    );
    await db.query(
      `insert into scans (id, org_id, unit_id, product_id, batch_id, at, country, result, risk_level, risk_score, assessment)
       select scan_id, $3, unit_id, $4, $5, now(), 'DE', 'genuine', 'none', 0, 'final'
         from unnest($1::uuid[], $2::uuid[]) as t (scan_id, unit_id)`,
      [newUuids(2 * scanned.length), [...scanned, ...scanned], orgId, productId, batchId],
    );
  }
  return { orgId, batchId };
}
