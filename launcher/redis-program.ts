/** Finds a Redis server program on this machine, or has the system's package manager bring one. */
import { findOrInstall, sudoOn, thisMachine, type Machine, type Wanted } from './system-package.ts';

const REDIS: Wanted = {
  name: 'Redis',
  package: 'redis-server',
  find: (machine) => machine.find('redis-server') ?? machine.find('valkey-server'),
  otherwise: 'REDIS_URL to a server of your own',
  elsewhere: 'redis-server or valkey-server (7 or later)',
};

/**
 * @param log hears of an installation before it starts.
 * @returns the absolute path of `redis-server` or `valkey-server`.
 * @throws with the exact line to type when there is none and it may not or cannot be installed.
 */
export function redisProgram(log: (line: string) => void, machine: Machine = thisMachine()): string {
  const { program, isNew } = findOrInstall(REDIS, log, machine);
  if (isNew) stopPackagedService(machine);
  return program;
}

/**
 * systemd starts the packaged server whatever the runlevel says. It came with our installation a moment ago (no
 * redis-server was on this machine), so nobody else relies on it.
 */
function stopPackagedService(machine: Machine): void {
  const sudo = sudoOn(machine);
  if (machine.find('systemctl') !== undefined && machine.run(['systemctl', 'is-active', 'redis-server']).ok) {
    machine.run([...sudo, 'systemctl', 'disable', '--now', 'redis-server']);
  } else if (machine.run(['test', '-e', '/run/redis/redis-server.pid']).ok) {
    machine.run([...sudo, 'service', 'redis-server', 'stop']);
  }
}
