/** What the webhook benchmark runs on: durable Postgres and Redis, a receiver and a webhook worker as processes. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { loadSecrets } from '../../../launcher/secrets.ts';
import { createCertificateAuthority } from '../../../launcher/tls.ts';
import { loadConfig } from '../../../shared/config.ts';
import { packageRoot } from '../../../shared/package-root.ts';
import { migrateToLatest } from '../../../shared/migrate.ts';
import { createCore, type Core } from '../../../shared/wiring.ts';
import { atEnd, endProcess, ownServices, temporaryFolder, undoAll } from '../surroundings.ts';

export interface Rig {
  core: Core;
  caPem: string;
  /** `https://localhost:<port>` of the receiver. */
  origin: string;
  /** When each event came first since the last call, in milliseconds since 1970. */
  receipts(): Promise<Map<string, number>>;
  /** Resident memory of the worker. */
  workerMegabytes(): number;
  /** Processor time spent so far, in seconds. */
  processorSeconds(): Promise<ProcessorTime>;
  close(): Promise<void>;
}

export interface ProcessorTime {
  worker: number;
  postgres: number;
  receiver: number;
}

// The processes run as they are installed, not through a loader.
function run(script: string, args: string[], env: NodeJS.ProcessEnv, flags: string[] = []): ChildProcess {
  const program = [...flags, path.join(packageRoot, 'dist', script), ...args];
  const child = spawn(process.execPath, program, {
    env,
    cwd: packageRoot,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  atEnd(() => endProcess(child));
  return child;
}

/** @param concurrency attempts at a time to one endpoint */
export async function startRig(concurrency: number): Promise<Rig> {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: packageRoot, stdio: 'inherit' });
  const dataDir = temporaryFolder();
  // Postgres runs under an account of its own.
  chmodSync(dataDir, 0o755);
  const authority = createCertificateAuthority('Touchstone benchmark CA');
  const caFile = path.join(dataDir, 'ca.pem');
  writeFileSync(caFile, authority.caPem);
  const services = await ownServices(console.log, dataDir);
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
  const receiver = run('bench/support/https-receiver.js', [certPem, keyPem], env);
  const lines = createInterface(receiver.stdout!)[Symbol.asyncIterator]();
  const { value: port } = await lines.next();
  const worker = run(
    'workers/main.js',
    ['webhooks'],
    env,
    (process.env['BENCH_NODE'] ?? '').split(' ').filter(Boolean),
  );
  const core = await createCore(loadConfig({ ...env, DATABASE_POOL_MAX: '20' }), 'bench');
  atEnd(() => core.close());
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
    async processorSeconds() {
      const { rows } = await core.db.query<{ pid: number }>('select pg_backend_pid() as pid');
      const postmaster = statOf(rows[0]!.pid)!.parent;
      const backends = readdirSync('/proc')
        .map((name) => (/^\d+$/.test(name) ? statOf(Number(name)) : null))
        .filter((stat) => stat?.parent === postmaster);
      return {
        worker: statOf(worker.pid!)!.seconds,
        postgres: backends.reduce((sum, stat) => sum + stat!.seconds, 0),
        receiver: statOf(receiver.pid!)!.seconds,
      };
    },
    close: undoAll,
  };
}

const TICKS_PER_SECOND = 100;

/** A process's parent and processor time, from `/proc`; null where it is gone. */
function statOf(pid: number): { parent: number; seconds: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold spaces: fields count from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      parent: Number(fields[1]),
      seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    };
  } catch {
    return null;
  }
}
