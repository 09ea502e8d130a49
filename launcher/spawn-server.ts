/**
 * Starts one long-lived child so that it cannot outlive the launcher.
 *
 * Each child leads its own session: Ctrl-C in a terminal reaches the launcher alone, which then stops its
 * children in order (a database that got the same Ctrl-C would be gone before the workers have finished),
 * and a signal to the group reaches whatever the child started itself. Where util-linux's `setpriv` exists
 * (every Debian), the kernel sends the stop signal when the launcher dies by whatever cause, kill -9 included;
 * elsewhere the ledger lets the next start clean up.
 */
import { type ChildProcess, spawn, spawnSync, type StdioOptions } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';

export interface ServerOptions {
  name: string;
  command: string;
  args: string[];
  /** What asks it to end, from the launcher and from the kernel alike. */
  stopSignal: NodeJS.Signals;
  stdio: StdioOptions;
  env: NodeJS.ProcessEnv;
  cwd?: string | undefined;
  /** Whom to run it as; needs root. */
  user?: { uid: number; gid: number } | undefined;
  ledger?: Ledger | undefined;
}

export interface Server {
  child: ChildProcess;
  /** Settles when it has ended, with words for a log: `exit code 1`, `signal SIGKILL`. Never rejects. */
  ended: Promise<string>;
  hasEnded(): boolean;
  /** Stop signal, `graceMs` of patience, then SIGKILL to its whole group. May be called twice. */
  stop(graceMs: number): Promise<void>;
}

/** @throws when nothing could be started; a program that ends at once is seen by `ended`. */
export async function spawnServer(options: ServerOptions): Promise<Server> {
  const tied = tiesToParent()
    ? {
        command: 'setpriv',
        args: ['--pdeathsig', options.stopSignal.replace('SIG', ''), '--', options.command],
      }
    : { command: options.command, args: [] };
  const child = spawn(tied.command, [...tied.args, ...options.args], {
    stdio: options.stdio,
    env: options.env,
    cwd: options.cwd,
    detached: true,
    ...options.user,
  });
  let over = false;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      over = true;
      if (child.pid !== undefined) options.ledger?.remove(child.pid);
      resolve(how);
    };
    child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`));
    child.once('error', (error) => {
      if (child.pid === undefined) end(error.message);
    });
  });
  if (child.pid === undefined) throw new Error(`cannot start ${options.name}: ${await ended}`);
  options.ledger?.add(options.name, child.pid, options.stopSignal);

  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  return {
    child,
    ended,
    hasEnded: () => over,
    async stop(graceMs) {
      if (!over) child.kill(options.stopSignal);
      const patience = new AbortController();
      await Promise.race([
        ended,
        sleep(graceMs, undefined, { signal: patience.signal }).catch(() => undefined),
      ]);
      patience.abort();
      // Also after a clean end: what the child started and forgot is in its group still.
      signalGroup('SIGKILL');
      await ended;
    },
  };
}

let knownTie: boolean | undefined;

function tiesToParent(): boolean {
  knownTie ??=
    process.platform === 'linux' &&
    spawnSync('setpriv', ['--pdeathsig', 'TERM', '--', 'true'], { stdio: 'ignore' }).status === 0;
  return knownTie;
}
