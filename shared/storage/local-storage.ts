/** Artifacts as plain files, written beside their place and renamed into it. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import type { Storage } from './storage.ts';

export function createLocalStorage(folder: string): Storage {
  const pathOf = (key: string): string => {
    const path = normalize(join(folder, key));
    if (!path.startsWith(normalize(`${folder}/`))) throw new RangeError('a storage key leaves its folder');
    return path;
  };
  return {
    async put(key, source) {
      const path = pathOf(key);
      const temporary = `${path}.${randomUUID()}.part`;
      await mkdir(dirname(path), { recursive: true });
      const hash = createHash('sha256');
      let bytes = 0;
      // Opened first, so that what fails below finds the file to remove, however early it fails.
      const file = await open(temporary, 'wx', 0o640);
      try {
        try {
          for await (const chunk of source) {
            hash.update(chunk);
            bytes += chunk.length;
            await file.appendFile(chunk);
          }
          // On the disk before its row says so: a power cut must not leave a row without its file.
          await file.datasync();
        } finally {
          await file.close();
        }
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      return { bytes, sha256: hash.digest('hex') };
    },
    read: (key, range) => createReadStream(pathOf(key), range ?? {}),
    remove: (key) => rm(pathOf(key), { force: true }),
    removeAll: (prefix) => rm(pathOf(prefix), { force: true, recursive: true }),
  };
}
