/**
 * Whole barcode jobs against a real Postgres and Redis (fsync on) with two worker processes: rows by COPY, code lists,
 * ZIPs of PNGs. Settings of minting (MINT_…) are passed on to the workers, to try them out, and BENCH_NODE holds options
 * of node itself (`BENCH_NODE='--cpu-prof --cpu-prof-dir=profiles'`).
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSecrets } from '../../launcher/secrets.ts';
import { getBarcodeJob, startBarcodeJob, type JobRow } from '../../shared/barcode-jobs/service.ts';
import { createBatch } from '../../shared/batches/service.ts';
import { loadConfig } from '../../shared/config.ts';
import { withTransaction } from '../../shared/db.ts';
import { migrateToLatest } from '../../shared/migrate.ts';
import { createOrganization } from '../../shared/organizations/service.ts';
import { packageRoot } from '../../shared/package-root.ts';
import { makePartitionsAhead } from '../../shared/partitions/service.ts';
import { createProduct } from '../../shared/products/service.ts';
import { createCore, type Core } from '../../shared/wiring.ts';
import { atEnd, endProcess, ownServices, temporaryFolder } from './surroundings.ts';

export interface JobRate {
  units: number;
  seconds: number;
  units_per_s: number;
  /** Of the largest process of ours. */
  peak_rss_mb: number;
  peak_rss_mb_by_process: Record<string, number>;
  /** Share of the workers' busy time in each stage, in percent. */
  stages: Record<string, number>;
}

interface Worker {
  name: string;
  child: ChildProcess;
}

const WORKERS = 2;
const POLL_MS = 20;

/** Runs one job of each size, after a small one that warms the tables up. */
export async function measureJobs(sizes: readonly number[]): Promise<JobRate[]> {
  const dataDir = temporaryFolder();
  const services = await ownServices(() => undefined, dataDir);
  const env = {
    ...loadSecrets(path.join(dataDir, 'secrets')),
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    STORAGE_DIR: path.join(dataDir, 'artifacts'),
    PUBLIC_URL: 'https://verify.example.com',
    LOG_LEVEL: 'info',
    ...Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) =>
        value !== undefined && name.startsWith('MINT_') ? [[name, value]] : [],
      ),
    ),
  };
  const stages = new Map<string, number>();
  const workers: Worker[] = [];
  let core: Core | undefined;
  try {
    await migrateToLatest(services.databaseUrl);
    core = await createCore(loadConfig({ ...env, LOG_LEVEL: 'silent' }), 'bench');
    await makePartitionsAhead(core.db, new Date());
    for (let number = 1; number <= WORKERS; number += 1) workers.push(await startWorker(number, env, stages));
    const organization = await createOrganization(core, core.db, {
      name: 'Bench',
      email: 'bench@example.com',
      password: randomBytes(16).toString('base64url'),
    });
    await runJob(core, organization.orgId, 4_000);
    const rates: JobRate[] = [];
    for (const units of sizes) {
      stages.clear();
      for (const { child } of workers) resetPeak(child.pid!);
      const seconds = await runJob(core, organization.orgId, units);
      const peaks = Object.fromEntries(workers.map(({ name, child }) => [name, peakMb(child.pid!)]));
      rates.push({
        units,
        seconds: Number(seconds.toFixed(2)),
        units_per_s: Math.round(units / seconds),
        peak_rss_mb: Math.max(...Object.values(peaks)),
        peak_rss_mb_by_process: peaks,
        stages: sharesOf(stages),
      });
    }
    return rates;
  } finally {
    await Promise.all(workers.map(({ child }) => endProcess(child)));
    await core?.close();
    await services.stop();
  }
}

/** A table for people. */
export function jobsTable(rates: readonly JobRate[]): string {
  const line = ({ units, seconds, units_per_s, peak_rss_mb, stages }: JobRate): string =>
    `| ${String(units).padStart(9)} | ${seconds.toFixed(2).padStart(7)} | ${String(units_per_s).padStart(7)} | ${String(peak_rss_mb).padStart(8)} | ${Object.entries(
      stages,
    )
      .map(([stage, share]) => `${stage} ${share}%`)
      .join(', ')} |`;
  return [
    '|     units | seconds | units/s | peak MB | share of the workers’ time |',
    '|----------:|--------:|--------:|---------:|----------------------------|',
    ...rates.map(line),
  ].join('\n');
}

async function startWorker(
  number: number,
  env: Record<string, string>,
  stages: Map<string, number>,
): Promise<Worker> {
  const child = spawn(
    process.execPath,
    [
      ...(process.env.BENCH_NODE ?? '').split(' ').filter(Boolean),
      path.join(packageRoot, 'dist/workers/main.js'),
      'barcodes',
    ],
    {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  atEnd(() => endProcess(child));
  const lines = createInterface({ input: child.stdout! });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a worker ended with code ${code}`)));
    lines.on('line', (text) => {
      const entry = JSON.parse(text) as { msg?: string; ms?: number; stages?: Record<string, number> };
      if (entry.msg === 'working') resolve();
      for (const [stage, ms] of Object.entries(entry.stages ?? {}))
        stages.set(stage, (stages.get(stage) ?? 0) + ms);
      if (entry.msg === 'job completed') stages.set('join', (stages.get('join') ?? 0) + entry.ms!);
    });
  });
  return { name: `worker-${number}`, child };
}

/** @returns seconds from the request to the job's end. */
async function runJob(core: Core, orgId: string, units: number): Promise<number> {
  const product = await createProduct(core, core.db, orgId, {
    name: 'Watch',
    sku: `W-${units}-${randomBytes(4).toString('hex')}`,
    gtin: null,
    brand: null,
    description: null,
    imageUrl: null,
    markets: [],
    attributes: {},
    links: [],
  });
  const batch = await createBatch(core, core.db, orgId, {
    productId: product.id,
    quantity: units,
    lot: 'LOT42',
    manufacturedOn: null,
    expiresOn: null,
    markets: null,
    hiddenCodes: false,
    nfcTags: false,
  });
  const start = performance.now();
  let job: JobRow = await withTransaction(core.db, (uow) =>
    startBarcodeJob(
      {
        ...core,
        chunkUnits: core.config.MINT_CHUNK_UNITS,
        baseUrl: core.config.PRINTED_URL,
      },
      uow,
      orgId,
      batch.id,
      { symbology: 'qr', formats: ['png'], look: {}, sheet: null, serials: null, activate: false },
    ),
  );
  while (job.status === 'queued' || job.status === 'running') {
    await sleep(POLL_MS);
    job = await getBarcodeJob(core.db, orgId, job.id);
  }
  if (job.status !== 'completed') throw new Error(`the job ${job.status}: ${JSON.stringify(job.error)}`);
  const seconds = (performance.now() - start) / 1000;
  // What a checkpoint or the page cache owes to this job must not be paid by the next.
  await core.db.query('checkpoint');
  return seconds;
}

function sharesOf(stages: ReadonlyMap<string, number>): Record<string, number> {
  const total = [...stages.values()].reduce((sum, ms) => sum + ms, 0);
  return Object.fromEntries(
    [...stages].filter(([, ms]) => ms > 0).map(([stage, ms]) => [stage, Math.round((ms * 100) / total)]),
  );
}

/** Linux keeps the highest resident size of a process; 5 resets it (proc(5)). */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function peakMb(pid: number): number {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(peak![1]) / 1024);
}
