/**
 * The life of a bulk job: claimed under a lease, worked off slice by slice, finished. A slice's effect and the cursor
 * behind it commit together. A job that puts units into a consignment takes all of them back when one was refused, or when
 * it is cancelled.
 */
import type { Clock } from '../clock.ts';
import { storeContents, takeBack } from '../consignments/holding.ts';
import { beginWithin, withTransaction, type Db, type Pool, type UnitOfWork } from '../db.ts';
import { refusal, type Refusal } from '../field-errors.ts';
import { keepLease } from '../keep-lease.ts';
import type { Keyring } from '../keyring.ts';
import type { Logger } from '../logger.ts';
import type { Waker } from '../queues.ts';
import { disownFile, removeDisowned } from '../storage/intake.ts';
import { pauseMsAfter, readOrBlame, StorageFailedError } from '../storage/storage-failure.ts';
import type { Storage } from '../storage/storage.ts';
import { ACTIONS, BATCH_ACTIONS, problemOf, type FoundUnit } from './actions.ts';
import { copyItems } from './item-copy.ts';
import {
  claimBulkJob,
  extendBulkLease,
  lockClaimedJob,
  markBulkJobCancelled,
  markBulkJobFinished,
  releaseBulkJob,
  storeProgress,
  uploadPrefixOf,
  type BulkJobRow,
} from './repository.ts';
import { countSourceUnits, deleteItems, listSourceUnits, type SourceUnit } from './source-repository.ts';
import { listKeyOf, UploadError, uploadLines } from './upload-lines.ts';

export interface RunDeps {
  db: Pool;
  clock: Clock;
  waker: Waker;
  storage: Storage;
  tokenKeys: Keyring;
  log: Logger;
  leaseSeconds: number;
}

/** Units of a slice: a second's work or less, so that progress moves and a lease never runs out in the middle. */
const SLICE = 5_000;
/** Problems that are shown; all are counted. */
const MAX_PROBLEMS = 100;
const MAX_ATTEMPTS = 5;
const RETRY_BASE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Longer than a storage takes that falls silent, and is asked three times: what ends then is its failure, and not Postgres’. */
const MAX_LOAD_MS = 600_000;

const leaseUntil = ({ clock, leaseSeconds }: RunDeps): Date =>
  new Date(clock.now().getTime() + leaseSeconds * 1000);

/** @returns the job, claimed, or null where there is nothing to do now. */
export const claimJob = (deps: RunDeps, id: string): Promise<BulkJobRow | null> =>
  claimBulkJob(deps.db, id, deps.clock.now(), leaseUntil(deps));

/**
 * Whether a job has ended every worker that took it, and is not to be tried on the next one. One that takes units back goes on: a
 * consignment must not keep units that it does not show.
 */
export const isDeadly = ({ attempts, phase }: BulkJobRow): boolean =>
  attempts >= MAX_ATTEMPTS && phase !== 'undo';

/** Does the next slice. @returns whether there may be more; false as well where the lease was lost. */
export function runSlice(deps: RunDeps, claimed: BulkJobRow): Promise<boolean> {
  return claimed.phase === 'load' ? load(deps, claimed) : workOrUndo(deps, claimed);
}

/** Gives the job back: more is to do, but not by this worker now. */
export const giveBack = (deps: RunDeps, job: BulkJobRow): Promise<void> =>
  releaseBulkJob(deps.db, job, deps.clock.now(), 'broken off');

/**
 * After an error: tries again later, with growing pauses; the fifth time the job fails, the twentieth where it was the storage, and a
 * consignment gets back what it had, however often that takes.
 * @param cause nothing where workers ended with it
 * @returns when the job is due again, or null where it is finished
 */
export async function settleFailure(
  deps: RunDeps,
  claimed: BulkJobRow,
  cause?: unknown,
): Promise<Date | null> {
  const isStorage = cause instanceof StorageFailedError;
  const pauseMs = isStorage ? pauseMsAfter(claimed.storage_failures + 1) : pauseMsAfterAttempt(claimed);
  if (pauseMs !== null) {
    const dueAt = new Date(deps.clock.now().getTime() + pauseMs);
    await releaseBulkJob(deps.db, claimed, dueAt, isStorage ? 'storage failed' : 'failed');
    return dueAt;
  }
  const error = isStorage
    ? {
        code: 'STORAGE_UNAVAILABLE',
        message:
          'The storage for files, where the list was, failed for a quarter of an hour. Send the list again when the operator has mended it.',
      }
    : {
        code: 'BULK_JOB_FAILED',
        message: 'The job could not be done. Start it again; what was done is kept where this is no list.',
      };
  return withTransaction(deps.db, async ({ db }) => {
    const job = await lockClaimedJob(db, claimed);
    if (job === null) return null;
    if (job.phase === 'load') await disownFile(db, uploadPrefixOf(job), deps.clock.now());
    if (job.action !== 'consign') {
      await markBulkJobFinished(db, job.id, error, deps.clock.now());
      return null;
    }
    await storeProgress(db, { ...job, phase: 'undo', cursor: null, result: { error } }, null);
    return deps.clock.now();
  });
}

const pauseMsAfterAttempt = ({ attempts, phase }: BulkJobRow): number | null =>
  attempts + 1 < MAX_ATTEMPTS || phase === 'undo'
    ? Math.min(RETRY_BASE_MS * 2 ** attempts, MAX_PAUSE_MS)
    : null;

/** Reads an uploaded list into rows, all or nothing; a list that is not usable fails the job. */
async function load(deps: RunDeps, claimed: BulkJobRow): Promise<boolean> {
  let isOurs = true;
  const extend = async () => {
    isOurs &&= await extendBulkLease(deps.db, claimed, leaseUntil(deps));
  };
  try {
    return await keepLease(deps.leaseSeconds, extend, () => loadWhile(deps, claimed, () => isOurs));
  } catch (error) {
    if (error instanceof LostJobError) return false;
    throw error;
  }
}

/** @throws LostJobError */
async function loadWhile(deps: RunDeps, claimed: BulkJobRow, isOurs: () => boolean): Promise<boolean> {
  const uploadPrefix = uploadPrefixOf(claimed);
  const { uploadFormat } = claimed.params;
  if (uploadFormat === undefined || claimed.source.kind !== 'items')
    throw new TypeError('a job that loads has no upload');
  const { by } = claimed.source;
  // Of a worker that lost the job the list is not: another one reads it.
  const settle = (finish: (db: Db, job: BulkJobRow) => Promise<void>, read?: (db: Db) => Promise<void>) =>
    withTransaction(
      deps.db,
      async ({ db }) => {
        await read?.(db);
        const job = await lockClaimedJob(db, claimed);
        if (job === null) throw new LostJobError();
        await finish(db, job);
        await disownFile(db, uploadPrefix, deps.clock.now());
      },
      beginWithin(MAX_LOAD_MS),
    );
  let count = 0;
  const isLoaded = await settle(
    (db, job) => storeProgress(db, { ...job, phase: 'work', total: count }, leaseUntil(deps)),
    async (db) => {
      const source = readOrBlame(deps.storage, listKeyOf(uploadPrefix));
      const lines = uploadLines(source, uploadFormat, by, deps.tokenKeys);
      count = await copyItems(db, claimed.id, whileOurs(lines, isOurs), MAX_LOAD_MS);
    },
  ).then(
    () => true,
    async (error: unknown) => {
      if (!(error instanceof UploadError)) throw error;
      const problem = { code: 'UPLOAD_NOT_USABLE', message: error.message };
      await settle((db, { id }) => markBulkJobFinished(db, id, problem, deps.clock.now()));
      return false;
    },
  );
  // The list was read: a storage that fails now spends none of the job's attempts.
  await removeDisowned(deps, uploadPrefix).catch((error: unknown) => {
    deps.log.warn({ err: error, uploadPrefix }, 'a list that was read is left to maintenance');
  });
  return isLoaded;
}

class LostJobError extends Error {
  override readonly name = 'LostJobError';
}

/** A million lines of a job that is cancelled need not be read to their end. @throws LostJobError */
async function* whileOurs<Line>(lines: AsyncIterable<Line>, isOurs: () => boolean): AsyncIterable<Line> {
  for await (const line of lines) {
    if (!isOurs()) throw new LostJobError();
    yield line;
  }
}

function workOrUndo(deps: RunDeps, claimed: BulkJobRow): Promise<boolean> {
  return withTransaction(deps.db, async (uow) => {
    const job = await lockClaimedJob(uow.db, claimed);
    if (job === null) return false;
    return job.phase === 'undo' ? undo(deps, uow, job) : work(deps, uow, job);
  });
}

async function work(deps: RunDeps, uow: UnitOfWork, job: BulkJobRow): Promise<boolean> {
  const { source } = job;
  const batchAction = BATCH_ACTIONS[job.action];
  if (source.kind === 'batch' && batchAction !== undefined) {
    // Done and finished in one transaction, so that it is never done again over what somebody decided meanwhile. The units are
    // only counted; those that are still to be minted lie under the overlay as well.
    const isChanged = await batchAction(deps, uow, job, source.batchId);
    const units = await countSourceUnits(uow.db, job);
    const [changed, unchanged] = isChanged ? [units, 0] : [0, units];
    return finish(deps, uow, { ...job, total: units, done: units, changed, unchanged });
  }
  const total = job.total ?? (await countSourceUnits(uow.db, job));
  const units = await listSourceUnits(uow.db, job, SLICE);
  if (units.length === 0) return finish(deps, uow, { ...job, total });
  const found = units.filter((unit): unit is FoundUnit => unit.unit_id !== null);
  const notFound = units
    .filter((unit) => unit.unit_id === null)
    .map((unit) => problemOf(unit, refusedLine(unit)));
  const outcome =
    found.length === 0
      ? { changed: 0, unchanged: 0, problems: [] }
      : await ACTIONS[job.action](deps, uow, job, found);
  const problems = [...notFound, ...outcome.problems].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const cursor = units.at(-1)!.position;
  if (job.source.kind === 'items') await deleteItems(uow.db, job.id, Number(cursor));
  await storeProgress(
    uow.db,
    {
      ...job,
      // Units that came to a batch after the count make no progress of 110 %.
      total: Math.max(total, job.done + units.length),
      done: job.done + units.length,
      changed: job.changed + outcome.changed,
      unchanged: job.unchanged + outcome.unchanged,
      refused: job.refused + problems.length,
      problems: [...job.problems, ...problems].slice(0, MAX_PROBLEMS),
      cursor,
      result: 'result' in outcome && outcome.result !== undefined ? outcome.result : job.result,
    },
    leaseUntil(deps),
  );
  return true;
}

/** Why a line names no unit. One that a worker of an earlier version has read has no code. */
const refusedLine = ({ problem, problem_code: code }: SourceUnit): Refusal =>
  problem === null ? refusal('NO_SUCH_UNIT', 'no such unit') : { code: code ?? 'INVALID', message: problem };

async function finish(deps: RunDeps, uow: UnitOfWork, job: BulkJobRow): Promise<boolean> {
  if (job.action === 'consign' && (job.refused > 0 || job.done === 0)) {
    const error =
      job.done === 0
        ? { code: 'NO_UNITS', message: 'There are no such units.' }
        : {
            code: 'UNITS_REFUSED',
            message: `${job.refused} of ${job.done} units cannot be added, so none was; see problems.`,
          };
    await storeProgress(uow.db, { ...job, phase: 'undo', cursor: null, result: { error } }, leaseUntil(deps));
    return true;
  }
  await storeProgress(uow.db, job, leaseUntil(deps));
  if (job.action === 'consign') await storeContents(uow.db, job.consignment_id!, job.changed);
  await markBulkJobFinished(uow.db, job.id, null, deps.clock.now());
  return false;
}

async function undo(deps: RunDeps, uow: UnitOfWork, job: BulkJobRow): Promise<boolean> {
  const target = { consignmentId: job.consignment_id!, jobId: job.id };
  const cursor = await takeBack(uow.db, target, job.cursor, SLICE);
  if (cursor !== null) {
    await storeProgress(uow.db, { ...job, cursor }, leaseUntil(deps));
    return true;
  }
  await deleteItems(uow.db, job.id);
  await storeProgress(uow.db, { ...job, changed: 0, result: {} }, leaseUntil(deps));
  if (job.cancel_requested_at !== null) {
    await markBulkJobCancelled(uow.db, job.id, deps.clock.now());
    return false;
  }
  const { error } = job.result as { error: { code: string; message: string } };
  await markBulkJobFinished(uow.db, job.id, error, deps.clock.now());
  return false;
}
