/** Which processes live, and what the sweeper last did: kept in Redis, for the operator's eyes only. Losing it loses nothing. */
import type { Clock } from '../clock.ts';
import { newUuid } from '../ids.ts';
import type { Logger } from '../logger.ts';
import type { Redis } from '../redis.ts';
import { VERSION } from '../version.ts';

const BEAT_MS = 10_000;
/** Two beats may get lost. */
const SILENT_AFTER_MS = 35_000;

export interface Heartbeat {
  /** As in the Procfile: `web`, `worker-scans`. */
  process: string;
  version: string;
  startedAt: string;
  lastSeenAt: string;
}

export interface SweepNote {
  at: string;
  ms: number;
  /** What was woken or done, by kind; zeros left out. */
  did: Record<string, number>;
}

export interface PulseDeps {
  redis: Redis;
  clock: Clock;
  log: Logger;
  config: { QUEUE_PREFIX: string };
}

const beatsKey = (prefix: string): string => `${prefix}:heartbeats`;
const sweepKey = (prefix: string): string => `${prefix}:last-sweep`;

/** Beats now and every ten seconds. @returns what ends it and takes the process off the list. */
export function startHeartbeat(
  { redis, clock, config }: PulseDeps,
  process: string,
): { stop(): Promise<void> } {
  const instance = newUuid();
  const startedAt = clock.now().toISOString();
  const beat = () => {
    const value: Heartbeat = { process, version: VERSION, startedAt, lastSeenAt: clock.now().toISOString() };
    // While Redis is away nobody reads it either.
    void redis.hset(beatsKey(config.QUEUE_PREFIX), instance, JSON.stringify(value)).catch(() => undefined);
  };
  beat();
  const timer = setInterval(beat, BEAT_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await redis.hdel(beatsKey(config.QUEUE_PREFIX), instance).catch(() => undefined);
    },
  };
}

/** Those that were heard of lately; the others are taken off the list. */
export async function listHeartbeats({ redis, clock, config }: PulseDeps): Promise<Heartbeat[]> {
  const all = await redis.hgetall(beatsKey(config.QUEUE_PREFIX));
  const since = clock.now().getTime() - SILENT_AFTER_MS;
  const beats = Object.entries(all).map(([instance, text]) => ({
    instance,
    beat: JSON.parse(text) as Heartbeat,
  }));
  const silent = beats.filter(({ beat }) => Date.parse(beat.lastSeenAt) < since);
  if (silent.length > 0)
    await redis.hdel(beatsKey(config.QUEUE_PREFIX), ...silent.map(({ instance }) => instance));
  return beats
    .filter(({ beat }) => Date.parse(beat.lastSeenAt) >= since)
    .map(({ beat }) => beat)
    .sort((a, b) => a.process.localeCompare(b.process) || a.startedAt.localeCompare(b.startedAt));
}

/** @param did counts by kind. */
export async function noteSweep(
  { redis, clock, config }: PulseDeps,
  ms: number,
  did: Record<string, number>,
): Promise<void> {
  const told = Object.fromEntries(Object.entries(did).filter(([, count]) => count > 0));
  const note: SweepNote = { at: clock.now().toISOString(), ms: Math.round(ms), did: told };
  await redis.set(sweepKey(config.QUEUE_PREFIX), JSON.stringify(note)).catch(() => undefined);
}

export async function findLastSweep({ redis, config }: PulseDeps): Promise<SweepNote | null> {
  const text = await redis.get(sweepKey(config.QUEUE_PREFIX));
  return text === null ? null : (JSON.parse(text) as SweepNote);
}
