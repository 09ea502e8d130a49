/** What the maintenance worker does for exports. */
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import { removeEach } from '../storage/removal.ts';
import type { Storage } from '../storage/storage.ts';
import { EXPORT_KINDS, type ExportKind } from './kinds.ts';
import { expireExports, markFilesRemoved } from './repository.ts';
import { exportFolder } from './service.ts';

export { listDueExportIds as listNeglectedExportIds } from './repository.ts';

const DAY_MS = 86_400_000;
/** By then a worker that wrote a cancelled export has noticed, or is dead. */
const CANCELLED_MS = 3_600_000;

/**
 * Deletes the files of exports that finished long ago, and what a dead worker left of cancelled ones. First nothing of an export is given
 * out any more, then its files go: a crash in between is made good by the next run.
 * @param days 0 keeps those that were not cancelled for ever. @returns how many exports. @throws Error at the end, where files of some did not go: the next run
 *   tries them again
 */
export async function expireOldExports(
  { db, clock, storage }: { db: Pool; clock: Clock; storage: Storage },
  days: number,
): Promise<number> {
  const now = clock.now();
  const before = {
    finishedBefore: days === 0 ? null : new Date(now.getTime() - days * DAY_MS),
    cancelledBefore: new Date(now.getTime() - CANCELLED_MS),
  };
  const kinds = new Map<string, ExportKind>();
  return removeEach(
    async (limit, except) => {
      const found: string[] = [];
      for (const kind of EXPORT_KINDS) {
        if (found.length === limit) break;
        const ids = await expireExports(db, kind, before, now, limit - found.length, except);
        for (const id of ids) kinds.set(id, kind);
        found.push(...ids);
      }
      return found;
    },
    async (id) => {
      await storage.removeAll(exportFolder(id));
      await markFilesRemoved(db, kinds.get(id)!, id, now);
    },
  );
}
