/**
 * Writes an export: pages of rows behind a cursor, into the storage as they come. The file appears whole or not at all, so
 * an export that was broken off is written from its beginning, by whoever claims it next.
 */
import type { Clock } from '../clock.ts';
import { csvPages, type Cell } from '../csv.ts';
import { isStatementTimeout, withTransaction, type Db, type Pool } from '../db.ts';
import { keepLease } from '../keep-lease.ts';
import type { Logger } from '../logger.ts';
import { disownFile, removeDisowned } from '../storage/intake.ts';
import { isStorageFull, pauseMsAfter, putOrBlame, StorageFailedError } from '../storage/storage-failure.ts';
import type { Storage } from '../storage/storage.ts';
import type { ExportContent } from './content.ts';
import type { ExportKind } from './kinds.ts';
import {
  claimExport,
  extendExportLease,
  limitStatements,
  markExportCompleted,
  markExportFailed,
  releaseExport,
  storeExportProgress,
  type ExportRow,
} from './repository.ts';
import { claimFolder, exportFolder, fileKeyOf } from './service.ts';

export interface WriteDeps {
  db: Pool;
  clock: Clock;
  storage: Storage;
  log: Logger;
  leaseSeconds: number;
}

/** Rows of one page: a megabyte or two of memory, and a fraction of a second between two signs of life. */
const PAGE = 1_000;
const MAX_ATTEMPTS = 5;
const RETRY_BASE_MS = 1_000;
const MAX_COUNT_MS = 10_000;

/** The export was cancelled, is another worker's, or the process stops. */
export class ExportInterrupted extends Error {
  override readonly name = 'ExportInterrupted';
}

const leaseUntil = ({ clock, leaseSeconds }: WriteDeps): Date =>
  new Date(clock.now().getTime() + leaseSeconds * 1000);

export const claim = (deps: WriteDeps, kind: ExportKind, id: string): Promise<ExportRow | null> =>
  claimExport(deps.db, kind, id, deps.clock.now(), leaseUntil(deps));

/** @param stopping ends it between two pages. @returns whether it was still this worker's. @throws ExportInterrupted */
export const writeExport = (
  deps: WriteDeps,
  content: ExportContent,
  row: ExportRow,
  stopping: AbortSignal,
): Promise<boolean> =>
  keepLease(
    deps.leaseSeconds,
    () => extendExportLease(deps.db, row, leaseUntil(deps)),
    () => writePages(deps, content, row, stopping),
  );

async function writePages(
  deps: WriteDeps,
  content: ExportContent,
  row: ExportRow,
  stopping: AbortSignal,
): Promise<boolean> {
  // Whoever held it the last five times did not come to an end.
  if (row.attempts > MAX_ATTEMPTS) throw new Error('broken off too often');
  const total = await countInTime(deps.db, (db) => content.count(db, row));
  let done = 0;
  const pages = async function* (): AsyncGenerator<object[]> {
    for (let beforeId: string | null = null; ;) {
      if (stopping.aborted) throw new ExportInterrupted('the process stops');
      // A row that becomes visible in the middle makes no progress of 101 %.
      const isOurs = await storeExportProgress(
        deps.db,
        row,
        { done, total: total === null ? null : Math.max(total, done) },
        leaseUntil(deps),
      );
      if (!isOurs) throw new ExportInterrupted('cancelled, or another worker’s');
      const { rows, lastId } = await content.page(row, { limit: PAGE, beforeId });
      yield rows;
      done += rows.length;
      if (rows.length < PAGE) return;
      beforeId = lastId;
    }
  };
  const text =
    row.format === 'csv'
      ? csvPages(content.columns, cells(content, pages()), row.byte_order_mark)
      : lines(pages());
  const stored = await putOrBlame(deps.storage, fileKeyOf(row), encoded(text));
  const lost = Array.from({ length: row.lease_epoch - 1 }, (_, before) => claimFolder(row.id, before + 1));
  const isOurs = await settle(deps, lost, (db) =>
    markExportCompleted(db, row, { rows: done, ...stored }, deps.clock.now()),
  );
  // Cancelled, or another worker's, since the last page: the file is nobody's.
  if (!isOurs) await deps.storage.remove(fileKeyOf(row));
  return isOurs;
}

/**
 * Brings an export to its end, and removes what workers left that were killed, or lost their lease or Postgres. A storage that
 * fails changes nothing about the end: then the housekeeping removes it.
 * @param mark tells whether the export was still this worker's
 */
async function settle(
  { db, clock, storage, log }: WriteDeps,
  left: readonly string[],
  mark: (db: Db) => Promise<boolean>,
): Promise<boolean> {
  const isOurs = await withTransaction(db, async (uow) => {
    const isMarked = await mark(uow.db);
    if (isMarked) for (const folder of left) await disownFile(uow.db, folder, clock.now());
    return isMarked;
  });
  if (!isOurs) return false;
  try {
    for (const folder of left) await removeDisowned({ db, storage }, folder);
  } catch (error) {
    log.warn({ err: error, left }, 'files of lost workers are left to maintenance');
  }
  return true;
}

/** @returns null where counting would take longer than the export's lease may wait: it is only for the progress. */
async function countInTime(db: Pool, count: (db: Db) => Promise<number>): Promise<number | null> {
  try {
    return await withTransaction(db, async (uow) => {
      await limitStatements(uow.db, MAX_COUNT_MS);
      return count(uow.db);
    });
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

/** Not counted as a failure: it begins again with the next worker. */
export const giveBack = (deps: WriteDeps, row: ExportRow): Promise<void> =>
  releaseExport(deps.db, row, deps.clock.now(), 'broken off');

/**
 * After an error: again later, with growing pauses; five times in all, twenty times where it was the storage.
 * @returns when, or null at the end.
 */
export async function settleFailure(deps: WriteDeps, row: ExportRow, error: unknown): Promise<Date | null> {
  const now = deps.clock.now();
  const isStorage = error instanceof StorageFailedError;
  const pauseMs = isStorage ? pauseMsAfter(row.storage_failures + 1) : pauseMsAfterAttempt(row.attempts);
  if (pauseMs === null) {
    await settle(deps, [exportFolder(row.id)], (db) => markExportFailed(db, row, explain(error), now));
    return null;
  }
  const dueAt = new Date(now.getTime() + pauseMs);
  await releaseExport(deps.db, row, dueAt, isStorage ? 'storage failed' : 'failed');
  return dueAt;
}

const pauseMsAfterAttempt = (attempts: number): number | null =>
  attempts >= MAX_ATTEMPTS ? null : RETRY_BASE_MS * 2 ** attempts;

/** For the organization; the cause stays in the log. */
function explain(error: unknown): { code: string; message: string } {
  if (!(error instanceof StorageFailedError))
    return { code: 'EXPORT_FAILED', message: 'The file could not be written. Start another export.' };
  return isStorageFull(error)
    ? {
        code: 'STORAGE_FULL',
        message: 'The storage for files is full. Start another export when the operator has made room.',
      }
    : {
        code: 'STORAGE_UNAVAILABLE',
        message:
          'The storage for files failed for a quarter of an hour. Start another export when the operator has mended it.',
      };
}

async function* cells(content: ExportContent, pages: AsyncIterable<object[]>): AsyncGenerator<Cell[][]> {
  for await (const rows of pages) yield rows.map((row) => content.cellsOf(row));
}

async function* lines(pages: AsyncIterable<object[]>): AsyncGenerator<string> {
  for await (const rows of pages)
    if (rows.length > 0) yield `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
}

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of text) yield Buffer.from(piece);
}
