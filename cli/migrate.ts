/** `npm run migrate` and `npm run migrate:down [-- --all]`, on `DATABASE_URL` or the running `npm start`. */
import { resolve } from 'node:path';
import { findRunningServices } from '../launcher/running-services.ts';
import { migrateDown, migrateToLatest } from '../shared/migrate.ts';

const databaseUrl =
  process.env.DATABASE_URL || findRunningServices(resolve(process.env.DATA_DIR || '.data'))?.databaseUrl;
const [direction, ...flags] = process.argv.slice(2);

if (!databaseUrl) {
  console.error('error: set DATABASE_URL, or start a stack with "npm start"');
  process.exitCode = 1;
} else {
  const names =
    direction === 'down'
      ? await migrateDown(databaseUrl, { all: flags.includes('--all') })
      : await migrateToLatest(databaseUrl);
  console.log(JSON.stringify({ [direction === 'down' ? 'takenBack' : 'applied']: names }));
}
