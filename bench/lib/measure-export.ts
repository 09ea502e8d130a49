/** How fast a worker writes an export, and in how much memory. */
import { createPool, withTransaction, type Pool, type UnitOfWork } from '../../shared/db.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ExportContent } from '../../shared/exports/content.ts';
import { getExport, type ExportRow } from '../../shared/exports/service.ts';
import { claim, writeExport } from '../../shared/exports/write.ts';
import { createLogger } from '../../shared/logger.ts';
import type { Waker } from '../../shared/queues.ts';
import { createLocalStorage } from '../../shared/storage/local-storage.ts';

export const benchPool = (databaseUrl: string): Pool =>
  createPool({ databaseUrl, max: 4, applicationName: 'bench', onError: () => undefined });

/**
 * @param folder where the file goes
 * @param start asks for the export
 */
export async function measureExport(
  db: Pool,
  folder: string,
  content: ExportContent,
  start: (deps: { clock: Clock; waker: Waker }, uow: UnitOfWork) => Promise<ExportRow>,
) {
  const clock = { now: () => new Date() };
  const waker = { writeExports: async () => undefined } as unknown as Waker;
  const log = createLogger('bench', 'warn');
  const deps = { db, clock, storage: createLocalStorage(folder), log, leaseSeconds: 60 };
  const { id, kind, org_id: orgId } = await withTransaction(db, (uow) => start({ clock, waker }, uow));
  const row = (await claim(deps, kind, id))!;
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  const started = performance.now();
  await writeExport(deps, content, row, new AbortController().signal);
  const seconds = (performance.now() - started) / 1000;
  clearInterval(watch);
  const { done, bytes } = await getExport(db, kind, orgId, id);
  return {
    rows: done,
    mb: Math.round(bytes! / 1024 / 1024),
    seconds: Math.round(seconds * 10) / 10,
    rowsPerSecond: Math.round(done / seconds),
    rssBeforeMb: Math.round(before / 1024 / 1024),
    rssPeakMb: Math.round(peak / 1024 / 1024),
  };
}
