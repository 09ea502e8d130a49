/** Throw-away folders for services without a future, and the removal of those that a crash left behind. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openLedger } from './ledger.ts';
import { type Account, canEnter } from './postgres-account.ts';
import { identify, isStillRunning, type ProcessIdentity } from './process-identity.ts';

const PREFIX = 'touchstone-ephemeral-';
const OWNER_FILE = 'owner.json';

/** @returns a new folder that `account` (when given) can pass through: in TMPDIR, else in /tmp. */
export function makeEphemeralFolder(account: Account | undefined): string {
  const parent = account === undefined || canEnter(account, tmpdir()) ? tmpdir() : '/tmp';
  const folder = mkdtempSync(path.join(parent, PREFIX));
  if (account !== undefined) chmodSync(folder, 0o711);
  writeFileSync(path.join(folder, OWNER_FILE), JSON.stringify(identify(process.pid)), { mode: 0o600 });
  return folder;
}

/** Ends what runs in, and removes, each such folder of this user whose owner is gone (a run that was killed). */
export async function sweepEphemeralFolders(log: (line: string) => void): Promise<void> {
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
      const folder = path.join(parent, name);
      if (!isAbandoned(folder)) continue;
      await openLedger(path.join(folder, 'processes.json')).reap(5_000);
      rmSync(folder, { recursive: true, force: true });
      log(`removed ${folder}, left by a run that was killed`);
    }
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
