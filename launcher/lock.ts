/** One launcher per data folder: a lock file that names its owner and dies with it. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identify, isStillRunning, type ProcessIdentity } from './process-identity.ts';

/** Another launcher holds the data folder. */
export class AlreadyRunningError extends Error {
  override name = 'AlreadyRunningError';
}

/**
 * Takes the lock of a data folder; a lock whose owner is gone (kill -9, power cut) is taken over.
 * @returns a function that gives the lock back.
 * @throws AlreadyRunningError when its owner runs.
 */
export function acquireLock(dataDir: string): () => void {
  const file = path.join(dataDir, 'launcher.lock');
  const self = identify(process.pid);
  if (self === undefined) throw new Error('cannot read the start time of this process');
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, JSON.stringify(self), { mode: 0o600 });
  try {
    for (;;) {
      // A hard link appears with its content or not at all, and never replaces another's.
      if (tryLink(mine, file)) return () => release(file, self);
      const owner = readOwner(file);
      if (owner === undefined) continue;
      if (isStillRunning(owner)) {
        throw new AlreadyRunningError(
          `already running on ${dataDir} (process ${owner.pid}): stop it first, or set DATA_DIR to another folder`,
        );
      }
      setStaleAside(file, owner);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** @returns the owner; undefined when the file went away meanwhile. A file without sense names nobody. */
function readOwner(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return { pid: 0, startedAt: 'unreadable' };
  }
}

/** Two starts may judge the same lock stale at once: only the one that still finds it so removes it. */
function setStaleAside(file: string, stale: ProcessIdentity): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = readOwner(aside);
  if (taken !== undefined && taken.startedAt !== stale.startedAt) tryLink(aside, file);
  rmSync(aside, { force: true });
}

function release(file: string, self: ProcessIdentity): void {
  if (readOwner(file)?.startedAt === self.startedAt) rmSync(file, { force: true });
}
