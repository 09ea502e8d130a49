/** `npm run migrate` and `npm run migrate:down [-- --all]`, on `DATABASE_URL` or the running `npm start`. */
import { migrateDown, migrateToLatest } from '../shared/migrate.ts';
import { findDatabase } from './database-url.ts';
import { print } from './standard-output.ts';

async function migrate(args: string): Promise<Record<string, string[]>> {
  if (!['up', 'down', 'down --all'].includes(args))
    throw new Error(`"${args}" is none of: up, down, down --all`);
  const { databaseUrl, from } = findDatabase();
  return args === 'up'
    ? { applied: await migrateToLatest(databaseUrl, undefined, { from, onTurn: tellTurn, onWait: tellWait }) }
    : { takenBack: await migrateDown(databaseUrl, { from, onTurn: tellTurn, all: args === 'down --all' }) };
}

function tellWait(migration: string, reason: string): void {
  console.error(`${migration} waits for a table that somebody holds: ${reason}`);
}

function tellTurn(): void {
  console.error('waits until another release that changes the schema is done');
}

try {
  print(JSON.stringify(await migrate(process.argv.slice(2).join(' '))));
} catch (error) {
  console.error(`error: ${(error as Error).message}`);
  process.exitCode = 1;
}
