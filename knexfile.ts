/** For knex’s own command (`npx knex migrate:status`); the program itself calls `shared/migrate.ts`. */
import { configFromEnvironment } from './shared/config.ts';
import { knexConfig } from './shared/migrate.ts';

export default knexConfig(configFromEnvironment().DATABASE_URL);
