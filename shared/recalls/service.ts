/**
 * Recalls: overlays over a unit, a batch, a consignment or a product. One row recalls any number of units at once, and
 * the very next verification sees it; lifting it restores what was, as nothing else was touched.
 */
import type { Clock } from '../clock.ts';
import { consignmentEventData, getConsignment } from '../consignments/service.ts';
import { withTransaction, type Db, type Pool, type UnitOfWork } from '../db.ts';
import { AppError, invalidTransition, refuseOvertaken } from '../errors.ts';
import { recordEvents } from '../events/service.ts';
import { newUuid } from '../ids.ts';
import type { Waker } from '../queues.ts';
import {
  findRecall,
  findRecallInForce,
  insertRecall,
  insertUnitRecalls,
  liftRecallById,
  liftRecallsOf,
  listUntoldRecalls,
  lockTarget,
  markRecallTold,
  updateRecallText,
  type RecallRow,
  type RecallScope,
  type RecallText,
  type SomeText,
} from './repository.ts';

export {
  listRecalls,
  summarizeScans,
  type RecallRow,
  type RecallScope,
  type RecallText,
  type ScanSummary,
} from './repository.ts';

export const RECALL_SCOPES = ['unit', 'batch', 'consignment', 'product'] as const;

export interface RecallTarget {
  scope: RecallScope;
  id: string;
}

const NAMES: Record<RecallScope, string> = {
  unit: 'unit',
  batch: 'batch',
  consignment: 'consignment',
  product: 'product',
};

/**
 * Recalls a target from `startsAt` on, or at once. One that is recalled already, or will be by then, is left as it is; a recall
 * that was to begin later is brought forward, with what is said now.
 * @returns the recall that lies over it, and whether this changed anything
 * @throws AppError NOT_FOUND; INVALID_TRANSITION for a consignment that never left
 */
export async function startRecall(
  deps: { clock: Clock; waker: Waker },
  uow: UnitOfWork,
  orgId: string,
  target: RecallTarget,
  text: RecallText,
  startsAt: Date | null = null,
): Promise<{ recall: RecallRow; isChanged: boolean }> {
  await requireTarget(uow.db, orgId, target);
  if (target.scope === 'consignment') {
    const { status } = await getConsignment(uow.db, orgId, target.id);
    if (status === 'draft' || status === 'cancelled') throw invalidTransition(status, 'recalled');
  }
  const now = deps.clock.now();
  const isChanged = await insertRecall(uow.db, {
    id: newUuid(),
    orgId,
    scope: target.scope,
    targetId: target.id,
    ...text,
    startsAt: startsAt ?? now,
    now,
  });
  const recall = (await findRecallInForce(uow.db, orgId, target.id))!;
  await tellWhereBegun(deps, uow, orgId, recall.id);
  return { recall, isChanged };
}

/** Sends `consignment.recalled` where a consignment's recall has begun, once; of a planned one it is sent when it begins. */
async function tellWhereBegun(
  deps: { clock: Clock; waker: Waker },
  uow: UnitOfWork,
  orgId: string,
  id: string,
): Promise<void> {
  // What it says now: it may have been corrected since it was found.
  const recall = await markRecallTold(uow.db, id, deps.clock.now());
  if (recall === null) return;
  const consignment = await getConsignment(uow.db, orgId, recall.target_id);
  const data = {
    ...consignmentEventData(consignment),
    reason: recall.reason,
    recalledAt: recall.starts_at.toISOString(),
  };
  await recordEvents(deps, uow, [{ type: 'consignment.recalled', orgId, productId: null, data }]);
}

/** Tells of planned recalls whose time has come; those beyond `limit` wait for the next sweep. @returns how many there were. */
export async function tellBegunRecalls(
  deps: { db: Pool; clock: Clock; waker: Waker },
  limit: number,
): Promise<number> {
  const recalls = await listUntoldRecalls(deps.db, limit);
  for (const { id, org_id: orgId } of recalls)
    await withTransaction(deps.db, (uow) => tellWhereBegun(deps, uow, orgId, id));
  return recalls.length;
}

/** @throws AppError NOT_FOUND where the organization has no such thing */
export async function requireTarget(db: Db, orgId: string, { scope, id }: RecallTarget): Promise<void> {
  if (!(await lockTarget(db, orgId, scope, id)))
    throw new AppError('NOT_FOUND', { detail: `no such ${NAMES[scope]}` });
}

/** Lifts the recall of a target. @returns whether there was one. @throws AppError NOT_FOUND for the target */
export async function liftRecallOf(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  target: RecallTarget,
): Promise<boolean> {
  await requireTarget(db, orgId, target);
  return (await liftRecallsOf(db, orgId, target.scope, [target.id], clock.now())) > 0;
}

/** Lifting a lifted recall changes nothing. @throws AppError NOT_FOUND */
export async function liftRecall(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
): Promise<RecallRow> {
  await liftRecallById(db, orgId, id, clock.now());
  return getRecall(db, orgId, id);
}

const noRecall = () => new AppError('NOT_FOUND', { detail: 'no such recall' });

/**
 * Corrects what a recall says, planned or in force, without a moment in which its units are not recalled. Nobody is told of it
 * anew: what is recalled, and since when, stays.
 * @param change with `expected`, only where these fields still have these values
 * @throws AppError NOT_FOUND; CONFLICT for a lifted one, which stays as it was told, or where a field is not what was expected
 */
export async function correctRecall(
  db: Db,
  orgId: string,
  id: string,
  { expected, ...changes }: SomeText & { expected?: SomeText | undefined },
): Promise<RecallRow> {
  const current = await findRecall(db, orgId, id, 'for update');
  if (current === null) throw noRecall();
  if (current.lifted_at !== null)
    throw new AppError('CONFLICT', { detail: 'the recall is lifted, and stays as it was told' });
  refuseOvertaken<RecallText>(expected, current, changes);
  await updateRecallText(db, orgId, id, changes);
  return getRecall(db, orgId, id);
}

/** @throws AppError NOT_FOUND */
export async function getRecall(db: Db, orgId: string, id: string): Promise<RecallRow> {
  const recall = await findRecall(db, orgId, id);
  if (recall === null) throw noRecall();
  return recall;
}

/** For bulk jobs: recalls units one by one. @returns how many were not recalled themselves before. */
export const recallUnits = (
  db: Db,
  orgId: string,
  unitIds: readonly string[],
  text: RecallText,
  now: Date,
): Promise<number> =>
  insertUnitRecalls(
    db,
    orgId,
    unitIds.map((unitId) => ({ id: newUuid(), unitId })),
    text,
    now,
  );

/** For bulk jobs. @returns how many units were recalled themselves. */
export const liftUnitRecalls = (
  db: Db,
  orgId: string,
  unitIds: readonly string[],
  now: Date,
): Promise<number> => liftRecallsOf(db, orgId, 'unit', unitIds, now);
