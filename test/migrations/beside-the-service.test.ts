import { expect } from 'chai';
import type { Knex } from 'knex';
import { ExtensionlessMigrations, migrateDown, migrateToLatest } from '../../shared/migrate.ts';
import { lastWords } from '../../shared/start-error.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const SOON = { lockMs: 200, pauseMs: 50 };

/** Those of this release and two more: the first changes products, the second batches. */
class TwoMore extends ExtensionlessMigrations {
  private readonly more: Record<string, string> = {
    '29990101000000_more_of_products.ts': 'products',
    '29990101000001_more_of_batches.ts': 'batches',
  };

  override async getMigrations(): Promise<string[]> {
    return [...(await super.getMigrations()), ...Object.keys(this.more)];
  }

  override async getMigration(file: string): Promise<Knex.Migration> {
    const table = this.more[file];
    if (table === undefined) return super.getMigration(file);
    return {
      up: (knex) => knex.raw(`alter table ${table} add column more text`),
      down: (knex) => knex.raw(`alter table ${table} drop column more`),
    };
  }
}
const PRODUCTS = '29990101000000_more_of_products';
const BATCHES = '29990101000001_more_of_batches';

describe('changes of the schema beside a service that runs', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  /** As a `pg_dump` has it, or any reader; the other tables are free. */
  const whileHeld = async (table: string, work: (release: () => Promise<unknown>) => Promise<void>) => {
    const holder = await database.pool.connect();
    try {
      await holder.query(`begin; lock table ${table} in access share mode`);
      await work(() => holder.query('rollback'));
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  };

  const read = async (table: string) => {
    const client = await database.pool.connect();
    try {
      await client.query(`begin; set local lock_timeout = 2000; select from ${table} limit 1`);
    } finally {
      await client.query('rollback');
      client.release();
    }
  };

  it('let everybody read while they wait for a table that somebody holds, and are one batch', async () => {
    await whileHeld('batches', async (release) => {
      const waits: string[] = [];
      const seen: Promise<unknown>[] = [];
      const applied = await migrateToLatest(database.url, new TwoMore(), {
        ...SOON,
        onWait: (migration, reason) => {
          waits.push(`${migration}: ${reason}`);
          // Of what is done before nothing is locked any more, and what is waited for is free between two tries.
          seen.push(read('products'), read('batches'));
          if (waits.length === 3) seen.push(release());
        },
      });
      await Promise.all(seen);
      expect(waits).to.have.length.greaterThanOrEqual(3);
      expect(waits[0]).to.equal(`${BATCHES}: canceling statement due to lock timeout`);
      expect(applied).to.deep.equal([PRODUCTS, BATCHES]);
    });
    expect(await migrateDown(database.url, { source: new TwoMore() })).to.deep.equal([BATCHES, PRODUCTS]);
  });

  it('are given up where it is held for too long, and go on at the next release', async () => {
    await whileHeld('batches', async () => {
      const error = await migrateToLatest(database.url, new TwoMore(), { ...SOON, totalMs: 500 }).catch(
        (reason: unknown) => reason,
      );
      expect(lastWords(error)).to.match(
        /^29990101000001_more_of_batches: somebody holds a table .*lock timeout/,
      );
    });
    expect(await migrateToLatest(database.url, new TwoMore(), SOON)).to.deep.equal([BATCHES]);
  });

  it('are tried again where they and a transaction of the service waited for each other', async () => {
    let deadlocks = 0;
    class Deadlock extends TwoMore {
      override async getMigration(file: string): Promise<Knex.Migration> {
        const migration = await super.getMigration(file);
        if (!file.includes('more_of_products')) return migration;
        return {
          ...migration,
          up: async (knex) => {
            await migration.up(knex);
            deadlocks += 1;
            if (deadlocks === 1)
              await knex.raw(
                `do $$ begin raise exception using errcode = '40P01', message = 'deadlock detected'; end $$`,
              );
          },
        };
      }
    }
    expect(await migrateToLatest(database.url, new Deadlock(), SOON)).to.deep.equal([PRODUCTS, BATCHES]);
    expect(deadlocks).to.equal(2);
  });
});
