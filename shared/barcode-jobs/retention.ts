/** Deletes what finished jobs made long ago and what cancelled ones left, and uploads of serials that broke off. The units stay. */
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import { removeEach } from '../storage/removal.ts';
import type { Storage } from '../storage/storage.ts';
import { expireArtifacts, forgetArtifacts } from './repository.ts';
import { deleteUpload, listStaleUploadIds } from './serial-repository.ts';

const DAY_MS = 86_400_000;
const AT_A_TIME = 100;

export interface RetentionDeps {
  db: Pool;
  clock: Clock;
  storage: Storage;
  /** 0 keeps artifacts of jobs that were not cancelled for ever. */
  retentionDays: number;
}

/**
 * First nothing of a job is given out any more, then its files go, then their rows: a crash in between is made good by
 * the next run, and nobody is ever sent to a file that is not there. A cancelled job's never were given out, and hold tokens:
 * they wait for no days.
 * @returns jobs whose files went. @throws Error at the end, where those of some did not: the next run tries them again
 */
export async function expireOldArtifacts({
  db,
  clock,
  storage,
  retentionDays,
}: RetentionDeps): Promise<number> {
  const finishedBefore =
    retentionDays === 0 ? null : new Date(clock.now().getTime() - retentionDays * DAY_MS);
  return removeEach(
    (limit, except) => expireArtifacts(db, finishedBefore, clock.now(), limit, except),
    async (id) => {
      await storage.removeAll(`jobs/${id}/`);
      await forgetArtifacts(db, id, clock.now());
    },
  );
}

/** @returns uploads that went: begun a day ago and never finished. */
export async function forgetBrokenUploads({
  db,
  clock,
}: Pick<RetentionDeps, 'db' | 'clock'>): Promise<number> {
  const ids = await listStaleUploadIds(db, new Date(clock.now().getTime() - DAY_MS), AT_A_TIME);
  for (const id of ids) await deleteUpload(db, id);
  return ids.length;
}
