/** Whether the storage can be used, asked when a process starts: the first to notice would be a job hours later. */
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import type { Storage } from './storage.ts';

const WRITTEN = 'written by Touchstone to see whether it can';

/**
 * Writes an object, reads it and removes it, and says in the log where one of them fails. Never rejects: a storage that is away
 * for a moment must keep nobody from starting.
 */
export async function probeStorage({
  storage,
  config,
  log,
}: {
  storage: Storage;
  config: Pick<Config, 'S3_BUCKET'>;
  log: Logger;
}): Promise<void> {
  const folder = `probes/${randomUUID()}/`;
  try {
    await storage.put(`${folder}object`, [Buffer.from(WRITTEN)]);
    const read = (await buffer(storage.read(`${folder}object`))).toString();
    await storage.removeAll(folder);
    if (read !== WRITTEN) throw new Error('the storage gave back other bytes than it was given');
  } catch (err) {
    const settings = config.S3_BUCKET === undefined ? 'STORAGE_DIR' : 'S3_BUCKET and the other S3_ settings';
    log.error({ err }, `the storage cannot be used, see ${settings}: jobs, exports and photos will fail`);
  }
}
