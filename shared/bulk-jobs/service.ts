/**
 * Bulk jobs as callers see them: something done to many units, started by one request and followed by polling. Who works
 * them off is `run.ts`.
 */
import { requireNothingBeingMinted } from '../batches/service.ts';
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError, constraintOf, invalidTransition } from '../errors.ts';
import { newUuid } from '../ids.ts';
import { lockSerialsOfProduct } from '../product-serials-repository.ts';
import type { Waker } from '../queues.ts';
import { disownFile } from '../storage/intake.ts';
import type { ListedItem } from './listed-item.ts';
import {
  findBulkJob,
  hasOpenJobOfBatch,
  insertBulkJob,
  insertItems,
  listOpenRanges,
  lockBulkJob,
  markBulkJobCancelled,
  markBulkJobToUndo,
  uploadPrefixOf,
  type BulkAction,
  type BulkJobRow,
  type BulkParams,
} from './repository.ts';
import { deleteSomeItems, findJobWithLeftItems, isSerialBeingMinted } from './source-repository.ts';
import type { ItemKey, UnitSource } from './source.ts';

export {
  hasOpenJob,
  listBulkJobs,
  listNeglectedBulkJobIds,
  type BulkAction,
  type BulkJobRow,
  type BulkParams,
  type BulkProblem,
  type BulkStatus,
} from './repository.ts';
export { listedItem, listedUnit, MAX_ITEM_LENGTH } from './listed-item.ts';
export type { ItemKey, UnitSource } from './source.ts';

export const BULK_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

/** The most units that may be named in a JSON body; longer lists are uploaded. */
export const MAX_LISTED_UNITS = 1_000;

/** What a caller may name units by. */
export type Selection =
  | { kind: 'list'; by: ItemKey; productId: string | null; items: readonly ListedItem[] }
  | {
      kind: 'upload';
      by: ItemKey;
      productId: string | null;
      uploadPrefix: string;
      uploadFormat: 'csv' | 'ndjson';
    }
  | Exclude<UnitSource, { kind: 'items' }>;

export interface BulkRequest {
  action: BulkAction;
  selection: Selection;
  params?: BulkParams;
  /** For `consign`. */
  consignmentId?: string;
}

/** A recall of a batch lies over units to come as well, and a preview counts what there is. */
const OF_EACH_UNIT: ReadonlySet<BulkAction> = new Set(['activate', 'suspend', 'consign']);

/**
 * For whoever is about to mint units of a batch and holds it.
 * @throws AppError CONFLICT while something is done to each of its units: those that come behind that would be left out
 */
export async function requireNoJobOfBatch(db: Db, orgId: string, batchId: string): Promise<void> {
  if (await hasOpenJobOfBatch(db, orgId, batchId, [...OF_EACH_UNIT]))
    throw new AppError('CONFLICT', {
      detail:
        'the units of this batch are being activated, suspended or added to a consignment; wait for that job, or cancel it',
    });
}

/**
 * For whoever has just begun to mint units of a product and holds its serials.
 * @throws AppError CONFLICT where something is done to each unit of a range in which their serials lie
 */
export async function requireNoJobOfSerials(db: Db, orgId: string, productId: string): Promise<void> {
  for (const range of await listOpenRanges(db, orgId, productId, [...OF_EACH_UNIT]))
    if (await isSerialBeingMinted(db, orgId, range))
      throw new AppError('CONFLICT', {
        detail:
          'a range of serials, in which some of these lie, is being added to a consignment; wait for that job, or cancel it',
      });
}

function sourceOf(selection: Selection): UnitSource {
  if (selection.kind !== 'list' && selection.kind !== 'upload') return selection;
  return { kind: 'items', by: selection.by, productId: selection.productId };
}

/** @throws AppError CONFLICT while units of the selection are being minted */
async function requireNoUnitsToCome(db: Db, orgId: string, selection: Selection): Promise<void> {
  if (selection.kind === 'batch') await requireNothingBeingMinted(db, orgId, selection.batchId);
  if (selection.kind !== 'serials') return;
  // Who mints asks for open jobs under this lock: of both at once, one sees the other.
  await lockSerialsOfProduct(db, selection.productId);
  if (await isSerialBeingMinted(db, orgId, selection))
    throw new AppError('CONFLICT', {
      detail: 'serials of this range are being minted: wait for the job, or cancel it',
    });
}

/**
 * Starts a job in the caller's transaction and wakes a worker after its commit. The caller has checked that what the
 * selection names belongs to the organization.
 * @throws AppError CONFLICT while another list is being added to the same consignment, or codes of the batch are being made
 */
export async function startBulkJob(
  { clock, waker }: { clock: Clock; waker: Waker },
  uow: UnitOfWork,
  orgId: string,
  request: BulkRequest,
): Promise<BulkJobRow> {
  const { selection } = request;
  // Parts of a batch are minted in any order: units that came behind the job's back would be left out without a word.
  if (OF_EACH_UNIT.has(request.action)) await requireNoUnitsToCome(uow.db, orgId, selection);
  const id = newUuid();
  const upload =
    selection.kind === 'upload'
      ? { uploadPrefix: selection.uploadPrefix, uploadFormat: selection.uploadFormat }
      : {};
  await insertBulkJob(uow.db, {
    id,
    orgId,
    action: request.action,
    source: sourceOf(selection),
    params: { ...request.params, ...upload },
    consignmentId: request.consignmentId ?? null,
    phase: selection.kind === 'upload' ? 'load' : 'work',
    now: clock.now(),
  }).catch((error: unknown) => {
    if (constraintOf(error) !== 'bulk_jobs_one_open') throw error;
    throw new AppError('CONFLICT', {
      detail: 'units are still being added to this consignment; wait for that job, or cancel it',
      cause: error,
    });
  });
  if (selection.kind === 'list') await insertItems(uow.db, id, selection.items);
  uow.afterCommit(() => waker.runBulkJobs([id]));
  return getBulkJob(uow.db, orgId, id);
}

/** @throws AppError NOT_FOUND */
export async function getBulkJob(db: Db, orgId: string, id: string): Promise<BulkJobRow> {
  const job = await findBulkJob(db, orgId, id);
  if (job === null) throw new AppError('NOT_FOUND', { detail: 'no such bulk job' });
  return job;
}

/** Holds it until the transaction ends; none of the organization with that id is fine. */
export const holdBulkJob = async (db: Db, orgId: string, id: string): Promise<void> => {
  await lockBulkJob(db, orgId, id);
};

/**
 * Cancels an open job. A slice that is being stored is waited for, and none comes behind it: what is done stays done and is
 * counted. A consignment is not left half: what was put into it is taken back by a worker, and the job stays open until then.
 * A cancelled job stays cancelled, a finished one cannot be cancelled.
 * @throws AppError NOT_FOUND, INVALID_TRANSITION
 */
export async function cancelBulkJob(
  { clock, waker }: { clock: Clock; waker: Waker },
  { db, afterCommit }: UnitOfWork,
  orgId: string,
  id: string,
): Promise<BulkJobRow> {
  const job = await lockBulkJob(db, orgId, id);
  if (job === null) return getBulkJob(db, orgId, id);
  const { status, phase, action } = job;
  if (status === 'completed' || status === 'failed') throw invalidTransition(status, 'cancelled');
  if (job.cancel_requested_at !== null) return job;
  // Before its list is read, and before a worker ever took it, a job has put nothing anywhere.
  if (action === 'consign' && status === 'running' && phase !== 'load') {
    await markBulkJobToUndo(db, id, clock.now());
    afterCommit(() => waker.runBulkJobs([id]));
  } else {
    if (phase === 'load') await disownFile(db, uploadPrefixOf(job), clock.now());
    // What is left of an upload is the housekeeping's: nobody is to wait for a million lines.
    await deleteSomeItems(db, id, MAX_LISTED_UNITS);
    await markBulkJobCancelled(db, id, clock.now());
  }
  return getBulkJob(db, orgId, id);
}

/** Lines that are deleted in one transaction. */
const ITEMS_AT_ONCE = 50_000;

/**
 * Forgets what is left of the lists of jobs that are cancelled or have failed.
 * @returns how many lists
 */
export async function forgetLeftItems(db: Db): Promise<number> {
  let lists = 0;
  for (;;) {
    const id = await findJobWithLeftItems(db);
    if (id === null) return lists;
    lists += 1;
    while ((await deleteSomeItems(db, id, ITEMS_AT_ONCE)) > 0);
  }
}
