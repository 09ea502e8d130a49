/** What the maintenance worker does for exports. */
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import type { Storage } from '../storage/storage.ts';
import { expireExports } from './repository.ts';
import { exportFolder } from './service.ts';

export { listDueExportIds as listNeglectedExportIds } from './repository.ts';

const DAY_MS = 86_400_000;
const AT_A_TIME = 100;

/**
 * Deletes the files of exports that finished long ago, or that were cancelled in the middle.
 * @param days 0 keeps them for ever. @returns how many exports.
 */
export async function expireOldExports(
  { db, clock, storage }: { db: Pool; clock: Clock; storage: Storage },
  days: number,
): Promise<number> {
  if (days === 0) return 0;
  const now = clock.now();
  for (let expired = 0; ;) {
    const ids = await expireExports(db, new Date(now.getTime() - days * DAY_MS), now, AT_A_TIME);
    for (const id of ids) await storage.removeAll(exportFolder(id));
    expired += ids.length;
    if (ids.length < AT_A_TIME) return expired;
  }
}
