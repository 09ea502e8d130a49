import type { Db } from '../db.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import type { ExportKind } from './kinds.ts';

export type ExportStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
export type ExportFormat = 'csv' | 'ndjson';

/** UUIDs and ISO times, as they are stored. */
export type StoredFilter = Readonly<Record<string, string>>;

const TABLES = { scans: 'scan_exports', units: 'unit_exports' } as const satisfies Record<ExportKind, string>;

/** Of a row, with what it is of. */
const columnsOf = (kind: ExportKind): string => `*, '${kind}' as kind`;

export interface ExportRow {
  kind: ExportKind;
  id: string;
  org_id: string;
  format: ExportFormat;
  /** Whether the file of CSV begins with one, by which spreadsheets know UTF-8. */
  byte_order_mark: boolean;
  filter: StoredFilter;
  /** Whether the file holds what scans tell, as whoever asked for it could read that. */
  with_scans: boolean;
  status: ExportStatus;
  total: number | null;
  done: number;
  bytes: number | null;
  sha256: string | null;
  error: { code: string; message: string } | null;
  lease_epoch: number;
  attempts: number;
  /** Attempts that ended in the storage; not among the others. */
  storage_failures: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  expired_at: Date | null;
}

export async function insertExport(
  db: Db,
  row: {
    kind: ExportKind;
    id: string;
    orgId: string;
    format: ExportFormat;
    byteOrderMark: boolean;
    filter: StoredFilter;
    withScans: boolean;
    now: Date;
  },
): Promise<void> {
  await db.query(
    `insert into ${TABLES[row.kind]} (id, org_id, format, byte_order_mark, filter, with_scans, due_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [row.id, row.orgId, row.format, row.byteOrderMark, JSON.stringify(row.filter), row.withScans, row.now],
  );
}

export async function findExport(
  db: Db,
  kind: ExportKind,
  orgId: string,
  id: string,
): Promise<ExportRow | null> {
  const { rows } = await db.query<ExportRow>(
    `select ${columnsOf(kind)} from ${TABLES[kind]} where org_id = $1 and id = $2`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

/** For a download, whose signed link says whose it is. @returns null where there is no file. */
export async function findFinishedExport(db: Db, kind: ExportKind, id: string): Promise<ExportRow | null> {
  const { rows } = await db.query<ExportRow>(
    `select ${columnsOf(kind)} from ${TABLES[kind]} where id = $1 and status = 'completed' and expired_at is null`,
    [id],
  );
  return rows[0] ?? null;
}

export async function listExports(
  db: Db,
  kind: ExportKind,
  orgId: string,
  filter: { status?: ExportStatus | undefined },
  page: PageRequest,
): Promise<Page<ExportRow>> {
  const { rows } = await db.query<ExportRow>(
    `select ${columnsOf(kind)} from ${TABLES[kind]}
      where org_id = $1 and ($2::uuid is null or id < $2) and ($3::text is null or status = $3)
      order by id desc
      limit $4`,
    [orgId, page.beforeId, filter.status ?? null, page.limit + 1],
  );
  return pageOf(rows, page);
}

/** Until the transaction ends, nobody else counts or starts exports of the kind and organization. */
export async function lockExportCount(db: Db, kind: ExportKind, orgId: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended($1 || ':' || $2, 0))`, [TABLES[kind], orgId]);
}

export async function countOpenExports(db: Db, kind: ExportKind, orgId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) as count from ${TABLES[kind]} where org_id = $1 and status in ('queued', 'running')`,
    [orgId],
  );
  return rows[0]!.count;
}

/** @returns whether it was open. */
export async function markCancelled(
  db: Db,
  kind: ExportKind,
  orgId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${TABLES[kind]} set status = 'cancelled', finished_at = $3, lease_until = null
      where org_id = $1 and id = $2 and status in ('queued', 'running')`,
    [orgId, id, now],
  );
  return rowCount === 1;
}

/** Claims a due export, to be written from its beginning. @returns null where it is not due or another worker's. */
export async function claimExport(
  db: Db,
  kind: ExportKind,
  id: string,
  now: Date,
  leaseUntil: Date,
): Promise<ExportRow | null> {
  const { rows } = await db.query<ExportRow>(
    `update ${TABLES[kind]}
        set status = 'running', started_at = coalesce(started_at, $2), lease_until = $3, lease_epoch = lease_epoch + 1,
            attempts = attempts + 1, done = 0
      where id = $1 and status in ('queued', 'running') and due_at <= $2 and (lease_until is null or lease_until <= $2)
     returning ${columnsOf(kind)}`,
    [id, now, leaseUntil],
  );
  return rows[0] ?? null;
}

/** Stores how far it has come. @returns false where it was cancelled or is another worker's by now. */
export async function storeExportProgress(
  db: Db,
  { kind, id, lease_epoch: epoch }: ExportRow,
  { done, total }: { done: number; total: number | null },
  leaseUntil: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${TABLES[kind]} set done = $3, total = $4, lease_until = $5
      where id = $1 and lease_epoch = $2 and status = 'running'`,
    [id, epoch, done, total, leaseUntil],
  );
  return rowCount === 1;
}

/** A sign of life. One that comes late extends nothing that was given back. */
export async function extendExportLease(
  db: Db,
  { kind, id, lease_epoch: epoch }: ExportRow,
  leaseUntil: Date,
): Promise<void> {
  await db.query(
    `update ${TABLES[kind]} set lease_until = $3
      where id = $1 and lease_epoch = $2 and status = 'running' and lease_until is not null`,
    [id, epoch, leaseUntil],
  );
}

/** @returns whether it was still this worker's. */
export async function markExportCompleted(
  db: Db,
  { kind, id, lease_epoch: epoch }: ExportRow,
  file: { rows: number; bytes: number; sha256: string },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${TABLES[kind]}
        set status = 'completed', done = $3, total = $3, bytes = $4, sha256 = $5, finished_at = $6, lease_until = null
      where id = $1 and lease_epoch = $2 and status = 'running'`,
    [id, epoch, file.rows, file.bytes, file.sha256, now],
  );
  return rowCount === 1;
}

/** @returns whether it was still this worker's. */
export async function markExportFailed(
  db: Db,
  { kind, id, lease_epoch: epoch }: ExportRow,
  error: { code: string; message: string },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${TABLES[kind]} set status = 'failed', error = $3, finished_at = $4, lease_until = null
      where id = $1 and lease_epoch = $2 and status = 'running'`,
    [id, epoch, JSON.stringify(error), now],
  );
  return rowCount === 1;
}

/** Gives an export back, to be due again at `dueAt`. @param why what the attempt counts as; nothing where it was only broken off */
export async function releaseExport(
  db: Db,
  { kind, id, lease_epoch: epoch }: ExportRow,
  dueAt: Date,
  why: 'failed' | 'storage failed' | 'broken off',
): Promise<void> {
  await db.query(
    `update ${TABLES[kind]}
        set lease_until = null, due_at = $3, attempts = attempts - $4, storage_failures = storage_failures + $5
      where id = $1 and lease_epoch = $2 and status = 'running'`,
    [id, epoch, dueAt, why === 'failed' ? 0 : 1, why === 'storage failed' ? 1 : 0],
  );
}

export async function listDueExportIds(
  db: Db,
  kind: ExportKind,
  now: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from ${TABLES[kind]}
      where status in ('queued', 'running') and due_at <= $1 and (lease_until is null or lease_until <= $1)
      order by due_at
      limit $2`,
    [now, limit],
  );
  return rows.map((row) => row.id);
}

/**
 * Takes files of exports that finished long ago from their readers, and names those that were cancelled.
 * @param finishedBefore null for none but the cancelled ones
 * @returns whose files may still lie there.
 */
export async function expireExports(
  db: Db,
  kind: ExportKind,
  { finishedBefore, cancelledBefore }: { finishedBefore: Date | null; cancelledBefore: Date },
  now: Date,
  limit: number,
  except: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `update ${TABLES[kind]} set expired_at = coalesce(expired_at, $2)
      where id in (select id from ${TABLES[kind]}
                    where files_removed_at is null and id <> all ($4::uuid[])
                      and (finished_at < $1 or (status = 'cancelled' and finished_at < $5))
                    order by finished_at limit $3 for update skip locked)
     returning id`,
    [finishedBefore, now, limit, except, cancelledBefore],
  );
  return rows.map((row) => row.id);
}

export async function markFilesRemoved(db: Db, kind: ExportKind, id: string, now: Date): Promise<void> {
  await db.query(`update ${TABLES[kind]} set files_removed_at = $2 where id = $1`, [id, now]);
}

/** Until the end of the transaction. */
export async function limitStatements(db: Db, timeoutMs: number): Promise<void> {
  await db.query(`select set_config('statement_timeout', $1, true)`, [String(timeoutMs)]);
}
