/** Brings a process up from its configuration, and down again in reverse order. */
import { createHmac, randomBytes } from 'node:crypto';
import { createAccessTokens, type AccessTokens } from './accounts/access-token.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Config } from './config.ts';
import { createPool, type Pool } from './db.ts';
import { createLogger, logWarnings, type Logger } from './logger.ts';
import { closeQueues, createQueues, createWaker, type Queues, type Waker } from './queues.ts';
import { createRedis, requireDatabase, requireNoEviction, untilReady, type Redis } from './redis.ts';
import { listMissingMigrations } from './schema-changes.ts';
import { createSecretBox, type SecretBox } from './secret-box.ts';

/** What every process has. */
export interface Core {
  config: Config;
  clock: Clock;
  random(bytes: number): Buffer;
  log: Logger;
  db: Pool;
  redis: Redis;
  queues: Queues;
  waker: Waker;
  secretBox: SecretBox;
  accessTokens: AccessTokens;
  /** Queues, Redis, Postgres, in this order. */
  close(): Promise<void>;
}

export interface CoreOptions {
  /** See `createPool`. */
  lockMs?: number;
  /** Of a process that is its log: what Node and the libraries warn of goes there, too. */
  isService?: boolean;
}

const REDIS_START_TIMEOUT_MS = 30_000;

/** @throws StartError where Redis cannot be reached in time, lacks the database or evicts keys. */
export async function createCore(config: Config, name: string, options: CoreOptions = {}): Promise<Core> {
  const log = createLogger(name, config.LOG_LEVEL);
  // Before anything is opened: a library warns of a setting as it reads it.
  if (options.isService === true) logWarnings(log);
  const db = createPool({
    databaseUrl: config.DATABASE_URL,
    max: config.DATABASE_POOL_MAX,
    applicationName: `touchstone-${name}`,
    lockMs: options.lockMs,
    onError: (error) => log.warn({ err: error }, 'idle Postgres connection lost'),
  });
  const redis = createRedis(config, (error) => log.warn({ err: error }, 'Redis connection'));
  try {
    await untilReady(redis, REDIS_START_TIMEOUT_MS);
    await requireDatabase(redis);
    await requireNoEviction(redis);
  } catch (error) {
    redis.disconnect();
    await db.end();
    throw error;
  }
  // Postgres may come later, so nobody waits for it. But a wrong password must not show as an idle process and a 503 alone.
  listMissingMigrations(db).then(
    (missing) => {
      if (missing.length > 0)
        log.error({ missing }, 'the database lacks changes of the schema: run the release of this version');
    },
    (error: unknown) => log.error({ err: error }, 'DATABASE_URL: Postgres does not answer yet'),
  );
  const queues = createQueues(redis, config.QUEUE_PREFIX);
  return {
    config,
    clock: systemClock,
    random: randomBytes,
    log,
    db,
    redis,
    queues,
    waker: createWaker(queues, log),
    secretBox: createSecretBox(config.SECRET_BOX_KEYS),
    accessTokens: createAccessTokens(systemClock, config.JWT_KEYS, config.PUBLIC_URL),
    async close() {
      await closeQueues(queues);
      redis.disconnect();
      await db.end();
    },
  };
}

/** A key for one purpose from the pepper, so that no two uses share one. */
export const deriveKey = (pepper: string, purpose: string): Buffer =>
  createHmac('sha256', pepper).update(`touchstone:${purpose}`).digest();
