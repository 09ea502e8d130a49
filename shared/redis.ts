/** Redis holds wake-ups and counters, nothing that could not be rebuilt from Postgres. */
import { Redis } from 'ioredis';

export type { Redis } from 'ioredis';

/**
 * A connection for short commands: it fails fast while Redis is away, because the caller has a documented answer
 * for that (a wake-up is left to the sweeper, a limiter counts in the process).
 */
export function createRedis(redisUrl: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(redisUrl, {
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
export function createBlockingRedis(redisUrl: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(redisUrl, {
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  redis.on('error', onError);
  return redis;
}

/** Resolves when the connection can take commands; with the offline queue off, an earlier one would fail. */
export async function untilReady(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  const timeout = AbortSignal.timeout(timeoutMs);
  await new Promise<void>((resolve, reject) => {
    redis.once('ready', resolve);
    timeout.addEventListener('abort', () => reject(new Error(`Redis was not ready within ${timeoutMs} ms`)), {
      once: true,
    });
  });
}

/**
 * Refuses a Redis that may evict keys: an evicted queue key is a lost wake-up and a lost job.
 * @throws Error with the line to type.
 */
export async function requireNoEviction(redis: Redis): Promise<void> {
  const reply = await redis.config('GET', 'maxmemory-policy').catch(() => null);
  // Managed services may forbid CONFIG; then BullMQ's own warning has to do.
  const policy = Array.isArray(reply) ? reply[1] : undefined;
  if (typeof policy === 'string' && policy !== 'noeviction') {
    throw new Error(
      `Redis evicts keys (maxmemory-policy is "${policy}"); run: redis-cli config set maxmemory-policy noeviction`,
    );
  }
}
