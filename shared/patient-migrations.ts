/**
 * Changes of the schema beside a service that runs. A change that waits for its table has everybody wait behind it who comes later, even
 * to read; where it waits for a long statement (a `pg_dump`, a report) the service would stand still until that ends. So it waits shortly,
 * lets the others through and asks again: https://www.postgresql.org/docs/current/explicit-locking.html
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { sqlState } from './errors.ts';
import { createIndexes, dropIndexes, type Briefly, type NewIndex } from './new-index.ts';
import { StartError } from './start-error.ts';

export interface Patience {
  /**
   * Longest wait for one lock: below what callers of the API wait (`CALLER_LOCK_MS`), and below the second after which Postgres looks for
   * deadlocks (`deadlock_timeout`) and ends whoever looked, who would be a caller.
   */
  lockMs: number;
  /** For the others to go through. */
  pauseMs: number;
  /** After that long it is given up, with everything of this migration taken back. */
  totalMs: number;
  /** Before each pause. */
  onWait(migration: string, reason: string): void;
}

export const PATIENCE: Patience = {
  lockMs: 500,
  pauseMs: 2_000,
  totalMs: 600_000,
  onWait: () => undefined,
};

/** 55P03: a lock was not to be had in time; 40P01: it and a transaction of the service waited for each other. */
const HELD = ['55P03', '40P01'];

/** A migration that makes indexes and nothing else. */
export interface IndexMigration extends Knex.Migration {
  indexes: readonly NewIndex[];
  /** For knex, which would begin one. */
  config: { transaction: false };
}

const isOfIndexes = (migration: Knex.Migration): migration is IndexMigration => 'indexes' in migration;

const changed = (
  source: Knex.MigrationSource<string>,
  change: (migration: Knex.Migration, name: string) => Knex.Migration,
): Knex.MigrationSource<string> => ({
  getMigrations: (extensions) => source.getMigrations(extensions),
  getMigrationName: (file) => source.getMigrationName(file),
  getMigration: async (file) => change(await source.getMigration(file), source.getMigrationName(file)),
});

/** All migrations of `source`, for one transaction. */
export const inOneTransaction = (source: Knex.MigrationSource<string>): Knex.MigrationSource<string> =>
  changed(source, ({ up, down }) => ({ up, ...(down && { down }) }));

/** Each migration of `source`, tried again while somebody holds a table that it needs. */
export const patiently = (
  source: Knex.MigrationSource<string>,
  patience: Patience,
): Knex.MigrationSource<string> =>
  changed(source, (migration, name) =>
    isOfIndexes(migration)
      ? besideTheService(migration, name, patience)
      : untilFree(migration, name, patience),
  );

/** In a transaction. */
const untilFree = (migration: Knex.Migration, name: string, patience: Patience): Knex.Migration => ({
  ...migration,
  up: (knex) => tryUntilFree(knex, name, migration.up, patience),
  ...(migration.down && { down: (knex: Knex) => tryUntilFree(knex, name, migration.down!, patience) }),
});

/** In none, but where there is one for all. */
function besideTheService(migration: IndexMigration, name: string, patience: Patience): IndexMigration {
  const { indexes } = migration;
  const briefly =
    (knex: Knex): Briefly =>
    (change) =>
      knex.transaction((trx) => tryUntilFree(trx, name, change, patience));
  return {
    ...migration,
    async up(knex) {
      try {
        await createIndexes(knex, indexes, briefly(knex), patience.totalMs);
      } catch (error) {
        throw HELD.includes(sqlState(error) ?? '') ? heldTooLong(name, error) : error;
      }
    },
    down: (knex) => dropIndexes(indexes, briefly(knex)),
  };
}

const reasonIn = (error: unknown): string => (error as Error).message.split(' - ').at(-1)!;

const heldTooLong = (name: string, cause: unknown): StartError =>
  new StartError(
    `${name}: somebody holds a table that it changes (${reasonIn(cause)}): a transaction that does not end, a pg_dump? ` +
      'pg_stat_activity tells; run the release again then',
    { cause },
  );

async function tryUntilFree(
  knex: Knex,
  name: string,
  change: (knex: Knex) => PromiseLike<unknown>,
  { lockMs, pauseMs, totalMs, onWait }: Patience,
): Promise<void> {
  const until = performance.now() + totalMs;
  await knex.raw(`set local lock_timeout = ${lockMs}`);
  for (;;) {
    // Going back to it gives up the locks that were taken since.
    await knex.raw('savepoint before_the_change');
    try {
      await change(knex);
      return;
    } catch (error) {
      if (!HELD.includes(sqlState(error) ?? '')) throw error;
      if (performance.now() + pauseMs > until) throw heldTooLong(name, error);
      await knex.raw('rollback to savepoint before_the_change');
      onWait(name, reasonIn(error));
      await pause(pauseMs);
    }
  }
}
