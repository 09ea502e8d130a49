/**
 * Runs the Procfile's processes side by side, each line of their output behind their name.
 *
 * Not `concurrently`: it starts each command through a shell in the terminal's own process group, so that Ctrl-C
 * reaches a process twice (close-with-grace takes the second signal for impatience and drops its requests), and
 * nothing ends the children of a runner that is killed. See spawn-server.ts for what is done instead.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import type { ProcfileEntry } from './procfile.ts';
import { type Server, spawnServer } from './spawn-server.ts';

export interface ProcessesOptions {
  entries: ProcfileEntry[];
  env: NodeJS.ProcessEnv;
  /** Added to `env` for one process. */
  envOf?: (name: string) => NodeJS.ProcessEnv;
  /** Folder that the commands run in. */
  cwd: string;
  /** Gets each line of output, behind its process's name. */
  log: (line: string) => void;
  /** Lets the next start end what a `kill -9` of this one leaves. */
  ledger?: Ledger | undefined;
  /** Patience between SIGTERM and SIGKILL. */
  graceMs?: number;
}

export interface RunningProcesses {
  /** Process ids by name, for tests that kill one. */
  pids: Record<string, number>;
  /** Settles with words about the first process that ended without being asked to; all the others are stopped by then. */
  died: Promise<string>;
  /** SIGTERM to all, patience, SIGKILL; resolves when none is left. A second call waits for the first. */
  stop: () => Promise<void>;
}

const GRACE_MS = 15_000;

/** Starts every entry. @throws when one cannot be started; those before it are stopped again. */
export async function runProcesses(options: ProcessesOptions): Promise<RunningProcesses> {
  const graceMs = options.graceMs ?? GRACE_MS;
  const width = Math.max(0, ...options.entries.map(({ name }) => name.length));
  const servers: { name: string; server: Server; drained: Promise<unknown> }[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= Promise.all(
      servers.map(async ({ server, drained }) => {
        await server.stop(graceMs);
        await patiently(drained);
      }),
    ).then(() => undefined);
    return stopping;
  };

  let reportDeath: (how: string) => void;
  const died = new Promise<string>((resolve) => (reportDeath = resolve));
  try {
    for (const { name, command } of options.entries) {
      const started = await startOne(name, command, width, options);
      servers.push(started);
      void started.server.ended.then(async (how) => {
        if (stopping !== undefined) return;
        const words = `${name} ended unexpectedly (${how})`;
        options.log(`${words}: stopping all`);
        await stop();
        reportDeath(words);
      });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pids: Object.fromEntries(servers.map(({ name, server }) => [name, server.child.pid!])),
    died,
    stop,
  };
}

/**
 * Runs one entry to its end (the release phase).
 * @throws when it ends with anything but exit code 0.
 */
export async function runOnce(
  entry: ProcfileEntry,
  options: Omit<ProcessesOptions, 'entries'>,
): Promise<void> {
  const { server, drained } = await startOne(entry.name, entry.command, entry.name.length, options);
  const how = await server.ended;
  await patiently(drained);
  if (how !== 'exit code 0') throw new Error(`${entry.name} failed (${how})`);
}

async function startOne(
  name: string,
  command: string,
  width: number,
  options: Omit<ProcessesOptions, 'entries'>,
): Promise<{ name: string; server: Server; drained: Promise<unknown> }> {
  const server = await spawnServer({
    name,
    command: 'sh',
    // `exec`: the process takes the shell's place, so that a signal reaches it and not a shell in between.
    args: ['-c', `exec ${command}`],
    stopSignal: 'SIGTERM',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...options.env, ...options.envOf?.(name) },
    cwd: options.cwd,
    ledger: options.ledger,
  });
  const { stdout, stderr } = server.child;
  const prefix = `${name.padEnd(width)} | `;
  const drained = Promise.all(
    [stdout, stderr].map((stream) => forward(stream, (line) => options.log(prefix + line))),
  );
  return { name, server, drained };
}

/** Whole lines only, so that those of different processes never mix. */
async function forward(stream: Readable | null, log: (line: string) => void): Promise<void> {
  if (stream === null) return;
  const lines = createInterface({ input: stream, crlfDelay: Infinity });
  lines.on('line', log);
  await once(lines, 'close');
}

/** The last lines arrive after the end; a descendant that fled its group may hold the pipe open for ever. */
const patiently = (drained: Promise<unknown>) => Promise.race([drained, sleep(500)]);
