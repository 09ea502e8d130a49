/**
 * A process id alone is reused by the system; together with the moment at which the process started it
 * names one process for good. Whoever ends a process by a recorded id checks this first.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  pid: number;
  /** Opaque: boot id and start tick on Linux, `ps`'s start time elsewhere. */
  startedAt: string;
}

/** @returns who runs under `pid` now, or undefined when nobody does (a zombie counts as nobody). */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startOnLinux(pid) : startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** @returns whether the very process that was recorded still runs. */
export function isStillRunning(recorded: ProcessIdentity): boolean {
  return identify(recorded.pid)?.startedAt === recorded.startedAt;
}

/** Sends `signal` to the recorded process, unless it is gone or its id belongs to another one by now. */
export function signalProcess(recorded: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isStillRunning(recorded)) return;
  try {
    process.kill(recorded.pid, signal);
  } catch (error) {
    // It ended between the check and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${bootId}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

function startFromPs(pid: number): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() === '' ? undefined : stdout.trim();
}
