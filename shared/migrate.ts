/**
 * Brings a database's schema up to date. Migrations are recorded by name without extension: they run as `.ts`
 * in development and as `.js` in `dist/`, and knex would take those for different ones.
 */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import knex, { type Knex } from 'knex';
import { Client } from 'pg';
import { createIndexes, dropIndexes, type Briefly, type NewIndex } from './new-index.ts';
import {
  inOneTransaction,
  PATIENCE,
  patiently,
  type IndexMigration,
  type Patience,
} from './patient-migrations.ts';
import { listMigrationFiles, migrationNameOf, MIGRATIONS_FOLDER } from './schema-changes.ts';
import { reasonOf, StartError } from './start-error.ts';

/** Any constant that no other program on the same database picks. */
const LOCK_KEY = 7_468_737_401;

/** Between two looks whether another release is done. */
const TURN_MS = 250;

/** How a caller hears of what happens. */
export interface Hearing {
  /** What to name where the database cannot be reached: where its address comes from. */
  from: string;
  /** Once, where another release is at work and this one waits until it is done. */
  onTurn(): void;
}

const HEARING: Hearing = { from: 'DATABASE_URL', onTurn: () => undefined };

/** Files named `YYYYMMDDhhmmss_what.ts` or `.js`, oldest first. */
export class ExtensionlessMigrations implements Knex.MigrationSource<string> {
  private readonly folder: string;

  constructor(folder: string = MIGRATIONS_FOLDER) {
    this.folder = folder;
  }

  getMigrations(): Promise<string[]> {
    return listMigrationFiles(this.folder);
  }

  getMigrationName(file: string): string {
    return migrationNameOf(file);
  }

  async getMigration(file: string): Promise<Knex.Migration> {
    const migration = (await import(pathToFileURL(path.join(this.folder, file)).href)) as
      | Knex.Migration
      | Pick<IndexMigration, 'indexes'>;
    return 'indexes' in migration ? indexMigration(migration.indexes) : migration;
  }
}

/** Its locks are waited for, as knex's own command does. */
function indexMigration(indexes: readonly NewIndex[]): IndexMigration {
  const briefly =
    (knex: Knex): Briefly =>
    (change) =>
      knex.transaction(async (trx) => {
        await change(trx);
      });
  return {
    indexes,
    config: { transaction: false },
    up: (knex) => createIndexes(knex, indexes, briefly(knex), 0),
    down: (knex) => dropIndexes(indexes, briefly(knex)),
  };
}

/**
 * Applies every migration that the database lacks, as one batch. @returns their names. Several callers at once take turns (an advisory
 * lock of Postgres, which dies with its session, so that a killed release blocks nobody).
 * Each has a transaction of its own, or none where it makes indexes of large tables: in one for all, tables that the first ones change would stay locked while the last ones build their
 * indexes, and would be taken in an order in which the service, which goes on, cannot but deadlock with them.
 * @throws what the failing migration threw; those before it stay applied.
 */
export async function migrateToLatest(
  databaseUrl: string,
  source: Knex.MigrationSource<string> = new ExtensionlessMigrations(),
  options: Partial<Patience & Hearing> = {},
): Promise<string[]> {
  return withLock(databaseUrl, options, patiently(source, { ...PATIENCE, ...options }), async (db) => {
    // Makes the table where there is none.
    await db.migrate.list();
    const { rows } = await db.raw<{ rows: { batch: number }[] }>(
      'select coalesce(max(batch), 0) + 1 as batch from knex_migrations',
    );
    const { batch } = rows[0]!;
    // Of a new database nobody waits for a table, and one transaction is three times as fast.
    if (batch === 1) {
      const migrationSource = inOneTransaction(source);
      return ((await db.migrate.latest({ migrationSource })) as [number, string[]])[1];
    }
    // `up` counts each as a batch. Within its transaction, where it has one, so that a release that is killed leaves no other number.
    const afterAll = (trx: Knex) => trx('knex_migrations').where('batch', '>', batch).update({ batch });
    const applied: string[] = [];
    for (;;) {
      const [, names] = (await db.migrate.up({ afterAll })) as [number, string[]];
      if (names.length === 0) return applied;
      applied.push(...names);
    }
  });
}

/**
 * Takes back the batch that was applied last, or all of them. @returns their names.
 * @throws Error where that batch is all there is, as in an installation that was never updated: its data would go with the tables.
 */
export async function migrateDown(
  databaseUrl: string,
  {
    all = false,
    source = new ExtensionlessMigrations(),
    ...hearing
  }: { all?: boolean; source?: Knex.MigrationSource<string> } & Partial<Hearing> = {},
): Promise<string[]> {
  return withLock(databaseUrl, hearing, patiently(source, PATIENCE), async (db) => {
    if (!all && (await isOneBatch(db)))
      throw new Error('the last release made every table; to remove them with all that they hold, say --all');
    const [, names] = (await db.migrate.rollback(undefined, all)) as [number, string[]];
    return names;
  });
}

async function isOneBatch(db: Knex): Promise<boolean> {
  // Makes the table where there is none.
  await db.migrate.list();
  const { rows } = await db.raw<{ rows: { one: boolean | null }[] }>(
    'select min(batch) = max(batch) as one from knex_migrations',
  );
  return rows[0]!.one === true;
}

/** knex’s configuration for its own command. */
export const knexConfig = (databaseUrl: string): Knex.Config => ({
  client: 'pg',
  // For the driver to read: knex itself takes no address without a host, as that of a socket may be.
  connection: { connectionString: databaseUrl },
  migrations: { migrationSource: new ExtensionlessMigrations() },
  pool: { min: 0, max: 2 },
});

/** knex would call the folder corrupt. @throws StartError with the ways out. */
async function requireKnown(db: Knex, source: Knex.MigrationSource<string>): Promise<void> {
  const files = await source.getMigrations([]);
  const known = new Set(files.map((file) => source.getMigrationName(file)));
  const [applied] = (await db.migrate.list({ disableMigrationsListValidation: true })) as [
    { name: string }[],
    unknown,
  ];
  const later = applied.map(({ name }) => name).filter((name) => !known.has(name));
  if (later.length > 0)
    throw new StartError(
      `a later release made changes to the database that this one does not know: ${later.join(', ')}; ` +
        'take them back with that release (migrate:down), or start without this release phase',
    );
}

/**
 * Asks again and again: a statement that waits for the lock is a transaction that does not end, and whoever has the lock would wait for it
 * to build an index concurrently.
 */
async function takeTurn(lock: Client, onTurn: () => void): Promise<void> {
  for (let isTold = false; ; isTold = true) {
    const { rows } = await lock.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCK_KEY,
    ]);
    if (rows[0]!.taken) return;
    if (!isTold) onTurn();
    await pause(TURN_MS);
  }
}

async function withLock(
  databaseUrl: string,
  hearing: Partial<Hearing>,
  migrationSource: Knex.MigrationSource<string>,
  action: (db: Knex) => Promise<string[]>,
): Promise<string[]> {
  const { from, onTurn } = { ...HEARING, ...hearing };
  const lock = new Client({ connectionString: databaseUrl });
  try {
    await lock.connect();
  } catch (error) {
    throw new StartError(`${from}: ${reasonOf(error)}`, { cause: error });
  }
  try {
    // It says nothing while an index is built, and its end would be that of the turn.
    await lock.query('set idle_session_timeout = 0');
    await takeTurn(lock, onTurn);
    const db = knex({ ...knexConfig(databaseUrl), migrations: { migrationSource } });
    try {
      // knex's own lock is a row, which a killed run leaves behind; whoever holds the advisory lock may void it.
      await db.migrate.forceFreeMigrationsLock();
      await requireKnown(db, migrationSource);
      return await action(db);
    } finally {
      await db.destroy();
    }
  } finally {
    await lock.end();
  }
}
