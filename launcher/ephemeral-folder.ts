/** Throw-away folders for services without a future, and the removal of those that a crash left behind. */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { openLedger } from './ledger.ts';
import { type Account, canEnter } from './postgres-account.ts';
import { identify, isStillRunning, type ProcessIdentity } from './process-identity.ts';

const PREFIX = 'touchstone-ephemeral-';
const OWNER_FILE = 'owner.json';

/** Linux's folder in memory: creating and removing the thousand files of a database costs a tenth of what it does on a disk. */
const MEMORY = '/dev/shm';
/** Of memory and of the folder: a run of the tests takes 0.4 GB. */
const ROOM_BYTES = 2 * 2 ** 30;

/**
 * @param inMemory in memory where there is room.
 * @returns a new folder that `account` (when given) can pass through: in TMPDIR, else in /tmp.
 */
export function makeEphemeralFolder(account: Account | undefined, inMemory = false): string {
  const wanted = inMemory && hasRoom() ? MEMORY : tmpdir();
  const parent = account === undefined || canEnter(account, wanted) ? wanted : '/tmp';
  const folder = mkdtempSync(path.join(parent, PREFIX));
  if (account !== undefined) chmodSync(folder, 0o711);
  writeFileSync(path.join(folder, OWNER_FILE), JSON.stringify(identify(process.pid)), { mode: 0o600 });
  return folder;
}

/** Ends what runs in, and removes, each such folder of this user whose owner is gone (a run that was killed). */
export async function sweepEphemeralFolders(log: (line: string) => void): Promise<void> {
  for (const parent of new Set([tmpdir(), '/tmp', MEMORY])) {
    for (const name of entriesOf(parent).filter((entry) => entry.startsWith(PREFIX))) {
      const folder = path.join(parent, name);
      if (!isAbandoned(folder)) continue;
      await openLedger(path.join(folder, 'processes.json')).reap(5_000);
      rmSync(folder, { recursive: true, force: true });
      log(`removed ${folder}, left by a run that was killed`);
    }
  }
}

/** Not where a container has its usual 64 MB, nor where no program may run: the services' own may have to be copied there. */
function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, folder]) => folder === MEMORY);
    const [, , type, options] = mount ?? [];
    if (type !== 'tmpfs' || options!.split(',').includes('noexec')) return false;
    return Math.min(bavail * bsize, freemem()) >= ROOM_BYTES;
  } catch {
    // Another system than Linux.
    return false;
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Somebody else's folder, or one whose owner has not written its name yet, is left alone. */
function isAbandoned(folder: string): boolean {
  try {
    if (statSync(folder).uid !== process.getuid?.()) return false;
    return !isStillRunning(
      JSON.parse(readFileSync(path.join(folder, OWNER_FILE), 'utf8')) as ProcessIdentity,
    );
  } catch {
    return false;
  }
}
