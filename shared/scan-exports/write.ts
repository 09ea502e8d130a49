/**
 * Writes an export: pages of scans behind a cursor, into the storage as they come. The file appears whole or not at all, so
 * an export that was broken off is written from its beginning, by whoever claims it next.
 */
import type { Clock } from '../clock.ts';
import { csvPages, type Cell } from '../csv.ts';
import { isStatementTimeout, withTransaction, type Db, type Pool } from '../db.ts';
import { keepLease } from '../keep-lease.ts';
import type { Logger } from '../logger.ts';
import { BEGIN_IN_ORDER, countScans, findScans, type ScanFilter } from '../scans/service.ts';
import { publicScans, type PublicScan } from '../scans/public-scan.ts';
import type { ScanResult } from '../scans/verdict.ts';
import { disownFile, removeDisowned } from '../storage/intake.ts';
import { isStorageFull, pauseMsAfter, putOrBlame, StorageFailedError } from '../storage/storage-failure.ts';
import type { Storage } from '../storage/storage.ts';
import { listSerials } from '../units/service.ts';
import {
  claimExport,
  extendExportLease,
  limitStatements,
  markExportCompleted,
  markExportFailed,
  releaseExport,
  storeExportProgress,
  type ExportRow,
  type StoredFilter,
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

export const claim = (deps: WriteDeps, id: string): Promise<ExportRow | null> =>
  claimExport(deps.db, id, deps.clock.now(), leaseUntil(deps));

const filterOf = ({ from, to, result, isInternal, ...rest }: StoredFilter): ScanFilter => ({
  ...rest,
  result: result as ScanResult | undefined,
  isInternal: isInternal === undefined ? undefined : isInternal === 'true',
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
});

type ExportedScan = PublicScan & { serial: string | null };

/** @param stopping ends it between two pages. @returns whether it was still this worker's. @throws ExportInterrupted */
export const writeExport = (deps: WriteDeps, row: ExportRow, stopping: AbortSignal): Promise<boolean> =>
  keepLease(
    deps.leaseSeconds,
    () => extendExportLease(deps.db, row, leaseUntil(deps)),
    () => writePages(deps, row, stopping),
  );

async function writePages(deps: WriteDeps, row: ExportRow, stopping: AbortSignal): Promise<boolean> {
  // Whoever held it the last five times did not come to an end.
  if (row.attempts > MAX_ATTEMPTS) throw new Error('broken off too often');
  const filter = filterOf(row.filter);
  const total = await countInTime(deps.db, row.org_id, filter);
  let done = 0;
  const pages = async function* (): AsyncGenerator<ExportedScan[]> {
    for (let beforeId: string | null = null; ;) {
      if (stopping.aborted) throw new ExportInterrupted('the process stops');
      // A scan that becomes visible in the middle makes no progress of 101 %.
      const isOurs = await storeExportProgress(
        deps.db,
        row,
        { done, total: total === null ? null : Math.max(total, done) },
        leaseUntil(deps),
      );
      if (!isOurs) throw new ExportInterrupted('cancelled, or another worker’s');
      const scans = await withTransaction(
        deps.db,
        (uow) => findScans(uow.db, row.org_id, filter, { limit: PAGE, beforeId }),
        BEGIN_IN_ORDER,
      );
      const serials = await listSerials(
        deps.db,
        row.org_id,
        scans.map((scan) => scan.unit_id),
      );
      yield publicScans(scans).map((scan, index) => ({
        ...scan,
        serial: serials.get(scans[index]!.unit_id) ?? null,
      }));
      done += scans.length;
      if (scans.length < PAGE) return;
      beforeId = scans.at(-1)!.id;
    }
  };
  const text = row.format === 'csv' ? csvPages(COLUMNS, cells(pages())) : lines(pages());
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
async function countInTime(db: Pool, orgId: string, filter: ScanFilter): Promise<number | null> {
  try {
    return await withTransaction(db, async (uow) => {
      await limitStatements(uow.db, MAX_COUNT_MS);
      return countScans(uow.db, orgId, filter);
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

const COLUMNS = [
  'id',
  'at',
  'productUnitId',
  'serial',
  'productId',
  'batchId',
  'result',
  'assessment',
  'country',
  'latitude',
  'longitude',
  'accuracyKm',
  'placeSource',
  'riskLevel',
  'riskScore',
  'signals',
  'isInternal',
] as const;

async function* cells(pages: AsyncIterable<ExportedScan[]>): AsyncGenerator<Cell[][]> {
  for await (const scans of pages)
    yield scans.map(({ place, risk, ...scan }) => [
      scan.id,
      scan.at,
      scan.productUnitId,
      scan.serial,
      scan.productId,
      scan.batchId,
      scan.result,
      scan.assessment,
      scan.country,
      place?.lat ?? null,
      place?.lon ?? null,
      place?.accuracyKm ?? null,
      place?.source ?? null,
      risk.level,
      risk.score,
      risk.signals.map(({ type }) => type).join(' '),
      String(scan.isInternal),
    ]);
}

async function* lines(pages: AsyncIterable<ExportedScan[]>): AsyncGenerator<string> {
  for await (const scans of pages)
    if (scans.length > 0) yield `${scans.map((scan) => JSON.stringify(scan)).join('\n')}\n`;
}

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of text) yield Buffer.from(piece);
}
