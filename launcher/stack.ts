/** The whole product on one machine: services, secrets, release, and every process of the Procfile. */
import { readFileSync } from 'node:fs';
import { createServer, isIPv6 } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { openLedger } from './ledger.ts';
import { type RunningProcesses, runOnce, runProcesses } from './processes.ts';
import { parseProcfile, type ProcfileEntry } from './procfile.ts';
import { loadSecrets, type SecretMakers, SECRETS } from './secrets.ts';
import { type Services, startServices } from './services.ts';

export interface StackOptions {
  /** The folder with the Procfile; commands run in it. */
  root: string;
  dataDir: string;
  /** Wins over every value that the launcher would choose. */
  env: NodeJS.ProcessEnv;
  /** Lines of the launcher and, behind their names, of the processes. */
  log: (line: string) => void;
  secrets?: SecretMakers;
  /** Stops the start between two steps; the promise then rejects with its reason. */
  signal?: AbortSignal;
  readyTimeoutMs?: number;
}

export interface Stack {
  /** `http://127.0.0.1:3000`, without a slash at the end. */
  url: string;
  databaseUrl: string;
  redisUrl: string;
  /** What the processes run with, secrets included. */
  env: NodeJS.ProcessEnv;
  /** Address of each process's metrics, by its name. */
  metrics: Record<string, string>;
  pids: Record<string, number>;
  /** Settles with words when a process ended unexpectedly; the other processes are stopped, the services not yet. */
  died: Promise<string>;
  /** Processes first, then the services. */
  stop: () => Promise<void>;
}

const DEFAULT_PORT = 3000;
const READY_TIMEOUT_MS = 60_000;
const RELEASE = 'release';

/**
 * Resolves when `GET /readyz` is 200.
 * @throws when the port is taken, a service cannot be had, the release fails, a process ends, or it is not ready in
 *   time; everything started before is stopped again first.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const entries = parseProcfile(readFileSync(path.join(options.root, 'Procfile'), 'utf8'));
  const host = options.env['HOST'] || '127.0.0.1';
  const port = portOf(options.env, 'PORT', DEFAULT_PORT);
  const lasting = entries.filter(({ name }) => name !== RELEASE);
  const firstMetricsPort = metricsPortOf(options.env, lasting.length);
  await refuseTakenPort(host, port);

  const services = await startServices(options);
  let processes: RunningProcesses | undefined;
  try {
    options.signal?.throwIfAborted();
    const env = environment(options, services, port);
    const ledger = openLedger(path.join(options.dataDir, 'processes.json'));
    const common = { env, cwd: options.root, log: options.log, ledger };
    for (const entry of entries.filter(({ name }) => name === RELEASE)) await runOnce(entry, common);
    options.signal?.throwIfAborted();

    const metricsPorts = await assignMetricsPorts(lasting, firstMetricsPort);
    processes = await runProcesses({
      ...common,
      entries: lasting,
      envOf: (name) => ({ METRICS_PORT: String(metricsPorts[name]) }),
    });
    const running = processes;
    const url = `http://${hostOfUrl(host)}:${port}`;
    const metricsHost = hostOfUrl(options.env['METRICS_HOST'] || '127.0.0.1');
    await untilReady(`${url}/readyz`, running, options);
    return {
      url,
      databaseUrl: services.databaseUrl,
      redisUrl: services.redisUrl,
      env,
      metrics: Object.fromEntries(
        Object.entries(metricsPorts).map(([name, port]) => [name, `http://${metricsHost}:${port}/metrics`]),
      ),
      pids: running.pids,
      died: running.died,
      stop: async () => {
        await running.stop();
        await services.stop();
      },
    };
  } catch (error) {
    await processes?.stop();
    await services.stop();
    throw error;
  }
}

function hostOfUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIPv6(host) ? `[${host}]` : host;
}

function portOf(env: NodeJS.ProcessEnv, name: string, fallback: number, max = 65_535): number {
  const given = env[name] || String(fallback);
  const port = Number(given);
  if (Number.isInteger(port) && port > 0 && port <= max) return port;
  throw new Error(`${name} must be a number from 1 to ${max}, not "${given}"`);
}

/** Of the first of so many processes, each of which has one; 0 where any will do. */
function metricsPortOf(env: NodeJS.ProcessEnv, processes: number): number {
  const given = env['METRICS_PORT'] || '0';
  return given === '0' ? 0 : portOf(env, 'METRICS_PORT', 0, 65_535 - processes + 1);
}

/** Before anything is started: the web process would only find out after half a minute of work. */
function refuseTakenPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `port ${port} is taken by another program: stop it, or set PORT`;
      reject(error.code === 'EADDRINUSE' ? new Error(taken) : error);
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function environment(options: StackOptions, services: Services, port: number): NodeJS.ProcessEnv {
  return {
    PUBLIC_URL: `http://localhost:${port}`,
    STORAGE_DIR: path.join(options.dataDir, 'artifacts'),
    MAIL_DIR: path.join(options.dataDir, 'mail'),
    ...loadSecrets(options.dataDir, options.secrets ?? SECRETS),
    ...options.env,
    PORT: String(port),
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
  };
}

/** Each process serves its own metrics: upwards from a port in the Procfile's order, or on any port for 0. */
async function assignMetricsPorts(entries: ProcfileEntry[], first: number): Promise<Record<string, number>> {
  const ports: Record<string, number> = {};
  for (const [index, { name }] of entries.entries())
    ports[name] = first > 0 ? first + index : await freePort();
  return ports;
}

async function untilReady(url: string, processes: RunningProcesses, options: StackOptions): Promise<void> {
  let death: string | undefined;
  void processes.died.then((how) => (death = how));
  const timeoutMs = options.readyTimeoutMs ?? READY_TIMEOUT_MS;
  const deadline = Date.now() + timeoutMs;
  let last = 'no answer';
  while (Date.now() < deadline) {
    options.signal?.throwIfAborted();
    if (death !== undefined) throw new Error(death);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      await response.arrayBuffer();
      if (response.ok) return;
      last = `status ${response.status}`;
    } catch (error) {
      last = (error as Error).message;
    }
    await sleep(50);
  }
  throw new Error(`not ready after ${timeoutMs / 1000} s: ${url} gave ${last}`);
}
