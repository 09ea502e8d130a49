/**
 * Brings up the two services that everything else needs. An address in the environment is used as it is and
 * its server never touched; otherwise a private instance runs on a free port for as long as the caller wants.
 */
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makeEphemeralFolder, sweepEphemeralFolders } from './ephemeral-folder.ts';
import { openLedger } from './ledger.ts';
import { acquireLock } from './lock.ts';
import { letThrough, startPostgres } from './postgres.ts';
import { postgresAccount } from './postgres-account.ts';
import { startRedis } from './redis.ts';
import { announceServices, withdrawServices } from './running-services.ts';
import { givenValue } from '../shared/setting-values.ts';

export interface ServicesOptions {
  /** Where the data lives between starts; created when missing. Not touched when `ephemeral`. */
  dataDir: string;
  /** Fast and forgetful, in a temporary folder that `stop` removes. */
  ephemeral?: boolean;
  /** With `ephemeral`: in memory where there is room. Not for measurements, and for no more data than the tests have. */
  inMemory?: boolean;
  /** Hears, a line at a time, what a person should know (an installation, a folder placed elsewhere). */
  log: (line: string) => void;
  /** Read for DATABASE_URL, REDIS_URL and API_KEY_PEPPER; an empty value counts as absent. */
  env: NodeJS.ProcessEnv;
}

export interface Services {
  databaseUrl: string;
  redisUrl: string;
  /** Stops what was started, newest first; a second call waits for the first. */
  stop: () => Promise<void>;
}

/**
 * @throws AlreadyRunningError when another launcher holds `dataDir`; Error with advice when a service cannot be
 *   had. Whatever was started before is stopped again first.
 */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const undo: (() => void | Promise<void>)[] = [];
  const stop = once(async () => {
    const errors: unknown[] = [];
    for (const step of undo.toReversed()) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'the services did not stop cleanly');
  });
  try {
    const ephemeral = options.ephemeral ?? false;
    const folder = ephemeral ? await openEphemeral(options, undo) : openDataDir(options, undo);
    const ledger = openLedger(path.join(folder, 'processes.json'));
    for (const name of await ledger.reap(10_000))
      options.log(`ended ${name}, left by a launcher that was killed`);

    const own = { dataDir: folder, ephemeral, ledger, log: options.log };
    // Redis first: its absence is the likelier reason to give up, and it is up in a moment.
    const redis = given(options.env['REDIS_URL']) ?? (await startRedis(own));
    undo.push(redis.stop);
    const postgres = given(options.env['DATABASE_URL']) ?? (await startPostgres(own));
    undo.push(postgres.stop);

    const urls = { databaseUrl: postgres.url, redisUrl: redis.url };
    if (!ephemeral) {
      const isPepperGiven = givenValue(options.env['API_KEY_PEPPER']) !== undefined;
      announceServices(folder, { ...urls, isPepperGiven });
      undo.push(() => withdrawServices(folder));
    }
    return { ...urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function given(url: string | undefined): { url: string; stop: () => Promise<void> } | undefined {
  return url === undefined || url === '' ? undefined : { url, stop: () => Promise.resolve() };
}

function openDataDir(options: ServicesOptions, undo: (() => void)[]): string {
  const created = mkdirSync(options.dataDir, { recursive: true, mode: 0o700 }) !== undefined;
  const folder = realpathSync(options.dataDir);
  if (created) letThrough(folder);
  undo.push(acquireLock(folder));
  return folder;
}

async function openEphemeral(options: ServicesOptions, undo: (() => void)[]): Promise<string> {
  await sweepEphemeralFolders(options.log);
  // With a database of the caller's there is nobody else to let in.
  const account = given(options.env['DATABASE_URL']) ? undefined : postgresAccount(options.log);
  const folder = makeEphemeralFolder(account, options.inMemory);
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= action());
}
