/** Exports as callers see them: one file, asked for by one request and followed by polling. */
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError, invalidTransition } from '../errors.ts';
import { newUuid } from '../ids.ts';
import type { Waker } from '../queues.ts';
import type { ExportKind } from './kinds.ts';
import {
  countOpenExports,
  findExport,
  findFinishedExport,
  insertExport,
  lockExportCount,
  markCancelled,
  type ExportFormat,
  type ExportRow,
  type StoredFilter,
} from './repository.ts';

export {
  listExports,
  type ExportFormat,
  type ExportRow,
  type ExportStatus,
  type StoredFilter,
} from './repository.ts';

export const EXPORT_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const EXPORT_FORMATS = ['csv', 'ndjson'] as const satisfies ExportFormat[];

/** Open at a time in one organization: each is a worker's for minutes, and all organizations share the workers. */
const MAX_OPEN = 5;

/** Where the files of an export lie. */
export const exportFolder = (id: string): string => `exports/${id}/`;
export const fileNameOf = ({ kind, format }: Pick<ExportRow, 'kind' | 'format'>): string =>
  `${kind}.${format}`;
/** Of one claim: a worker that lost its lease overwrites nothing. */
export const claimFolder = (id: string, leaseEpoch: number): string => `${exportFolder(id)}${leaseEpoch}/`;
export const fileKeyOf = (row: Pick<ExportRow, 'kind' | 'id' | 'format' | 'lease_epoch'>): string =>
  `${claimFolder(row.id, row.lease_epoch)}${fileNameOf(row)}`;

/** What kind of file is asked for. */
export interface FileForm {
  format: ExportFormat;
  /** Of CSV: that it begins with one, without which Excel takes UTF-8 for something else. None by default. */
  byteOrderMark?: boolean;
}

/**
 * @param withScans whether the caller may read what scans tell, and the file so holds it
 * @throws AppError CONFLICT while as many as are allowed are open
 */
export async function startExport(
  { clock, waker }: { clock: Clock; waker: Waker },
  uow: UnitOfWork,
  orgId: string,
  {
    kind,
    format,
    byteOrderMark = false,
    filter,
    withScans = true,
  }: FileForm & { kind: ExportKind; filter: StoredFilter; withScans?: boolean },
): Promise<ExportRow> {
  await lockExportCount(uow.db, kind, orgId);
  if ((await countOpenExports(uow.db, kind, orgId)) >= MAX_OPEN)
    throw new AppError('CONFLICT', {
      detail: `${MAX_OPEN} exports are being written; wait for one, or cancel it`,
    });
  const id = newUuid();
  await insertExport(uow.db, { kind, id, orgId, format, byteOrderMark, filter, withScans, now: clock.now() });
  uow.afterCommit(() => waker.writeExports(kind, [id]));
  return getExport(uow.db, kind, orgId, id);
}

/** @throws AppError NOT_FOUND */
export async function getExport(db: Db, kind: ExportKind, orgId: string, id: string): Promise<ExportRow> {
  const row = await findExport(db, kind, orgId, id);
  if (row === null) throw new AppError('NOT_FOUND', { detail: 'no such export' });
  return row;
}

/** The worker that writes it notices with its next page. @throws AppError NOT_FOUND, INVALID_TRANSITION */
export async function cancelExport(
  { clock }: { clock: Clock },
  db: Db,
  kind: ExportKind,
  orgId: string,
  id: string,
): Promise<ExportRow> {
  await markCancelled(db, kind, orgId, id, clock.now());
  const row = await getExport(db, kind, orgId, id);
  if (row.status !== 'cancelled') throw invalidTransition(row.status, 'cancelled');
  return row;
}

/** @throws AppError NOT_FOUND, also where the file has expired */
export async function getExportFile(db: Db, kind: ExportKind, id: string, name: string) {
  const row = await findFinishedExport(db, kind, id);
  if (row === null || name !== fileNameOf(row)) throw new AppError('NOT_FOUND', { detail: 'no such file' });
  return {
    name,
    storage_key: fileKeyOf(row),
    media_type: row.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
    bytes: row.bytes!,
    sha256: row.sha256!,
  };
}
