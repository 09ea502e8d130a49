/** What the webhook benchmark runs on: durable Postgres and Redis, a receiver and a webhook worker as processes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { loadSecrets } from '../../../launcher/secrets.ts';
import { startServices } from '../../../launcher/services.ts';
import { createCertificateAuthority } from '../../../launcher/tls.ts';
import { loadConfig } from '../../../shared/config.ts';
import { migrateToLatest } from '../../../shared/migrate.ts';
import { createCore, type Core } from '../../../shared/wiring.ts';

export interface Rig {
  core: Core;
  caPem: string;
  /** `https://localhost:<port>` of the receiver. */
  origin: string;
  /** When each event came first since the last call, in milliseconds since 1970. */
  receipts(): Promise<Map<string, number>>;
  /** Resident memory of the worker. */
  workerMegabytes(): number;
  close(): Promise<void>;
}

const ROOT = path.join(import.meta.dirname, '..', '..', '..');

function run(script: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, ['--import=tsx', path.join(ROOT, script), ...args], {
    env,
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

/** @param concurrency attempts at a time to one endpoint */
export async function startRig(concurrency: number): Promise<Rig> {
  const undo: (() => unknown)[] = [];
  try {
    return await startAll(concurrency, undo);
  } catch (error) {
    for (const step of undo.toReversed()) await step();
    throw error;
  }
}

async function startAll(concurrency: number, undo: (() => unknown)[]): Promise<Rig> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
  // Postgres runs under an account of its own.
  chmodSync(dataDir, 0o755);
  const authority = createCertificateAuthority('Touchstone benchmark CA');
  const caFile = path.join(dataDir, 'ca.pem');
  writeFileSync(caFile, authority.caPem);
  const services = await startServices({ dataDir, log: console.log, env: {} });
  undo.push(() => services.stop());
  await migrateToLatest(services.databaseUrl);
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    WEBHOOK_CA_FILE: caFile,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_ENDPOINT_CONCURRENCY: String(concurrency),
    ...loadSecrets(dataDir),
  };
  const { certPem, keyPem } = authority.certFor(['localhost']);
  const receiver = run('bench/support/https-receiver.ts', [certPem, keyPem], env);
  undo.push(() => receiver.kill());
  const lines = createInterface(receiver.stdout!)[Symbol.asyncIterator]();
  const { value: port } = await lines.next();
  const worker = run('workers/main.ts', ['webhooks'], env);
  undo.push(() => worker.kill());
  const core = await createCore(loadConfig({ ...env, DATABASE_POOL_MAX: '20' }), 'bench');
  return {
    core,
    caPem: authority.caPem,
    origin: `https://localhost:${port}`,
    async receipts() {
      receiver.stdin!.write('report\n');
      const { value: report } = await lines.next();
      return new Map(JSON.parse(report) as [string, number][]);
    },
    workerMegabytes() {
      const status = readFileSync(`/proc/${worker.pid}/status`, 'utf8');
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    },
    async close() {
      worker.kill('SIGTERM');
      receiver.stdin!.end();
      await Promise.all([once(worker, 'exit'), once(receiver, 'exit')]);
      await core.close();
      await services.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
