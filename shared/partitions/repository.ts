import type { Db } from '../db.ts';

/** Makes the table's monthly partitions from one month to another, both included. @returns how many were missing. */
export async function ensureMonthPartitions(db: Db, table: string, from: Date, to: Date): Promise<number> {
  const { rows } = await db.query<{ made: number }>(
    'select ensure_month_partitions($1, $2::date, $3::date) as made',
    [table, from.toISOString().slice(0, 10), to.toISOString().slice(0, 10)],
  );
  return rows[0]!.made;
}
