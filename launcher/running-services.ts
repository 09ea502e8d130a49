/** `services.json` in a data folder: how a command finds the stack that runs on it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identify, isStillRunning, type ProcessIdentity } from './process-identity.ts';

/** What a start tells the commands. */
export interface AnnouncedServices {
  databaseUrl: string;
  redisUrl: string;
  /** Whether `API_KEY_PEPPER` was in its environment: then it is nowhere in the folder. */
  isPepperGiven: boolean;
}

export type RunningServices = AnnouncedServices & ProcessIdentity;

const fileOf = (dataDir: string) => path.join(dataDir, 'services.json');

/** Mode 600: the addresses hold passwords. */
export function announceServices(dataDir: string, services: AnnouncedServices): void {
  const self = identify(process.pid);
  if (self === undefined) throw new Error('cannot read the start time of this process');
  rmSync(fileOf(dataDir), { force: true });
  writeFileSync(fileOf(dataDir), JSON.stringify({ ...services, ...self }, null, 2), { mode: 0o600 });
}

export function withdrawServices(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** @returns the stack that runs on this data folder; undefined when none does, also after a kill -9. */
export function findRunningServices(dataDir: string): RunningServices | undefined {
  let found: RunningServices;
  try {
    found = JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as RunningServices;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${fileOf(dataDir)} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  return isStillRunning(found) ? found : undefined;
}
