/**
 * Postgres refuses to run as root. When the launcher is root, the server runs as the system's user `postgres`,
 * and both its programs and its data must be where that user can go.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';

export interface Account {
  uid: number;
  gid: number;
}

/**
 * @returns the account that Postgres runs as, or undefined for "whoever runs the launcher".
 * @throws when the launcher is root and the user can be neither found nor created.
 */
export function postgresAccount(log: (line: string) => void): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = lookUp();
  if (found !== undefined) return found;
  log('creating the system user "postgres", as Postgres will not run as root');
  const made = spawnSync(
    'useradd',
    [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ],
    { encoding: 'utf8' },
  );
  const created = lookUp();
  if (created !== undefined) return created;
  throw new Error(
    `Postgres will not run as root, and the user "postgres" could not be created: ${made.stderr ?? made.error?.message}. ` +
      'Run as an ordinary user, or set DATABASE_URL.',
  );
}

/** Whether that account can enter the folder, or its nearest parent that exists. Asked of the kernel itself. */
export function canEnter(account: Account, folder: string): boolean {
  let existing = path.resolve(folder);
  while (!existsSync(existing)) existing = path.dirname(existing);
  return spawnSync('test', ['-x', existing], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}

/**
 * A folder that any account can pass through and only root can write to, for what cannot stay in a private
 * home: `/var/lib/touchstone`, or the same below `/var/tmp` where /var/lib is read-only.
 * @throws when neither can be had.
 */
export function publicRoot(): string {
  for (const parent of ['/var/lib', '/var/tmp']) {
    const folder = path.join(parent, 'touchstone');
    try {
      mkdirSync(folder, { mode: 0o755 });
      chmodSync(folder, 0o755);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') continue;
    }
    // /var/tmp is open to all: a folder that somebody else put there is not ours.
    const found = lstatSync(folder);
    if (found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0) return folder;
  }
  throw new Error('no place for the data of Postgres outside the private home: set DATABASE_URL or DATA_DIR');
}

/** A name that stays the same for a data folder: its last two words, for people, and a digest, for certainty. */
export function stableName(dataDir: string): string {
  const words = dataDir.split(path.sep).filter(Boolean).slice(-2).join('-');
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  return `${words.replaceAll(/[^A-Za-z0-9-]/g, '')}-${digest}`;
}

/**
 * Copies the programs (60 MB, 0.1 s) below `parent`, once: a copy that is already there is taken.
 * @returns the copy's folder.
 */
export function copyPrograms(native: string, parent: string, version: string): string {
  const target = path.join(parent, `postgresql-${version}`);
  if (existsSync(target)) return target;
  const partial = mkdtempSync(path.join(parent, 'copying-'));
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
  chmodSync(partial, 0o755);
  try {
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    // Another start was faster.
    if (!existsSync(target)) throw error;
  }
  return target;
}

function lookUp(): Account | undefined {
  const id = (flag: string) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
  const [uid, gid] = [id('-u'), id('-g')];
  return uid.status === 0 && gid.status === 0
    ? { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    : undefined;
}
