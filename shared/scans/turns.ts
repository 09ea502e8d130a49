/**
 * What is about the same thing, one after the other. Looks of one session at one unit: two at once (a page loaded twice, a tab that is
 * restored) are one scan, as the second finds the first's. Within a process, and between processes by a lock in Redis, without which each
 * goes by itself.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBreaker } from '../rate-limits/breaker.ts';
import type { Redis } from '../redis.ts';

export interface Turns {
  /** Does the work once all that was begun before under that key is done. @throws what `work` rejects with */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export interface SharedTurns {
  redis: Redis;
  /** Of the keys in Redis. */
  prefix: string;
}

/** A turn of a process that died; a look takes milliseconds. */
const LONGEST_MS = 3_000;
const POLL_MS = 15;

/** Its own lock alone: one that took too long may be another's by now. */
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/** @param shared with the other processes; null where this one is all */
export function createTurns(shared: SharedTurns | null): Turns {
  const last = new Map<string, Promise<unknown>>();
  const exclusively = shared === null ? null : createLock(shared);

  return {
    async take(key, work) {
      const start = () => (exclusively === null ? work() : exclusively(key, work));
      const before = last.get(key);
      const turn = before === undefined ? start() : before.then(start, start);
      last.set(key, turn);
      try {
        return await turn;
      } finally {
        if (last.get(key) === turn) last.delete(key);
      }
    },
  };
}

function createLock({ redis, prefix }: SharedTurns) {
  const either = createBreaker();

  return async <T>(of: string, work: () => Promise<T>): Promise<T> => {
    const key = `${prefix}:look:${of}`;
    const holder = randomBytes(9).toString('base64url');
    let isAsked = false;
    const take = () =>
      either(
        async () => {
          isAsked = true;
          return (await redis.set(key, holder, 'PX', LONGEST_MS, 'NX')) === 'OK';
        },
        () => true,
      );
    const end = performance.now() + LONGEST_MS;
    while (!(await take()) && performance.now() < end) await sleep(POLL_MS);
    try {
      return await work();
    } finally {
      // The answer does not wait for it. Also where Redis said nothing in time: it locks later, and this comes behind.
      if (isAsked) redis.eval(RELEASE, 1, key, holder).catch(() => undefined);
    }
  };
}
