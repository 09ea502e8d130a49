/**
 * Lots are diverted together, and their units turn up one by one: the first of them abroad is taken for a visitor with a VPN or a
 * customer, for its lot speaks against more. Once the lot's word is that it was sold there, those earlier scans are scored again,
 * each with its unit's history, and tell what is new (ADR 0115).
 */
import { countScans } from '../analytics/service.ts';
import type { Clock } from '../clock.ts';
import { withTransaction, type Pool } from '../db.ts';
import { isPassing } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Waker } from '../queues.ts';
import { effectivePolicy } from '../risk-policies/effective.ts';
import { isSoldIn } from '../risk/diversion.ts';
import { othersOf, sinceSoldIn } from '../risk/lot.ts';
import type { DiversionSignal } from '../risk/types.ts';
import type { Fellows } from './fellows.ts';
import {
  listFirstSeenIn,
  listLetPass,
  lockClearProfiles,
  holdLotReview,
  lockLotReview,
  reopenScans,
  storeReviewed,
  type LotReviewRow,
  type LotTurn,
} from './lot-review-repository.ts';
import { countedPlace } from './position-repository.ts';
import type { Scored } from './scan-events.ts';

export { hasOpenLotReviews, requestLotReviews } from './lot-review-repository.ts';

export interface LotReviewDeps {
  db: Pool;
  clock: Clock;
  waker: Waker;
  log: Logger;
}

/** Units of a batch that are looked at in one transaction: where all were seen, no scan of theirs is answered for some 40 ms. */
const UNITS_PER_PAGE = 500;
/** How long a review is set aside. */
const PAUSE_MS = 3_600_000;
/** Newest scans of a unit among which one may have been let pass. */
const NEWEST_SCANS = 20;

/**
 * The batches, with the country, of which their other units alone say that they were sold there; a unit's own visitors do not count.
 * @param fellows with all of `scored` counted: a lot may turn by what was scored together
 */
export function turnsOf(scored: readonly Scored[], fellows: Fellows): LotTurn[] {
  const turns = new Map<string, LotTurn>();
  for (const { unit, risk } of scored) {
    if (risk.verdict !== 'diverted') continue;
    const { country } = risk.signals.find((each): each is DiversionSignal => each.type === 'diversion')!;
    const policy = effectivePolicy(unit.org_policy, unit.product_policy);
    const counted = unit.profile?.seenIn === undefined ? risk.profile : unit.profile;
    const others = sinceSoldIn(othersOf(fellows.lotOf(unit), counted), unit.markets);
    if (!isSoldIn(others, country, policy)) continue;
    turns.set(`${unit.batch_id} ${country}`, { batchId: unit.batch_id, country });
  }
  return [...turns.values()];
}

/**
 * Goes on with the oldest review under way, by one page of the batch's units. One whose page cannot be done is set aside for a
 * while, so that it holds up no other (as ADR 0109 does with units).
 * @returns false where there is none
 * @throws what is nobody's fault and passes: Postgres is away, or chose this transaction to end a deadlock.
 */
export async function reviewLots(deps: LotReviewDeps, unitsPerPage = UNITS_PER_PAGE): Promise<boolean> {
  const { db, clock, log } = deps;
  let review: LotReviewRow | null = null;
  try {
    return await reviewPage(deps, unitsPerPage, (locked) => {
      review = locked;
    });
  } catch (error) {
    if (review === null || isPassing(error)) throw error;
    const { batch_id: batchId, country } = review as LotReviewRow;
    await holdLotReview(db, review, new Date(clock.now().getTime() + PAUSE_MS));
    log.error(
      { err: error, batchId, country, pauseMs: PAUSE_MS },
      'a lot cannot be reviewed; it is set aside',
    );
    return true;
  }
}

const reviewPage = (
  { db, clock, waker }: LotReviewDeps,
  unitsPerPage: number,
  onLocked: (review: LotReviewRow) => void,
): Promise<boolean> =>
  withTransaction(db, async (uow) => {
    const review = await lockLotReview(uow.db, clock.now());
    if (review === null) return false;
    onLocked(review);
    const { last, unitIds } = await listFirstSeenIn(uow.db, review, unitsPerPage);
    if (unitIds.length > 0) {
      const clear = await lockClearProfiles(uow.db, unitIds);
      const letPass = await listLetPass(uow.db, review, clear, NEWEST_SCANS);
      const reopened = await reopenScans(uow.db, letPass, clock.now());
      await countScans(
        uow.db,
        reopened.map(({ org_id: orgId, product_id: productId, ...counted }) => ({
          ...counted,
          ...countedPlace(counted),
          orgId,
          productId,
        })),
        -1,
      );
      if (reopened.length > 0) uow.afterCommit(() => waker.scoreScans());
    }
    await storeReviewed(uow.db, review, last === null ? null : last + 1, clock.now());
    return true;
  });
