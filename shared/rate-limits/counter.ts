/** Counts in Redis for all processes together, in fixed windows. Calls that come at once share one round trip. */
import { createBatcher } from '../batcher.ts';
import type { Redis } from '../redis.ts';

export interface Count {
  /** With this one. */
  count: number;
  /** Until the window ends and the count begins anew. */
  resetMs: number;
}

export interface Counter {
  /** Adds one to a key, which begins a window of `windowMs` where it has none. @throws while Redis is away. */
  add(key: string, windowMs: number): Promise<Count>;
  /** Takes one back, for what turned out not to count. @throws while Redis is away. */
  takeBack(key: string): Promise<void>;
}

interface Tally extends Count {
  windowMs: number;
  added: number;
}

const MAX_BATCH = 500;
// One round trip under way; the next gathers meanwhile (ADR 0064).
const CONCURRENCY = 1;

// KEYS: counters. ARGV: the window of each in ms, then how much to add to each. Returns count and remaining ms of each, in
// order. A key that lost its expiry would count for ever, so a missing one is set again.
const ADD = `
local out = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('incrby', key, ARGV[#KEYS + i])
  local ttl = redis.call('pttl', key)
  if ttl < 0 then
    redis.call('pexpire', key, ARGV[i])
    ttl = tonumber(ARGV[i])
  end
  out[2 * i - 1] = count
  out[2 * i] = ttl
end
return out`;

// KEYS: one counter. Never below zero, and never a key without an expiry.
const TAKE_BACK = `
local count = tonumber(redis.call('get', KEYS[1]) or '0')
if count > 0 then redis.call('decr', KEYS[1]) end
return count`;

/** @param prefix of every key in Redis. */
export function createCounter(redis: Redis, prefix: string): Counter {
  // Hash-tagged: one script touches several keys, which a Redis Cluster wants in one slot.
  const nameOf = (key: string) => `{${prefix}:counts}:${key}`;
  const add = createBatcher<{ key: string; windowMs: number }, Count>({
    maxItems: MAX_BATCH,
    concurrency: CONCURRENCY,
    run: async (items) => {
      // Calls for one key in one batch are one addition; each is told the count as if they had come one by one.
      const tallies = new Map<string, Tally>();
      for (const { key, windowMs } of items) {
        const tally = tallies.get(key);
        if (tally === undefined) tallies.set(key, { windowMs, added: 1, count: 0, resetMs: 0 });
        else tally.added += 1;
      }
      const all = [...tallies.values()];
      const out = (await redis.eval(
        ADD,
        all.length,
        ...[...tallies.keys()].map(nameOf),
        ...all.map(({ windowMs }) => windowMs),
        ...all.map(({ added }) => added),
      )) as number[];
      all.forEach((tally, i) => {
        tally.count = out[2 * i]! - tally.added;
        tally.resetMs = out[2 * i + 1]!;
      });
      return items.map(({ key }) => {
        const tally = tallies.get(key)!;
        tally.count += 1;
        return { count: tally.count, resetMs: tally.resetMs };
      });
    },
  });
  return {
    add: (key, windowMs) => add({ key, windowMs }),
    async takeBack(key) {
      await redis.eval(TAKE_BACK, 1, nameOf(key));
    },
  };
}
