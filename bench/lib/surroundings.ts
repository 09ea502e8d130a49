/**
 * What a benchmark has around it for as long as it runs: services of its own, folders, processes. Nothing of that outlives it, also
 * where it is interrupted or fails half-way: what was started is undone, the newest first.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServices, type Services } from '../../launcher/services.ts';

type Undo = () => Promise<void>;

const pending = new Set<Undo>();

/** @returns what takes the step, once: the benchmark itself when it is done with something, else whatever ends it. */
export function atEnd(step: () => unknown): Undo {
  let running: Promise<void> | undefined;
  const undo = () =>
    (running ??= (async () => {
      try {
        await step();
      } finally {
        pending.delete(undo);
      }
    })());
  pending.add(undo);
  return undo;
}

/** Undoes what is left, and what is started meanwhile. What cannot be undone is told, and keeps nothing else from it. */
export async function undoAll(): Promise<void> {
  for (let undo = newest(); undo !== undefined; undo = newest())
    await undo().catch((error: unknown) => console.error('left behind:', error));
}

const newest = (): Undo | undefined => [...pending].at(-1);

/** As a shell tells of Ctrl-C. */
const INTERRUPTED = 130;

/**
 * Undoes everything on a signal, and on a failure that nobody waits for.
 * @returns whether it does: of what fails meanwhile, because it is taken away, nothing is told
 */
export function undoWhenCutShort(exit: (code: number) => void): () => boolean {
  let isOver = false;
  const end = (code: number) => {
    if (isOver) return;
    isOver = true;
    void undoAll().finally(() => exit(code));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!isOver) console.error(`${signal}: what was started is being stopped`);
      end(INTERRUPTED);
    });
  for (const failure of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(failure, (error: unknown) => {
      if (!isOver) console.error(error);
      end(1);
    });
  return () => isOver;
}

/** By the end of its input and SIGTERM, whichever it heeds. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.stdin?.end();
  child.kill('SIGTERM');
  await gone;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Whatever the environment names: a benchmark fills its database, and empties tables of it, so it never gets somebody's.
 * @param dataDir of durable services; without it they are fast and forgetful
 */
export async function ownServices(
  log: (line: string) => void = () => undefined,
  dataDir?: string,
): Promise<Services> {
  const starting = startServices({
    dataDir: dataDir ?? '',
    ephemeral: dataDir === undefined,
    log,
    env: {},
  });
  // From the beginning: it takes seconds, and leaves nothing behind where it fails.
  const stop = atEnd(async () => (await starting.catch(() => null))?.stop());
  return { ...(await starting), stop };
}
