/** Finds processes that a run of the tests or of the demo started and did not end. Linux only; elsewhere it finds nothing. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Leftover {
  pid: number;
  command: string;
}

/** Put into the environment before the first child: every descendant inherits it, also one that has lost its parent. */
export const RUN_MARKER = 'TOUCHSTONE_RUN';

/** @param marker this run's value of RUN_MARKER. @returns descendants and marked processes, but not this one. */
export function findLeftovers(marker: string): Leftover[] {
  const parents = listParents();
  const descends = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (parents.get(pid) === process.pid || descends(parents.get(pid)));
  return (
    describeAll([...parents.keys()].filter((pid) => descends(pid) || isMarked(pid, marker)))
      // tsx keeps its compiler running for as long as the run lasts.
      .filter(({ command }) => !/\besbuild\b.*--service/.test(command))
  );
}

/** @returns every process but this one whose environment holds RUN_MARKER with a value that begins with `marker`. */
export function findMarked(marker: string): Leftover[] {
  return describeAll([...listParents().keys()].filter((pid) => isMarked(pid, marker)));
}

/** Parent by process id, zombies aside. */
function listParents(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const entry of safely(() => readdirSync('/proc')) ?? []) {
    const stat = /^\d+$/.test(entry) ? safely(() => readFileSync(`/proc/${entry}/stat`, 'utf8')) : undefined;
    const [state, parent] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    if (state !== undefined && state !== 'Z' && Number(entry) !== process.pid) {
      parents.set(Number(entry), Number(parent));
    }
  }
  return parents;
}

function isMarked(pid: number, marker: string): boolean {
  const environment = safely(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? '';
  // A test that tells its own processes apart appends to the run's marker.
  return environment.split('\0').some((entry) => entry.startsWith(`${RUN_MARKER}=${marker}`));
}

function describeAll(pids: number[]): Leftover[] {
  const commandOf = (pid: number) => safely(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '';
  return pids
    .map((pid) => ({ pid, command: commandOf(pid).replaceAll('\0', ' ').trim() }))
    .filter(({ command }) => command !== '');
}

function safely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // The process ended meanwhile, belongs to somebody else, or there is no /proc.
    return undefined;
  }
}
