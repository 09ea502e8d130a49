/** Redis holds wake-ups and counters, nothing that could not be rebuilt from Postgres. */
import { Redis, type RedisOptions } from 'ioredis';
import type { Config } from './config.ts';
import { reasonOf, StartError } from './start-error.ts';

export type { Redis } from 'ioredis';

/**
 * Of a Redis that hangs: no request waits longer for what it can do without. A command's own time-out (`createRedis`) is later, for
 * those who cannot.
 */
export const REDIS_DEADLINE_MS = 300;

/** Which server, and whether its certificate is checked. */
export type RedisServer = Pick<Config, 'REDIS_URL'> & Partial<Pick<Config, 'REDIS_TLS'>>;

/** Options of TLS would encrypt a connection to a server that has none. */
const tlsOf = ({ REDIS_URL, REDIS_TLS }: RedisServer): Pick<RedisOptions, 'tls'> =>
  REDIS_TLS === 'no-verify' && REDIS_URL.startsWith('rediss:') ? { tls: { rejectUnauthorized: false } } : {};

/**
 * A connection for short commands: it fails fast while Redis is away, because the caller has a documented answer
 * for that (a wake-up is left to the sweeper, a limiter counts in the process).
 */
export function createRedis(server: RedisServer, onError: (error: Error) => void): Redis {
  const redis = new Redis(server.REDIS_URL, {
    ...tlsOf(server),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 2_000,
    connectTimeout: 5_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  redis.on('error', onError);
  return redis;
}

/** A connection for BullMQ's workers, which block on Redis and wait for it as long as it takes. */
export function createBlockingRedis(server: RedisServer, onError: (error: Error) => void): Redis {
  const redis = new Redis(server.REDIS_URL, {
    ...tlsOf(server),
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  redis.on('error', onError);
  return redis;
}

/**
 * Resolves when the connection can take commands; with the offline queue off, an earlier one would fail.
 * @throws StartError with what Redis or the network said last.
 */
export async function untilReady(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  const timeout = AbortSignal.timeout(timeoutMs);
  let reason = 'no answer';
  const note = (error: unknown) => (reason = reasonOf(error));
  redis.on('error', note);
  try {
    await new Promise<void>((resolve, reject) => {
      redis.once('ready', resolve);
      const giveUp = () =>
        reject(new StartError(`REDIS_URL: Redis was not ready within ${timeoutMs} ms: ${reason}`));
      timeout.addEventListener('abort', giveUp, { once: true });
    });
  } finally {
    redis.off('error', note);
  }
}

/**
 * Refuses a database that the server does not have: the client would go on in database 0, where the wake-ups of others may be.
 * @throws StartError with what Redis says.
 */
export async function requireDatabase(redis: Redis): Promise<void> {
  const { db = 0 } = redis.options;
  if (db === 0) return;
  try {
    await redis.select(db);
  } catch (error) {
    throw new StartError(`REDIS_URL: database ${db}: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Refuses a Redis that may evict keys: an evicted queue key is a lost wake-up and a lost job.
 * @throws StartError with the line to type.
 */
export async function requireNoEviction(redis: Redis): Promise<void> {
  const reply = await redis.config('GET', 'maxmemory-policy').catch(() => null);
  // Managed services may forbid CONFIG; then BullMQ's own warning has to do.
  const policy = Array.isArray(reply) ? reply[1] : undefined;
  if (typeof policy === 'string' && policy !== 'noeviction') {
    throw new StartError(
      `Redis evicts keys (maxmemory-policy is "${policy}"); run: redis-cli config set maxmemory-policy noeviction`,
    );
  }
}
