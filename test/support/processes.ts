/** The real processes of the service, as built, on a database and a queue prefix of the test file's own. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { SECRETS } from '../../launcher/secrets.ts';
import { spawnServer, type Server } from '../../launcher/spawn-server.ts';
import { loadConfig } from '../../shared/config.ts';
import { packageRoot } from '../../shared/package-root.ts';
import { makePartitionsAhead } from '../../shared/partitions/service.ts';
import type { WORKER_GROUPS } from '../../shared/queues.ts';
import { createCore, type Core } from '../../shared/wiring.ts';
import { createTestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { seedOrganization } from './seed.ts';
import { makeScratch } from './scratch.ts';
import { testServices } from './services.ts';

export interface ServiceProcess {
  pid: number;
  /** Everything that it wrote so far. */
  output(): string;
  /** Its end in words: `exit code 0`, `signal SIGKILL`. */
  ended: Promise<string>;
  /** Sends a signal and waits for the end. @returns the end in words. */
  end(signal: NodeJS.Signals): Promise<string>;
}

export interface Installation {
  /** What its processes run with. */
  env: NodeJS.ProcessEnv;
  /** The same wiring inside the test, to prepare rows and read them. */
  core: Core;
  orgId: string;
  /** Resolves when it listens. */
  startWeb(): Promise<ServiceProcess & { url: string }>;
  /** Resolves when it works. */
  startWorker(...groups: (keyof typeof WORKER_GROUPS)[]): Promise<ServiceProcess>;
  /** Kills every process that still runs. */
  endAll(): Promise<void>;
  /** Ends every process and removes all traces. */
  remove(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;

/** Short leases and sweeps, so that what a dead process held is soon somebody else's. */
const QUICK = { LEASE_SECONDS: '2', SWEEP_SECONDS: '1', WEBHOOK_TIMEOUT_MS: '1000', DATABASE_POOL_MAX: '5' };

/** @param overrides of the environment; REDIS_URL is the run's own server unless named here. */
export async function createInstallation(overrides: NodeJS.ProcessEnv = {}): Promise<Installation> {
  const { redisUrl } = await testServices();
  const database = await createTestDatabase();
  const scratch = makeScratch();
  const storage = path.join(scratch.folder, 'artifacts');
  mkdirSync(storage);
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    TOUCHSTONE_RUN: process.env['TOUCHSTONE_RUN'],
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    QUEUE_PREFIX: `chaos-${randomBytes(4).toString('hex')}`,
    STORAGE_DIR: storage,
    HOST: '127.0.0.1',
    PORT: '0',
    ...Object.fromEntries(Object.entries(SECRETS).map(([name, make]) => [name, make()])),
    ...QUICK,
    ...overrides,
  };
  const core = await createCore(loadConfig({ ...env, LOG_LEVEL: 'silent' }), 'test');
  await makePartitionsAhead(core.db, new Date());
  const orgId = await seedOrganization({ core });
  const servers: Server[] = [];
  const start = async (program: string, args: string[], readyLine: string): Promise<ServiceProcess> => {
    const started = await startProgram(program, args, env);
    servers.push(started.server);
    await eventually(
      `"${readyLine}" from ${program} ${args.join(' ')}`,
      () => {
        if (started.server.hasEnded()) throw new Error(`${program} ended:\n${started.output()}`);
        return started.output().includes(`"msg":"${readyLine}"`);
      },
      START_TIMEOUT_MS,
    );
    return started;
  };
  const endAll = async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop(0)));
  };
  return {
    env,
    core,
    orgId,
    async startWeb() {
      const started = await start('api/main.js', [], 'listening');
      const port = /"port":(\d+)/.exec(started.output())?.[1];
      return { ...started, url: `http://127.0.0.1:${port}` };
    },
    startWorker: (...groups) => start('workers/main.js', groups, 'working'),
    endAll,
    async remove() {
      await endAll();
      const keys = await core.redis.keys(`*${env['QUEUE_PREFIX']}*`);
      if (keys.length > 0) await core.redis.unlink(...keys);
      await core.close();
      await database.drop();
      scratch.remove();
    },
  };
}

/** @returns the absolute path of a program of the build, which starts in half the time of its source. @throws where there is no build. */
export function builtProgram(program: string): string {
  const file = path.join(packageRoot, 'dist', program);
  if (!existsSync(file)) throw new Error(`${file} is missing: "npm test" builds it, or "npm run build"`);
  return file;
}

/** Starts a program of the build. */
export async function startProgram(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<ServiceProcess & { server: Server }> {
  const server = await spawnServer({
    name: program,
    command: process.execPath,
    args: [builtProgram(program), ...args],
    stopSignal: 'SIGTERM',
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
    cwd: packageRoot,
  });
  let output = '';
  for (const stream of [server.child.stdout, server.child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return {
    server,
    pid: server.child.pid!,
    output: () => output,
    ended: server.ended,
    end: (signal) => {
      server.child.kill(signal);
      return server.ended;
    },
  };
}
