/** Tables partitioned by month, and their partitions made ahead of time. */
import type { Db } from '../db.ts';
import { ensureMonthPartitions } from './repository.ts';

export const PARTITIONED_TABLES = ['scans', 'events', 'webhook_dispatches', 'webhook_deliveries'] as const;
const MONTHS_AHEAD = 3;

/** Makes this month's partitions and those of the next three. @returns how many were missing. */
export async function makePartitionsAhead(db: Db, now: Date): Promise<number> {
  const until = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + MONTHS_AHEAD, 1));
  let made = 0;
  for (const table of PARTITIONED_TABLES) made += await ensureMonthPartitions(db, table, now, until);
  return made;
}
