/** Has the system's package manager bring a program that is missing, and says so. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';

/** What the search may look at and do; the system itself by default. */
export interface Machine {
  /** Absolute path of a program on the PATH, or undefined. */
  find(program: string): string | undefined;
  isDebian(): boolean;
  isRoot(): boolean;
  /** Runs a command to its end, quietly; `ok` is exit code 0. */
  run(command: string[]): { ok: boolean; output: string };
}

export interface Wanted {
  /** As people call it. */
  name: string;
  /** Of Debian. */
  package: string;
  /** Where it is once it is there. */
  find(machine: Machine): string | undefined;
  /** What else one may do, as the end of "…, or set X". */
  otherwise: string;
  /** What to install where there is no apt. */
  elsewhere: string;
}

/**
 * @param log hears of an installation before it starts.
 * @returns the absolute path of the program, and whether it was installed just now.
 * @throws with the exact line to type when there is none and it may not or cannot be installed.
 */
export function findOrInstall(
  wanted: Wanted,
  log: (line: string) => void,
  machine: Machine = thisMachine(),
): { program: string; isNew: boolean } {
  const found = wanted.find(machine);
  if (found !== undefined) return { program: found, isNew: false };

  const sudo = sudoOn(machine);
  const mayInstall =
    machine.isDebian() &&
    machine.find('apt-get') !== undefined &&
    (machine.isRoot() || machine.run(['sudo', '-n', 'true']).ok);
  if (!mayInstall) throw new Error(`${wanted.name} is missing. ${advice(wanted, machine)}`);

  log(`${wanted.name} is missing: installing it with "${[...sudo, ...installing(wanted)].join(' ')}"`);
  const outcome = install(wanted, machine);
  const installed = wanted.find(machine);
  if (installed === undefined)
    throw new Error(`${wanted.name} could not be installed. ${advice(wanted, machine)}\n${outcome}`);
  log(`installed ${installed}`);
  return { program: installed, isNew: true };
}

/** What goes before a command that only root may run. */
export const sudoOn = (machine: Machine): string[] => (machine.isRoot() ? [] : ['sudo', '-n']);

const LOCK_SECONDS = 120;

const installing = (wanted: Wanted): string[] => ['apt-get', 'install', '-y', wanted.package];

function advice(wanted: Wanted, machine: Machine): string {
  if (!machine.isDebian()) return `Install ${wanted.elsewhere}, or set ${wanted.otherwise}.`;
  return `Type:  ${machine.isRoot() ? '' : 'sudo '}${installing(wanted).join(' ')}\nor set ${wanted.otherwise}.`;
}

/** @returns what apt said when it failed. */
function install(wanted: Wanted, machine: Machine): string {
  const sudo = sudoOn(machine);
  // RUNLEVEL=1 keeps a package from starting its own server under sysvinit; see stopPackagedService of Redis.
  const settings = ['DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'];
  const [aptGet = '', ...words] = installing(wanted);
  // Another start, or the machine's own upgrade, may be at it: wait for its lock instead of giving up at once.
  const patience = ['-o', `DPkg::Lock::Timeout=${LOCK_SECONDS}`];
  const command = [...sudo, 'env', ...settings, aptGet, ...patience, ...words];
  if (machine.run(command).ok) return '';
  // A fresh image has no package lists yet, an old one stale ones.
  machine.run([...sudo, 'apt-get', 'update']);
  const again = machine.run(command);
  return again.ok ? '' : again.output.trimEnd().split('\n').slice(-15).join('\n');
}

export function thisMachine(): Machine {
  return {
    find: findProgram,
    isDebian: () => {
      try {
        return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'));
      } catch {
        return false;
      }
    },
    isRoot: () => process.getuid?.() === 0,
    run([command = '', ...args]) {
      const { status, stdout, stderr } = spawnSync(command, args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}` };
    },
  };
}

/** The sbin folders as well: an ordinary user's PATH on Debian lacks them. */
function findProgram(program: string): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    '/usr/local/sbin',
    '/usr/sbin',
    '/sbin',
  ];
  for (const folder of folders.filter(Boolean)) {
    const file = path.join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not here: look in the next folder.
    }
  }
  return undefined;
}
