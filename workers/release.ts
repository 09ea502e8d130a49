/** The release phase: migrations, then the partitions of the next months. Safe to run twice, or at once. */
import { configFromEnvironment } from '../shared/config.ts';
import { createPool } from '../shared/db.ts';
import { createLogger, logWarnings } from '../shared/logger.ts';
import { migrateToLatest } from '../shared/migrate.ts';
import { makePartitionsAhead } from '../shared/partitions/service.ts';
import { lastWords } from '../shared/start-error.ts';

async function main(): Promise<void> {
  const config = configFromEnvironment();
  const log = createLogger('release', config.LOG_LEVEL);
  logWarnings(log);
  const applied = await migrateToLatest(config.DATABASE_URL, undefined, {
    onTurn: () => log.warn('waiting until another release that changes the schema is done'),
    onWait: (migration, reason) => log.warn({ migration, reason }, 'waiting for a table that somebody holds'),
  });
  const db = createPool({
    databaseUrl: config.DATABASE_URL,
    max: 1,
    applicationName: 'touchstone-release',
    onError: (error) => log.warn({ err: error }, 'idle Postgres connection lost'),
  });
  try {
    log.info({ applied, partitions: await makePartitionsAhead(db, new Date()) }, 'schema is up to date');
  } finally {
    await db.end();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(lastWords(error));
  process.exit(1);
});
