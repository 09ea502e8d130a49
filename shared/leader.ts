/** Of several processes, one at a time does a thing: a session lock in Postgres, which dies with its holder. */
import type { Pool } from './db.ts';

/** Runs `work` if no other process is at it. @returns whether it ran. */
export async function runAlone(pool: Pool, lock: string, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 7205543)) as locked',
      [lock],
    );
    if (rows[0]?.locked !== true) return false;
    try {
      await work();
    } finally {
      await client.query('select pg_advisory_unlock(hashtextextended($1, 7205543))', [lock]);
    }
    return true;
  } finally {
    client.release();
  }
}
