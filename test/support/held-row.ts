/** One row that another transaction holds, so that a test decides in which order those go on that wait for it. */
import type { Pool, PoolClient } from 'pg';
import { eventually } from './eventually.ts';

export interface Held {
  /** What the holder does before it lets go. */
  holder: PoolClient;
  /** Waits until so many of the database wait for a lock. */
  waiting(count: number): Promise<void>;
  /** Lets go; what waits goes on in the order in which it came. */
  release(): Promise<void>;
}

/** @param row a `select … for update` */
export async function whileHeld(
  pool: Pool,
  row: { text: string; values: unknown[] },
  story: (held: Held) => Promise<void>,
): Promise<void> {
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    await holder.query(row);
    await story({
      holder,
      waiting: (count) =>
        eventually(`${count} that wait`, async () => {
          const { rowCount } = await pool.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rowCount === count;
        }),
      async release() {
        await holder.query('commit');
      },
    });
  } finally {
    holder.release();
  }
}

/** A unit's profile, which scoring and people's decisions hold. */
export const profileOf = (unitId: string) => ({
  text: 'select 1 from unit_risk_profiles where unit_id = $1 for update',
  values: [unitId],
});
