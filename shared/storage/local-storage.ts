/** Artifacts as plain files, written beside their place and renamed into it. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, normalize } from 'node:path';
import { isNoSuchObject, type Storage } from './storage.ts';

const partOf = (path: string): string => `${path}.${randomUUID()}.part`;
const PART = /^\.[0-9a-f-]{36}\.part$/;

/** Where the object of a path is being written, or was when its process ended. */
async function partsOf(path: string): Promise<string[]> {
  const [folder, object] = [dirname(path), basename(path)];
  const names = await readdir(folder).catch((error: unknown) => {
    if (isNoSuchObject(error)) return [];
    throw error;
  });
  return names
    .filter((name) => name.startsWith(object) && PART.test(name.slice(object.length)))
    .map((name) => join(folder, name));
}

export function createLocalStorage(folder: string): Storage {
  const pathOf = (key: string): string => {
    const path = normalize(join(folder, key));
    if (!path.startsWith(normalize(`${folder}/`))) throw new RangeError('a storage key leaves its folder');
    return path;
  };
  return {
    async put(key, source) {
      const path = pathOf(key);
      const temporary = partOf(path);
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
    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      // What a process left that was killed while it wrote the object: nothing else would ever find it.
      for (const part of await partsOf(path)) await rm(part, { force: true });
    },
    removeAll: (prefix) => rm(pathOf(prefix), { force: true, recursive: true }),
  };
}
