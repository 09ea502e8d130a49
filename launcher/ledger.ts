/**
 * The list of processes that a launcher started, on disk, so that the next start can end those that a
 * `kill -9` of the launcher left behind. A process is ended only when its start time proves it to be the
 * recorded one.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isStillRunning, type ProcessIdentity, signalProcess } from './process-identity.ts';

interface Entry extends ProcessIdentity {
  name: string;
  stopSignal: NodeJS.Signals;
}

export interface Ledger {
  /** Notes a process just started. Synchronous, to leave hardly a window for a crash. */
  add(name: string, pid: number, stopSignal: NodeJS.Signals): void;
  remove(pid: number): void;
  /**
   * Ends every recorded process that still runs: its stop signal, then SIGKILL after `graceMs`.
   * @returns the names of those that it had to end.
   */
  reap(graceMs: number): Promise<string[]>;
}

/**
 * @param file where the list is kept; its folder must exist. Absent or unreadable counts as empty. It is read anew
 *   for every change, so that the services and the processes of one launcher can share it.
 */
export function openLedger(file: string): Ledger {
  const write = (entries: Entry[]) => {
    if (entries.length === 0) rmSync(file, { force: true });
    else writeFileSync(file, JSON.stringify(entries, null, 2), { mode: 0o600 });
  };
  return {
    add(name, pid, stopSignal) {
      const identity = identify(pid);
      if (identity !== undefined) write([...read(file), { name, stopSignal, ...identity }]);
    },
    remove(pid) {
      write(read(file).filter((entry) => entry.pid !== pid));
    },
    async reap(graceMs) {
      const left = read(file).filter(isStillRunning);
      for (const entry of left) signalProcess(entry, entry.stopSignal);
      const deadline = Date.now() + graceMs;
      while (left.some(isStillRunning) && Date.now() < deadline) await sleep(25);
      for (const entry of left) signalProcess(entry, 'SIGKILL');
      while (left.some(isStillRunning)) await sleep(25);
      write([]);
      return left.map((entry) => entry.name);
    },
  };
}

function read(file: string): Entry[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Entry[];
  } catch {
    return [];
  }
}
