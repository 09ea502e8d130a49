/**
 * A circuit breaker for what is counted in Redis (Nygard 2007): a Redis that is away, or hangs, costs a few requests a third of a
 * second and all others nothing. Counts are of this process alone meanwhile, so that what they guard stays up.
 */
import { inTime } from '../in-time.ts';
import { REDIS_DEADLINE_MS } from '../redis.ts';

/** How long it is then left alone; twice as long each time, up to the longest. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * @param inRedis asks Redis
 * @param here does without
 * @returns what Redis says, or what is said here where it does not answer, in time or at all
 */
export type Breaker = <T>(inRedis: () => Promise<T>, here: () => T | Promise<T>) => Promise<T>;

/** @param now milliseconds of a clock that goes forward */
export function createBreaker(now: () => number = () => performance.now()): Breaker {
  let isOpen = false;
  let isAsking = false;
  let pausedUntil = 0;
  let pauseMs = PAUSE_MS;

  return async (inRedis, here) => {
    // After a pause one asks for all.
    const probes = isOpen && !isAsking && now() >= pausedUntil;
    if (isOpen && !probes) return here();
    isAsking = probes;
    try {
      const answer = await inTime(inRedis(), REDIS_DEADLINE_MS);
      isOpen = false;
      pauseMs = PAUSE_MS;
      return answer;
    } catch {
      // Of several that were under way the first one makes the pause.
      if (probes || !isOpen) {
        isOpen = true;
        pausedUntil = now() + pauseMs;
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
      }
      return here();
    } finally {
      if (probes) isAsking = false;
    }
  };
}
