import type { Db } from '../db.ts';

/** Drops the table's monthly partitions that end at `before` (a day, UTC) or earlier. @returns how many. */
export async function dropMonthPartitions(db: Db, table: string, before: Date): Promise<number> {
  const { rows } = await db.query<{ dropped: number }>(
    'select drop_month_partitions($1, $2::date) as dropped',
    [table, before.toISOString().slice(0, 10)],
  );
  return rows[0]!.dropped;
}

/** Makes the table's monthly partitions from one month to another, both included. @returns how many were missing. */
export async function ensureMonthPartitions(db: Db, table: string, from: Date, to: Date): Promise<number> {
  const { rows } = await db.query<{ made: number }>(
    'select ensure_month_partitions($1, $2::date, $3::date) as made',
    [table, from.toISOString().slice(0, 10), to.toISOString().slice(0, 10)],
  );
  return rows[0]!.made;
}
