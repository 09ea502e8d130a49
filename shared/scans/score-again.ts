/** A scan that has been scored is scored once more, with its unit's history in order, because more is known of it by now. */
import { countScans } from '../analytics/service.ts';
import type { UnitOfWork } from '../db.ts';
import type { Waker } from '../queues.ts';
import { countedPlace, findCounted, markUnscored, type CountedRow } from './position-repository.ts';
import { lockProfileRow } from './scoring-repository.ts';

/**
 * Holds the profile of a scan's unit, as scoring does, until the transaction ends. Whatever depends on other scans of the unit is read
 * after that: of two requests at once, one waited here.
 */
export const holdProfile = lockProfileRow;

/**
 * Marks a scan for scoring; what the figures have of it is taken back until then. The caller holds the unit's profile.
 * @param counted as it was before anything about it was changed
 */
export async function scoreAgain(
  { waker }: { waker: Waker },
  { db, afterCommit }: UnitOfWork,
  scanId: string,
  counted: CountedRow,
  now: Date,
): Promise<void> {
  await markUnscored(db, scanId, now);
  if (counted.assessment === 'final') {
    const { org_id: orgId, product_id: productId, ...scan } = counted;
    await countScans(db, [{ ...scan, ...countedPlace(scan), orgId, productId }], -1);
  }
  afterCommit(() => waker.scoreScans());
}

export { findCounted, type CountedRow };
