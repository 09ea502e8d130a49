/**
 * The limit of scans by client address, counted in Redis for all processes together. Requests that arrive in one turn of
 * the event loop are counted by one script: one command for each request cost a quarter of the route's time (ADR 0041).
 * With Redis away each process counts for itself, so that verification stays up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { createBatcher } from '../../shared/batcher.ts';
import { AppError } from '../../shared/errors.ts';
import { createBreaker } from '../../shared/rate-limits/breaker.ts';
import type { Redis } from '../../shared/redis.ts';
import { keepSome } from '../../shared/keep-some.ts';

const WINDOW_MS = 60_000;
// What one customer has of IPv6 at least.
const IPV6_SUBNET = 56;
const MAX_BATCH = 500;
/** Least time between two scripts: at a thousand requests a second one for four of them, and not for every one or two. */
const GAP_MS = 4;
const MAX_OWN_ENTRIES = 100_000;

/** KEYS: one counter for each request. ARGV[1]: milliseconds of a window. Returns count and time left, in turns. */
const COUNT = `
local out = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCR', key)
  local left = tonumber(ARGV[1])
  if count == 1 then redis.call('PEXPIRE', key, left) else left = redis.call('PTTL', key) end
  out[2 * i - 1] = count
  out[2 * i] = left
end
return out`;

export interface Allowance {
  limit: number;
  /** Requests in this window, this one included. */
  count: number;
  /** Until the window ends. */
  seconds: number;
}

export interface ScanLimiter {
  /** Counts a request. @returns what is left; never rejects. */
  count(ip: string): Promise<Allowance>;
  /** Whether this process has seen the address refused in its window, so that nothing should be begun for it. */
  isRefused(ip: string): boolean;
}

export interface ScanLimiterOptions {
  redis: Redis;
  /** Of the keys in Redis. */
  prefix: string;
  perMinute: number;
}

interface Tally {
  count: number;
  endsAt: number;
}

export function createScanLimiter({ redis, prefix, perMinute }: ScanLimiterOptions): ScanLimiter {
  const own = new Map<string, Tally>();
  /** When the windows of refused addresses end. */
  const refused = new Map<string, number>();
  const either = createBreaker();

  const countHere = (ip: string): [number, number] => {
    const now = Date.now();
    const known = own.get(ip);
    const tally = known !== undefined && known.endsAt > now ? known : { count: 0, endsAt: now + WINDOW_MS };
    tally.count += 1;
    keepSome(own, ip, tally, MAX_OWN_ENTRIES);
    return [tally.count, tally.endsAt - now];
  };

  const countAll = createBatcher<string, [number, number]>({
    maxItems: MAX_BATCH,
    concurrency: 4,
    gap: { ms: GAP_MS, wait: (ms) => sleep(ms) },
    run: (ips) =>
      either(
        async () => {
          // One hash tag: a script's keys must share a slot of a Redis Cluster.
          const keys = ips.map((ip) => `${prefix}:limit:{verify}:${ip}`);
          const reply = (await redis.eval(COUNT, keys.length, ...keys, WINDOW_MS)) as number[];
          return ips.map((_, i): [number, number] => [reply[2 * i]!, reply[2 * i + 1]!]);
        },
        () => ips.map(countHere),
      ),
  });

  const clientOf = (ip: string): string => (ip === '' ? 'none' : ipKeyGenerator(ip, IPV6_SUBNET));

  return {
    async count(ip) {
      const client = clientOf(ip);
      const [count, left] = await countAll(client);
      if (count > perMinute) keepSome(refused, client, Date.now() + left, MAX_OWN_ENTRIES);
      return { limit: perMinute, count, seconds: Math.max(1, Math.ceil(left / 1000)) };
    },

    isRefused(ip) {
      if (refused.size === 0) return false;
      const client = clientOf(ip);
      const endsAt = refused.get(client);
      if (endsAt === undefined) return false;
      if (endsAt > Date.now()) return true;
      refused.delete(client);
      return false;
    },
  };
}

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
export const policyOf = (limit: number): string => `"verify"; q=${limit}; w=${WINDOW_MS / 1000}`;

export const limitOf = ({ limit, count, seconds }: Allowance): string =>
  `"verify"; r=${Math.max(0, limit - count)}; t=${seconds}`;

export const limitHeaders = (allowance: Allowance): Record<string, string> => ({
  'RateLimit-Policy': policyOf(allowance.limit),
  RateLimit: limitOf(allowance),
});

/** @throws AppError RATE_LIMITED when the allowance is used up */
export function requireAllowance(allowance: Allowance): void {
  const { limit, count, seconds } = allowance;
  if (count <= limit) return;
  throw new AppError('RATE_LIMITED', {
    detail: `at most ${limit} such requests a minute from one address`,
    headers: { 'Retry-After': String(seconds), ...limitHeaders(allowance) },
  });
}

/** The same limit, for the routes that are not hot. A preflight is half of a request, and not counted beside it. */
export const limitScans =
  (limiter: ScanLimiter): RequestHandler =>
  async (req, res: Response, next) => {
    if (req.method === 'OPTIONS') {
      next();
      return;
    }
    const allowance = await limiter.count(req.ip ?? '');
    requireAllowance(allowance);
    for (const [name, value] of Object.entries(limitHeaders(allowance))) res.setHeader(name, value);
    next();
  };
