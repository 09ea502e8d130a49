/** Finds a Redis server program on this machine, or has the system's package manager bring one. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';

const INSTALL = ['apt-get', 'install', '-y', 'redis-server'];

/** What the search may look at and do; the system itself by default. */
export interface Machine {
  /** Absolute path of a program on the PATH, or undefined. */
  find(program: string): string | undefined;
  isDebian(): boolean;
  isRoot(): boolean;
  /** Runs a command to its end, quietly; `ok` is exit code 0. */
  run(command: string[]): { ok: boolean; output: string };
}

/**
 * @param log hears of an installation before it starts.
 * @returns the absolute path of `redis-server` or `valkey-server`.
 * @throws with the exact line to type when there is none and it may not or cannot be installed.
 */
export function redisProgram(log: (line: string) => void, machine: Machine = thisMachine()): string {
  const found = machine.find('redis-server') ?? machine.find('valkey-server');
  if (found !== undefined) return found;

  const sudo = machine.isRoot() ? [] : ['sudo', '-n'];
  const mayInstall =
    machine.isDebian() &&
    machine.find('apt-get') !== undefined &&
    (machine.isRoot() || machine.run(['sudo', '-n', 'true']).ok);
  if (!mayInstall) throw new Error(`Redis is missing. ${advice(machine)}`);

  log(`Redis is missing: installing it with "${[...sudo, ...INSTALL].join(' ')}"`);
  const outcome = install(sudo, machine);
  const installed = machine.find('redis-server');
  if (installed === undefined)
    throw new Error(`Redis could not be installed. ${advice(machine)}\n${outcome}`);
  stopPackagedService(sudo, machine);
  log(`installed ${installed}`);
  return installed;
}

function advice(machine: Machine): string {
  if (!machine.isDebian()) return 'Install redis-server or valkey-server (7 or later), or set REDIS_URL.';
  return `Type:  ${machine.isRoot() ? '' : 'sudo '}${INSTALL.join(' ')}\nor set REDIS_URL to a server of your own.`;
}

/** @returns what apt said when it failed. */
function install(sudo: string[], machine: Machine): string {
  // RUNLEVEL=1 keeps the package from starting its own server under sysvinit; see stopPackagedService.
  const command = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', ...INSTALL];
  if (machine.run(command).ok) return '';
  // A fresh image has no package lists yet, an old one stale ones.
  machine.run([...sudo, 'apt-get', 'update']);
  const again = machine.run(command);
  return again.ok ? '' : again.output.trimEnd().split('\n').slice(-15).join('\n');
}

/**
 * systemd starts the packaged server whatever the runlevel says. It came with our installation a moment ago (no
 * redis-server was on this machine), so nobody else relies on it.
 */
function stopPackagedService(sudo: string[], machine: Machine): void {
  if (machine.find('systemctl') !== undefined && machine.run(['systemctl', 'is-active', 'redis-server']).ok) {
    machine.run([...sudo, 'systemctl', 'disable', '--now', 'redis-server']);
  } else if (machine.run(['test', '-e', '/run/redis/redis-server.pid']).ok) {
    machine.run([...sudo, 'service', 'redis-server', 'stop']);
  }
}

function thisMachine(): Machine {
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
