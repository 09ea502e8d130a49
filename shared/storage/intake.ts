/**
 * Files of an upload lie in the storage before the row that owns them is committed. They are announced first, so that
 * what a failed request leaves behind is found and removed. So is a file that its row gives up: no file is without a row that names it.
 */
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { deleteIntake, hasIntake, insertIntake, listStaleIntake } from './intake-repository.ts';
import type { Logger } from '../logger.ts';
import { removeEach } from './removal.ts';
import type { Storage } from './storage.ts';

/** No request and no transaction lasts this long. */
const STALE_MS = 3_600_000;

/** Before the first file. @param prefix of all files of this upload; ends with `/` */
export const announceFiles = (db: Db, prefix: string, now: Date): Promise<void> =>
  insertIntake(db, prefix, now);

/** In the transaction that writes the row which owns the files from now on. */
export const adoptFiles = (db: Db, prefix: string): Promise<void> => deleteIntake(db, prefix);

/**
 * Removes at once what a request announced and did not adopt; does nothing to what was adopted. Only when the request's
 * transaction is over: nobody may adopt it any more. What cannot be removed now is logged, and left to {@link removeStrayFiles}.
 */
export async function discardFiles(
  { db, storage, log }: { db: Db; storage: Storage; log: Logger },
  prefix: string,
): Promise<void> {
  try {
    if (!(await hasIntake(db, prefix))) return;
    await storage.removeAll(prefix);
    await deleteIntake(db, prefix);
  } catch (error) {
    log.warn({ err: error, prefix }, 'files of a refused upload are left to maintenance');
  }
}

/**
 * In the transaction that takes the file's name from the row which owned it; {@link removeDisowned} follows the commit.
 * @param key of a file, or the prefix of several
 */
export const disownFile = (db: Db, key: string, now: Date): Promise<void> => insertIntake(db, key, now);

/** Where this fails, {@link removeStrayFiles} makes it good. @param key that was disowned */
export async function removeDisowned(
  { db, storage }: { db: Db; storage: Storage },
  key: string,
): Promise<void> {
  await removeFiles(storage, key);
  await deleteIntake(db, key);
}

/** @param key of a file, or the prefix of several */
export const removeFiles = (storage: Storage, key: string): Promise<void> =>
  key.endsWith('/') ? storage.removeAll(key) : storage.remove(key);

/** Removes what was announced and never adopted, or disowned and not removed. @returns how many uploads and files. @throws Error at the end, where some were not removed */
export async function removeStrayFiles({
  db,
  clock,
  storage,
}: {
  db: Db;
  clock: Clock;
  storage: Storage;
}): Promise<number> {
  const before = new Date(clock.now().getTime() - STALE_MS);
  return removeEach(
    (limit, except) => listStaleIntake(db, before, limit, except),
    (key) => removeDisowned({ db, storage }, key),
  );
}
