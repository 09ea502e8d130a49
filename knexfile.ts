/**
 * For knex’s own command (`NODE_OPTIONS='--import tsx' npx knex migrate:status`), on the same database as `npm run migrate`, which is what
 * to migrate with.
 */
import { findDatabase } from './cli/database-url.ts';
import { knexConfig } from './shared/migrate.ts';

export default knexConfig(findDatabase().databaseUrl);
