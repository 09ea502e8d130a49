/** Finds processes that a run of the tests started and did not end. Linux only; elsewhere it finds nothing. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Leftover {
  pid: number;
  command: string;
}

/** Put into the environment before the first test: every descendant inherits it, also one that has lost its parent. */
export const RUN_MARKER = 'TOUCHSTONE_TEST_RUN';

/** @param marker this run's value of RUN_MARKER. @returns descendants and marked processes, but not this one. */
export function findLeftovers(marker: string): Leftover[] {
  const parents = new Map<number, number>();
  for (const entry of safely(() => readdirSync('/proc')) ?? []) {
    const stat = /^\d+$/.test(entry) ? safely(() => readFileSync(`/proc/${entry}/stat`, 'utf8')) : undefined;
    const [state, parent] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    if (state !== undefined && state !== 'Z') parents.set(Number(entry), Number(parent));
  }
  const descends = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (parents.get(pid) === process.pid || descends(parents.get(pid)));
  const isMarked = (pid: number) =>
    safely(() => readFileSync(`/proc/${pid}/environ`, 'utf8'))
      ?.split('\0')
      .includes(`${RUN_MARKER}=${marker}`);
  return (
    [...parents.keys()]
      .filter((pid) => pid !== process.pid && (descends(pid) || isMarked(pid)))
      .map((pid) => ({
        pid,
        command: (safely(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '')
          .replaceAll('\0', ' ')
          .trim(),
      }))
      // tsx keeps its compiler running for as long as the run lasts.
      .filter(({ command }) => command !== '' && !/\besbuild\b.*--service/.test(command))
  );
}

function safely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // The process ended meanwhile, belongs to somebody else, or there is no /proc.
    return undefined;
  }
}
