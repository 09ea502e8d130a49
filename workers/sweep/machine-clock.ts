import type { Db } from '../../shared/db.ts';

/** Clocks of machines that ask for the time differ by milliseconds; what is kept is kept for days. */
const MOST_AHEAD_MS = 3_600_000;

/**
 * What is deleted for its age is gone for good, and with a clock that is years ahead everything is old: so Postgres's clock has to
 * agree. One that is behind deletes later, which the next round makes up for.
 * @param nowMs of this machine, since 1970
 * @throws Error where it is more than an hour ahead of Postgres's
 */
export async function refuseFastClock(db: Db, nowMs: () => number = Date.now): Promise<void> {
  const { rows } = await db.query<{ now: Date }>('select clock_timestamp() as now');
  const [{ now }] = rows as [{ now: Date }];
  const here = new Date(nowMs());
  if (here.getTime() - now.getTime() <= MOST_AHEAD_MS) return;
  throw new Error(
    `this machine's clock (${here.toISOString()}) is ahead of Postgres's (${now.toISOString()}): nothing is deleted for its age`,
  );
}
