/** Migrations through knex, from `.ts` in development and `.js` in `dist`, under one name. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import knexModule, { type Knex } from 'knex';

const { knex } = knexModule;
const FOLDER = join(import.meta.dirname, '..', 'migrations');
const ADVISORY_LOCK = 7_205_541;

/** Records names without extension: knex would otherwise see `x.ts` and `x.js` as two migrations. */
class ExtensionlessSource implements Knex.MigrationSource<string> {
  async getMigrations(): Promise<string[]> {
    const files = await readdir(FOLDER);
    const names = files.filter((file) => /^\d{14}_.+\.[jt]s$/.test(file) && !file.endsWith('.d.ts'));
    return names.map((file) => file.replace(/\.[jt]s$/, '')).sort();
  }

  getMigrationName(name: string): string {
    return name;
  }

  async getMigration(name: string): Promise<Knex.Migration> {
    const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
    return (await import(join(FOLDER, `${name}.${extension}`))) as Knex.Migration;
  }
}

/** knex’s configuration for this database; `knexfile.ts` gives the same to knex’s own command. */
export const knexConfig = (databaseUrl: string): Knex.Config => ({
  client: 'pg',
  connection: databaseUrl,
  pool: { min: 0, max: 4 },
  migrations: { migrationSource: new ExtensionlessSource(), tableName: 'knex_migrations' },
});

async function withMigrator<T>(databaseUrl: string, run: (migrator: Knex) => Promise<T>): Promise<T> {
  const migrator = knex(knexConfig(databaseUrl));
  try {
    // Several dynos may release at once; the second waits and then finds nothing to do.
    return await migrator.transaction(async (lock) => {
      await lock.raw('select pg_advisory_xact_lock(?)', [ADVISORY_LOCK]);
      return run(migrator);
    });
  } finally {
    await migrator.destroy();
  }
}

/** Applies what is missing. @returns the names applied. */
export async function migrateToLatest(databaseUrl: string): Promise<string[]> {
  return withMigrator(databaseUrl, async (migrator) => {
    const [, names] = (await migrator.migrate.latest()) as [number, string[]];
    return names;
  });
}

/** Takes back the last batch of migrations, or all of them. @returns the names taken back. */
export async function migrateDown(databaseUrl: string, all: boolean): Promise<string[]> {
  return withMigrator(databaseUrl, async (migrator) => {
    const [, names] = (await migrator.migrate.rollback(undefined, all)) as [number, string[]];
    return names;
  });
}
