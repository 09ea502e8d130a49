/** A private Redis on a free port of 127.0.0.1, with the settings that BullMQ needs. */
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import type { Ledger } from './ledger.ts';
import { redisProgram } from './redis-program.ts';
import { type Server, spawnServer } from './spawn-server.ts';
import { tail } from './tail.ts';

export interface RedisOptions {
  /** Its files go to `redis/` below; absolute. */
  dataDir: string;
  /** Never waits for the disk: for data that nobody will miss. */
  ephemeral: boolean;
  ledger: Ledger;
  log: (line: string) => void;
}

const START_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 10_000;

/**
 * @returns its address, and what stops it.
 * @throws when there is no Redis program and none may be installed, or when the server does not come up.
 */
export async function startRedis(options: RedisOptions): Promise<{ url: string; stop: () => Promise<void> }> {
  const program = redisProgram(options.log);
  const folder = path.join(options.dataDir, 'redis');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const password = randomBytes(24).toString('base64url');
    const server = await spawnRedis(
      options,
      program,
      configuration(folder, port, password, options.ephemeral),
    );
    try {
      const url = `redis://:${password}@127.0.0.1:${port}`;
      await untilReady(server, url);
      return { url, stop: () => server.stop(STOP_GRACE_MS) };
    } catch (error) {
      await server.stop(STOP_GRACE_MS);
      const log = tail(logFile(options));
      if (attempt < 3 && log.includes('Address already in use')) continue;
      throw new Error(`Redis did not start: ${(error as Error).message}\n${log}`, { cause: error });
    }
  }
}

const logFile = (options: RedisOptions) => path.join(options.dataDir, 'redis.log');

function configuration(folder: string, port: number, password: string, ephemeral: boolean): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    'daemonize no',
    `dir ${JSON.stringify(folder)}`,
    `requirepass ${password}`,
    // The wake-ups survive a restart, and none is ever evicted (BullMQ refuses any other policy).
    'appendonly yes',
    `appendfsync ${ephemeral ? 'no' : 'everysec'}`,
    'save ""',
    'maxmemory-policy noeviction',
    '',
  ].join('\n');
}

async function spawnRedis(options: RedisOptions, program: string, config: string): Promise<Server> {
  const log = openSync(logFile(options), 'w', 0o600);
  try {
    const server = await spawnServer({
      name: 'redis',
      command: program,
      // The settings go in by standard input: on the command line everybody could read the password.
      args: ['-'],
      stopSignal: 'SIGTERM',
      stdio: ['pipe', log, log],
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
      cwd: '/',
      ledger: options.ledger,
    });
    // A server that ended at once closes the pipe; `untilReady` reports that end.
    server.child.stdin?.on('error', () => undefined);
    server.child.stdin?.end(config);
    return server;
  } finally {
    closeSync(log);
  }
}

/** Pings until it answers; while it loads its file it refuses. */
async function untilReady(server: Server, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new Redis(url, {
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      // On a connection that never came up its timer runs out in full and keeps the process alive.
      disconnectTimeout: 50,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.ping();
      return;
    } catch (error) {
      if (server.hasEnded()) throw new Error(`it ended with ${await server.ended}`, { cause: error });
      if (Date.now() > deadline) throw error;
      await sleep(25);
    } finally {
      client.disconnect();
    }
  }
}
