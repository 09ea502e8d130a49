/** Of several processes, one at a time does a thing: a session lock in Postgres, which dies with its holder. */
import type { Pool } from './db.ts';

/** Runs `work` if no other process is at it. @returns whether it ran. */
export async function runAlone(pool: Pool, lock: string, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection whose answer never came may hold the lock, and would be the first that the pool gives out again.
  const lose = (error: Error): never => {
    broken = error;
    throw error;
  };
  try {
    const { rows } = await client
      .query<{ locked: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 7205543)) as locked', [
        lock,
      ])
      .catch(lose);
    if (rows[0]?.locked !== true) return false;
    try {
      await work();
    } finally {
      await client.query('select pg_advisory_unlock(hashtextextended($1, 7205543))', [lock]).catch(lose);
    }
    return true;
  } finally {
    client.release(broken);
  }
}
