/**
 * An uploaded list of units, from the first line to the consignment: how fast, and how much memory the process takes that
 * reads it. `npm run bench -- consignment-upload --lines 1000000`
 */
import { randomUUID } from 'node:crypto';
import { runSlice, claimJob, type RunDeps } from '../shared/bulk-jobs/run.ts';
import { startBulkJob, getBulkJob } from '../shared/bulk-jobs/service.ts';
import { createConsignment } from '../shared/consignments/service.ts';
import { createPool, withTransaction } from '../shared/db.ts';
import { encodeId, newUuid } from '../shared/ids.ts';
import { parseKeyring } from '../shared/keyring.ts';
import { createLogger } from '../shared/logger.ts';
import { migrateToLatest } from '../shared/migrate.ts';
import type { Waker } from '../shared/queues.ts';
import type { Storage } from '../shared/storage/storage.ts';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { numberOf } from './lib/options.ts';
import { ownServices } from './lib/surroundings.ts';

const LINES_AT_A_TIME = 1_000;

export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({ args, options: { lines: { type: 'string', default: '1000000' } } });
  const lines = numberOf('--lines', values.lines);
  const services = await ownServices();
  const databaseUrl = services.databaseUrl;
  const db = createPool({ databaseUrl, max: 4, applicationName: 'bench', onError: () => undefined });
  try {
    await migrateToLatest(databaseUrl);
    return await measure(db, lines);
  } finally {
    await db.end();
    await services.stop();
  }
}

async function measure(db: ReturnType<typeof createPool>, lines: number): Promise<Record<string, unknown>> {
  const clock = { now: () => new Date() };
  const waker = { runBulkJobs: async () => undefined } as unknown as Waker;
  const [orgId, productId, batchId] = [newUuid(), newUuid(), newUuid()];
  await db.query(`insert into organizations (id, name) values ($1, 'Bench')`, [orgId]);
  await db.query(`insert into products (id, org_id, name, sku) values ($1, $2, 'Bench', 'B')`, [
    productId,
    orgId,
  ]);
  await db.query(`insert into batches (id, org_id, product_id, quantity) values ($1, $2, $3, $4)`, [
    batchId,
    orgId,
    productId,
    lines,
  ]);
  await db.query(
    `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
     select (lpad(to_hex(n), 12, '0') || '7000800000000000' || lpad(to_hex(n % 65536), 4, '0'))::uuid, $1, $2, $3, n,
            'S' || n, decode(lpad(to_hex(n), 20, '0'), 'hex'), 't1', 'active'
       from generate_series(0, $4::integer - 1) as n`,
    [orgId, batchId, productId, lines],
  );
  const storage = {
    read: () => Readable.from(listOf(lines)),
    removeAll: async () => undefined,
  } as unknown as Storage;
  const consignment = await createConsignment({ clock }, db, orgId, {
    reference: null,
    sscc: null,
    origin: null,
    destination: null,
    expectedMarkets: [],
    references: [],
  });
  const job = await withTransaction(db, (uow) =>
    startBulkJob({ clock, waker }, uow, orgId, {
      action: 'consign',
      consignmentId: consignment.id,
      selection: {
        kind: 'upload',
        by: 'serial',
        productId,
        uploadPrefix: `${randomUUID()}/`,
        uploadFormat: 'csv',
      },
    }),
  );
  const deps: RunDeps = {
    db,
    clock,
    waker,
    storage,
    log: createLogger('bench', 'warn'),
    tokenKeys: parseKeyring(`t1:${Buffer.alloc(32, 1).toString('base64')}`),
    leaseSeconds: 60,
  };
  const claimed = (await claimJob(deps, job.id))!;
  const baseRss = process.memoryUsage().rss;
  let peakRss = baseRss;
  const watch = setInterval(() => (peakRss = Math.max(peakRss, process.memoryUsage().rss)), 20);
  const started = performance.now();
  await runSlice(deps, claimed);
  const loadedMs = performance.now() - started;
  while (await runSlice(deps, { ...claimed, phase: 'work' }));
  const totalMs = performance.now() - started;
  clearInterval(watch);
  const after = await getBulkJob(db, orgId, job.id);
  const mb = (bytes: number) => Math.round(bytes / 1024 / 1024);
  return {
    job: encodeId('bulk', job.id),
    status: after.status,
    lines,
    added: after.changed,
    loadSeconds: Math.round(loadedMs / 100) / 10,
    totalSeconds: Math.round(totalMs / 100) / 10,
    linesPerSecond: Math.round(lines / (totalMs / 1000)),
    rssBeforeMb: mb(baseRss),
    rssPeakMb: mb(peakRss),
    ceilingRssMb: 200,
  };
}

/** `serial`, then `S0`, `S1` … */
function* listOf(lines: number): Generator<Buffer> {
  yield Buffer.from('serial\n');
  for (let n = 0; n < lines; n += LINES_AT_A_TIME) {
    const count = Math.min(LINES_AT_A_TIME, lines - n);
    yield Buffer.from(Array.from({ length: count }, (_, index) => `S${n + index}\n`).join(''));
  }
}
