/** The state of the installation, for its operator. Each part fails alone, so that an outage is shown and not hidden. */
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import type { Logger } from '../logger.ts';
import { QUEUE_NAMES, type Queues } from '../queues.ts';
import type { Redis } from '../redis.ts';
import { VERSION } from '../version.ts';
import { findLastSweep, listHeartbeats } from './heartbeats.ts';
import { findOldestDue, findPostgresVersion } from './repository.ts';
import { inTime } from '../in-time.ts';

export interface StatusDeps {
  db: Pool;
  redis: Redis;
  queues: Queues;
  clock: Clock;
  log: Logger;
  config: { QUEUE_PREFIX: string; SWEEP_SECONDS: number };
}

const TIMEOUT_MS = 2_000;
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;
/** More often than this the sweeper has missed its turn. */
const MISSED_SWEEPS = 3;

const within = <T>(part: Promise<T>): Promise<T | null> => inTime(part, TIMEOUT_MS).catch(() => null);

async function timed<T>(call: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const started = performance.now();
  const value = await call();
  return { ms: Math.round((performance.now() - started) * 10) / 10, value };
}

const redisVersionOf = (info: string): string | null =>
  /^(?:redis|valkey)_version:(\S+)/m.exec(info)?.[1] ?? null;

/** Reads everything at once. */
export async function readStatus(deps: StatusDeps) {
  const { db, redis, queues, clock, config } = deps;
  const now = clock.now();
  const [postgres, redisInfo, depths, processes, lastSweep, oldest] = await Promise.all([
    within(timed(() => findPostgresVersion(db))),
    within(timed(() => redis.info('server'))),
    within(
      Promise.all(
        QUEUE_NAMES.map(async (name) => ({ name, counts: await queues[name].getJobCounts(...STATES) })),
      ),
    ),
    within(listHeartbeats(deps)),
    within(findLastSweep(deps)),
    within(findOldestDue(db, now)),
  ]);
  const sweepAge = lastSweep === null ? null : now.getTime() - Date.parse(lastSweep.at);
  return {
    version: VERSION,
    at: now.toISOString(),
    postgres: postgres === null ? null : { version: postgres.value, ms: postgres.ms },
    redis: redisInfo === null ? null : { version: redisVersionOf(redisInfo.value), ms: redisInfo.ms },
    processes,
    queues:
      depths?.map(({ name, counts }) => ({
        name,
        ...Object.fromEntries(STATES.map((state) => [state, counts[state] ?? 0])),
      })) ?? null,
    sweeper: {
      everySeconds: config.SWEEP_SECONDS,
      last: lastSweep,
      isLate: sweepAge === null || sweepAge > MISSED_SWEEPS * config.SWEEP_SECONDS * 1000,
    },
    oldestDue:
      oldest === null
        ? null
        : Object.fromEntries(
            Object.entries(oldest as unknown as Record<string, Date | null>).map(([kind, since]) => [
              kind.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
              since === null
                ? null
                : {
                    since: since.toISOString(),
                    seconds: Math.max(0, Math.round((now.getTime() - since.getTime()) / 1000)),
                  },
            ]),
          ),
  };
}
