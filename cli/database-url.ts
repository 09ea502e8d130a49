/** The database that a command is about. */
import { resolve } from 'node:path';
import { findRunningServices, type RunningServices } from '../launcher/running-services.ts';
import { givenValue, isPostgresUrl, NOT_POSTGRES } from '../shared/setting-values.ts';

export interface FoundDatabase {
  databaseUrl: string;
  /** Where the address comes from, for whoever has to mend it. */
  from: string;
  /** The `npm start` that runs on the data folder; null where `DATABASE_URL` is set. */
  start: { dataDir: string; running: RunningServices } | null;
}

/**
 * @returns `DATABASE_URL`, or the address of the running `npm start`'s
 * @throws Error where there is neither
 */
export function findDatabase(env: NodeJS.ProcessEnv = process.env): FoundDatabase {
  const databaseUrl = givenValue(env.DATABASE_URL);
  if (databaseUrl !== undefined) {
    if (!isPostgresUrl(databaseUrl)) throw new Error(`DATABASE_URL: ${NOT_POSTGRES}`);
    return { databaseUrl, from: 'DATABASE_URL', start: null };
  }
  const dataDir = resolve(givenValue(env.DATA_DIR) ?? '.data');
  const running = findRunningServices(dataDir);
  if (running === undefined)
    throw new Error(`nothing runs on ${dataDir}: start it with "npm start", or set DATABASE_URL`);
  return {
    databaseUrl: running.databaseUrl,
    from: `the database of ${dataDir}`,
    start: { dataDir, running },
  };
}
