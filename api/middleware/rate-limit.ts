/**
 * Rate limits by client address, counted in Redis for all processes together. With Redis away each process counts for
 * itself: public verification stays up, with a limit per process instead of one for all.
 */
import {
  rateLimit,
  MemoryStore,
  type ClientRateLimitInfo,
  type Options,
  type RateLimitRequestHandler,
  type Store,
} from 'express-rate-limit';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import { AppError } from '../../shared/errors.ts';
import { createBreaker } from '../../shared/rate-limits/breaker.ts';
import type { Redis } from '../../shared/redis.ts';

class FallbackStore implements Store {
  readonly prefix: string;
  private readonly shared: RedisStore;
  private readonly own = new MemoryStore();
  private readonly either = createBreaker();

  constructor(redis: Redis, prefix: string) {
    this.prefix = prefix;
    this.shared = new RedisStore({
      prefix,
      sendCommand: (command: string, ...args: string[]) =>
        redis.call(command, ...args) as Promise<RedisReply>,
    });
  }

  init(options: Options): void {
    // Loads the store's script; while that fails, `either` falls back at each request and the store tries again.
    this.shared.init(options)?.catch(() => undefined);
    this.own.init(options);
  }

  increment(key: string): Promise<ClientRateLimitInfo> {
    return this.either(
      () => this.shared.increment(key),
      () => this.own.increment(key),
    );
  }

  async decrement(key: string): Promise<void> {
    await this.either(
      () => this.shared.decrement(key),
      () => this.own.decrement(key),
    );
  }

  async resetKey(key: string): Promise<void> {
    await this.either(
      () => this.shared.resetKey(key),
      () => this.own.resetKey(key),
    );
  }

  shutdown(): void {
    this.own.shutdown();
  }
}

export interface LimitOptions {
  redis: Redis;
  /** Of the keys in Redis. */
  prefix: string;
  /** Names the limit, e.g. `verify`. */
  name: string;
  perMinute: number;
}

/** IPv6 is counted by its /56, as one customer has at least that. Answers 429 with `Retry-After` and `RateLimit`. */
export function limitByAddress({ redis, prefix, name, perMinute }: LimitOptions): RateLimitRequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    identifier: name,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    ipv6Subnet: 56,
    store: new FallbackStore(redis, `${prefix}:limit:${name}:`),
    handler: (_req, _res, next) => {
      next(
        new AppError('RATE_LIMITED', {
          detail: `at most ${perMinute} such requests a minute from one address`,
        }),
      );
    },
  });
}
