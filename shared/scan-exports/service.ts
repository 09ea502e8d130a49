/** Exports of scans as callers see them: one file, asked for by one request and followed by polling. */
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError, invalidTransition } from '../errors.ts';
import { newUuid } from '../ids.ts';
import type { Waker } from '../queues.ts';
import type { ScanFilter } from '../scans/service.ts';
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

export { listExports, type ExportFormat, type ExportRow, type ExportStatus } from './repository.ts';

export const EXPORT_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const EXPORT_FORMATS = ['csv', 'ndjson'] as const satisfies ExportFormat[];

/** Open at a time in one organization: each is a worker's for minutes, and all organizations share the workers. */
const MAX_OPEN = 5;

/** Where the files of an export lie. */
export const exportFolder = (id: string): string => `exports/${id}/`;
export const fileNameOf = ({ format }: Pick<ExportRow, 'format'>): string => `scans.${format}`;
/** Of one claim: a worker that lost its lease overwrites nothing. */
export const claimFolder = (id: string, leaseEpoch: number): string => `${exportFolder(id)}${leaseEpoch}/`;
export const fileKeyOf = (row: Pick<ExportRow, 'id' | 'format' | 'lease_epoch'>): string =>
  `${claimFolder(row.id, row.lease_epoch)}${fileNameOf(row)}`;

/** Scans that come later than the export was asked for are not its own, however late its `to` lies. */
const storedFilterOf = ({ from, to, isInternal, ...rest }: ScanFilter, now: Date): StoredFilter =>
  // JSON leaves out what is undefined.
  JSON.parse(
    JSON.stringify({
      ...rest,
      isInternal: isInternal?.toString(),
      from: from?.toISOString(),
      to: (to !== undefined && to < now ? to : now).toISOString(),
    }),
  ) as StoredFilter;

/** @throws AppError CONFLICT while as many as are allowed are open */
export async function startExport(
  { clock, waker }: { clock: Clock; waker: Waker },
  uow: UnitOfWork,
  orgId: string,
  { format, filter }: { format: ExportFormat; filter: ScanFilter },
): Promise<ExportRow> {
  await lockExportCount(uow.db, orgId);
  if ((await countOpenExports(uow.db, orgId)) >= MAX_OPEN)
    throw new AppError('CONFLICT', {
      detail: `${MAX_OPEN} exports are being written; wait for one, or cancel it`,
    });
  const id = newUuid();
  const now = clock.now();
  await insertExport(uow.db, { id, orgId, format, filter: storedFilterOf(filter, now), now });
  uow.afterCommit(() => waker.exportScans([id]));
  return getExport(uow.db, orgId, id);
}

/** @throws AppError NOT_FOUND */
export async function getExport(db: Db, orgId: string, id: string): Promise<ExportRow> {
  const row = await findExport(db, orgId, id);
  if (row === null) throw new AppError('NOT_FOUND', { detail: 'no such export' });
  return row;
}

/** The worker that writes it notices with its next page. @throws AppError NOT_FOUND, INVALID_TRANSITION */
export async function cancelExport(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
): Promise<ExportRow> {
  await markCancelled(db, orgId, id, clock.now());
  const row = await getExport(db, orgId, id);
  if (row.status !== 'cancelled') throw invalidTransition(row.status, 'cancelled');
  return row;
}

/** @throws AppError NOT_FOUND, also where the file has expired */
export async function getExportFile(db: Db, id: string, name: string) {
  const row = await findFinishedExport(db, id);
  if (row === null || name !== fileNameOf(row)) throw new AppError('NOT_FOUND', { detail: 'no such file' });
  return {
    name,
    storage_key: fileKeyOf(row),
    media_type: row.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
    bytes: row.bytes!,
    sha256: row.sha256!,
  };
}
