/**
 * What waited for an endpoint when it was deleted. There may be millions, for which whoever deletes it does not wait: nothing claims,
 * counts or shows them from that moment, and housekeeping discards them in slices.
 */
import type { Clock } from '../clock.ts';
import { BEGIN_BY_KEYS, withTransaction, type Pool } from '../db.ts';
import { discardWaiting } from './dispatch-repository.ts';
import { listDeletedWithWaiting } from './endpoint-repository.ts';

/** Rows of one statement: a fifth of a second on a slow core. */
const SLICE = 2_000;
/** Slices of one endpoint in a round; an hour later comes the next, so that no other chore waits for a large one. */
const MOST_SLICES = 500;

/** @returns how many dispatches were discarded. */
export async function discardForDeletedEndpoints(
  { db, clock }: { db: Pool; clock: Clock },
  { slice, mostSlices } = { slice: SLICE, mostSlices: MOST_SLICES },
): Promise<number> {
  let discarded = 0;
  for (const { id, deletedAt } of await listDeletedWithWaiting(db)) {
    for (let round = 0; round < mostSlices; round += 1) {
      const rows = await withTransaction(
        db,
        (uow) => discardWaiting(uow.db, id, { deletedAt, now: clock.now(), limit: slice }),
        BEGIN_BY_KEYS,
      );
      discarded += rows;
      if (rows < slice) break;
    }
  }
  return discarded;
}
