/**
 * Requests per credential, counted in Redis for all processes together; with Redis away each process counts for itself.
 * Headers as in draft-ietf-httpapi-ratelimit-headers-10.
 */
import type { Response } from 'express';
import { AppError } from '../../shared/errors.ts';
import type { Actor } from '../../shared/actor.ts';
import { createBreaker } from '../../shared/rate-limits/breaker.ts';
import { createCounter, type Count } from '../../shared/rate-limits/counter.ts';
import type { ApiDeps } from '../deps.ts';

export type CredentialLimit = (actor: Actor, res: Response) => Promise<void>;

const WINDOW_MS = 60_000;
// Credentials that a process counts for itself; beyond them the oldest window is forgotten.
const MAX_OWN_COUNTS = 10_000;

/** @returns what sets the headers, and throws AppError RATE_LIMITED beyond the limit. */
export function createCredentialLimit({ clock, config, redis }: ApiDeps): CredentialLimit {
  const limit = config.RATE_LIMIT_API_PER_MINUTE;
  const counter = createCounter(redis, config.QUEUE_PREFIX);
  const own = new Map<string, { count: number; endsAt: number }>();
  const policy = `"api";q=${limit};w=${WINDOW_MS / 1000}`;
  const either = createBreaker();

  const countHere = (key: string): Count => {
    const now = clock.now().getTime();
    const known = own.get(key);
    const window = known !== undefined && known.endsAt > now ? known : { count: 0, endsAt: now + WINDOW_MS };
    window.count += 1;
    own.set(key, window);
    if (own.size > MAX_OWN_COUNTS) own.delete(own.keys().next().value!);
    return { count: window.count, resetMs: window.endsAt - now };
  };

  return async (actor, res) => {
    const key = `api:${actor.kind === 'key' ? actor.keyId : actor.userId}`;
    const counted = await either(
      () => counter.add(key, WINDOW_MS),
      () => countHere(key),
    );
    const resetSeconds = Math.ceil(counted.resetMs / 1000);
    res.setHeader('RateLimit-Policy', policy);
    res.setHeader('RateLimit', `"api";r=${Math.max(0, limit - counted.count)};t=${resetSeconds}`);
    if (counted.count > limit) {
      throw new AppError('RATE_LIMITED', {
        detail: `at most ${limit} requests a minute with one credential`,
        headers: { 'Retry-After': String(resetSeconds) },
      });
    }
  };
}
