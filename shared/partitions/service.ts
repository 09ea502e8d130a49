/** Tables partitioned by month, and their partitions made ahead of time. */
import type { Db } from '../db.ts';
import { dropMonthPartitions, ensureMonthPartitions } from './repository.ts';

export { ensureMonthPartitions } from './repository.ts';

export const PARTITIONED_TABLES = ['scans', 'events', 'webhook_dispatches', 'webhook_deliveries'] as const;
const MONTHS_AHEAD = 3;

/** Makes this month's partitions and those of the next three. @returns how many were missing. */
export async function makePartitionsAhead(db: Db, now: Date): Promise<number> {
  const until = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + MONTHS_AHEAD, 1));
  let made = 0;
  for (const table of PARTITIONED_TABLES) made += await ensureMonthPartitions(db, table, now, until);
  return made;
}

/**
 * Drops the partitions of a table whose rows are all older than `days`: a file is unlinked and no row is touched.
 * @returns how many. @throws what Postgres throws, where others hold the table for 200 ms: the next round tries again.
 */
export async function dropPartitionsOlderThan(
  db: Db,
  table: (typeof PARTITIONED_TABLES)[number],
  days: number,
  now: Date,
): Promise<number> {
  return dropMonthPartitions(db, table, new Date(now.getTime() - days * 24 * 3600 * 1000));
}
