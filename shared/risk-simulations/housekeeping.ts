/** What the maintenance worker does for simulations. */
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import { deleteFinished } from './repository.ts';

const DAY_MS = 86_400_000;
const AT_A_TIME = 100;

/**
 * Deletes simulations that finished long ago.
 * @param days 0 keeps them for ever. @returns how many.
 */
export async function forgetOldSimulations(
  { db, clock }: { db: Pool; clock: Clock },
  days: number,
): Promise<number> {
  if (days === 0) return 0;
  const finishedBefore = new Date(clock.now().getTime() - days * DAY_MS);
  for (let forgotten = 0; ;) {
    const deleted = await deleteFinished(db, finishedBefore, AT_A_TIME);
    forgotten += deleted;
    if (deleted < AT_A_TIME) return forgotten;
  }
}
