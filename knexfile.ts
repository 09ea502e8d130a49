/** For knex's own command line: `node --import tsx node_modules/.bin/knex migrate:status`. */
import type { Knex } from 'knex';
import { ExtensionlessMigrations } from './shared/migrate.ts';

// knex's command line reads this file in place of the program's configuration.
// oxlint-disable-next-line node/no-process-env
const connection = process.env['DATABASE_URL'] ?? '';

const config: Knex.Config = {
  client: 'pg',
  connection,
  migrations: { migrationSource: new ExtensionlessMigrations() },
};

export default config;
