import { expect } from 'chai';
import type { Knex } from 'knex';
import { uuidv7 } from 'uuidv7';
import { ExtensionlessMigrations, migrateDown, migrateToLatest } from '../../shared/migrate.ts';
import type { NewIndex } from '../../shared/new-index.ts';
import type { IndexMigration } from '../../shared/patient-migrations.ts';
import { lastWords } from '../../shared/start-error.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const SOON = { lockMs: 200, pauseMs: 50 };
const NAME = '29990101000000_more_indexes';
const INDEXES: readonly NewIndex[] = [
  { name: 'scans_more', table: 'scans', definition: '(org_id, at) where is_internal' },
  { name: 'products_more', table: 'products', definition: '(org_id, name)', isUnique: true },
];

/** Those of this release, and one that makes indexes. */
class MoreIndexes extends ExtensionlessMigrations {
  override async getMigrations(): Promise<string[]> {
    return [...(await super.getMigrations()), `${NAME}.ts`];
  }

  override async getMigration(file: string): Promise<Knex.Migration> {
    if (!file.startsWith(NAME)) return super.getMigration(file);
    // As a file that exports `indexes` is read.
    const [known] = (await super.getMigrations()).filter((each) => each.includes('internal_scans_newest'));
    const { config } = (await super.getMigration(known!)) as IndexMigration;
    return this.ofIndexes(INDEXES, config);
  }

  private ofIndexes(indexes: readonly NewIndex[], config: { transaction: false }): IndexMigration {
    const nothing = () => Promise.reject(new Error('without patience'));
    return { indexes, config, up: nothing, down: nothing };
  }
}

describe('indexes of large tables', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  const up = (patience = {}) => migrateToLatest(database.url, new MoreIndexes(), { ...SOON, ...patience });
  const query = async (sql: string) => (await database.pool.query(sql)).rows;
  /** Of each table that has it, whether it is of use. */
  const validOf = async (name: string) =>
    query(`select c.relname as table, x.indisvalid as valid, x.indisunique as unique
             from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
            where i.relname like '${name}%' order by c.relname`);
  const partitions = async () =>
    (
      await query(
        `select c.relname as table from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'scans'::regclass order by 1`,
      )
    ).map(({ table }) => table as string);

  /** Somebody writes, and does not come to an end. */
  const whileWriting = async (table: string, work: (end: () => Promise<unknown>) => Promise<void>) => {
    const writer = await database.pool.connect();
    try {
      await writer.query(`begin; lock table ${table} in row exclusive mode; select pg_current_xact_id()`);
      await work(() => writer.query('commit'));
    } finally {
      await writer.query('rollback');
      writer.release();
    }
  };
  /** Another one does, and waits for nobody. */
  const write = async (table: string) => {
    const client = await database.pool.connect();
    try {
      await client.query(`begin; set local lock_timeout = 2000; lock table ${table} in row exclusive mode`);
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
  const building = (name: string, statement = 'create%') =>
    eventually(`the build of ${name}`, async () => {
      const rows = await query(
        `select 1 from pg_stat_activity where query like '${statement}concurrently%${name}%' and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
  /** A statement that goes on waiting where it and another one wait for each other: the other one is ended. */
  const unyielding = async (statement: string) => {
    const client = await database.pool.connect();
    try {
      await client.query(`set deadlock_timeout = '1min'`);
      await client.query(statement);
    } finally {
      client.release(true);
    }
  };

  it('are built beside whoever writes, who waits for none of it, and are one batch with the rest', async () => {
    await whileWriting('products', async (end) => {
      const applied = up();
      await building('products_more');
      for (let n = 0; n < 3; n += 1) await write('products');
      await end();
      expect(await applied).to.deep.equal([NAME]);
    });
    const tables = ['scans', ...(await partitions())];
    expect(await validOf('scans_more')).to.deep.equal(
      tables.map((table) => ({ table, valid: true, unique: false })),
    );
    expect(await validOf('products_more')).to.deep.equal([{ table: 'products', valid: true, unique: true }]);
    expect(await migrateDown(database.url, { source: new MoreIndexes() })).to.deep.equal([NAME]);
    expect([...(await validOf('scans_more')), ...(await validOf('products_more'))]).to.deep.equal([]);
    expect(await up()).to.deep.equal([NAME]);
  });

  it('are built of a partitioned table part by part, beside whoever writes', async () => {
    const [, second] = await partitions();
    await whileWriting(second!, async (end) => {
      const applied = up();
      await building(`scans_more${second!.slice('scans'.length)}`);
      for (const table of await partitions()) await write(table);
      await write('scans');
      // Of those made meanwhile, too.
      await database.pool.query(`select ensure_month_partitions('scans', '2030-01-01', '2030-02-01')`);
      await end();
      expect(await applied).to.deep.equal([NAME]);
    });
    const tables = ['scans', ...(await partitions())];
    expect(await validOf('scans_')).to.deep.include.members(
      tables.map((table) => ({ table, valid: true, unique: false })),
    );
    const [{ invalid }] = (await query(
      'select count(*)::int as invalid from pg_index where not indisvalid',
    )) as [{ invalid: number }];
    expect(invalid).to.equal(0);
    const attached = await query(`select 1 from pg_inherits where inhparent = 'scans_more'::regclass`);
    expect(attached).to.have.length(tables.length - 1);
  });

  it('are begun anew where a build was broken off, and go on behind those that were done', async () => {
    await whileWriting('products', async () => {
      const applied = up().catch((error: unknown) => error);
      await building('products_more');
      await query(
        `select pg_terminate_backend(pid) from pg_stat_activity where query like 'create%concurrently%products_more%' and pid <> pg_backend_pid()`,
      );
      expect(await applied).to.be.an('error');
      expect(await validOf('products_more')).to.deep.equal([
        { table: 'products', valid: false, unique: true },
      ]);
    });
    const [{ oid }] = (await query(`select 'scans_more'::regclass::oid as oid`)) as [{ oid: number }];
    expect(await up()).to.deep.equal([NAME]);
    expect(await validOf('products_more')).to.deep.equal([{ table: 'products', valid: true, unique: true }]);
    expect(await query(`select 'scans_more'::regclass::oid as oid`)).to.deep.equal([{ oid }]);
  });

  it('are begun anew where the server still goes on with the build that was broken off', async () => {
    let brokenOff: Promise<void>;
    await whileWriting('products', async (end) => {
      brokenOff = unyielding('create unique index concurrently products_more on products (org_id, name)');
      await building('products_more');
      const applied = up();
      await building('products_more', 'drop index ');
      await end();
      expect(await applied).to.deep.equal([NAME]);
      await brokenOff;
    });
    expect(await validOf('products_more')).to.deep.equal([{ table: 'products', valid: true, unique: true }]);
  });

  it('are valid as a whole where the oldest partition is dropped meanwhile', async () => {
    const [oldest, ...others] = await partitions();
    await whileWriting(oldest!, async (end) => {
      const applied = up();
      await building(`scans_more${oldest!.slice('scans'.length)}`);
      const dropped = unyielding(`drop table ${oldest}`);
      await eventually('the partition to be dropped', async () => {
        const rows = await query(
          `select 1 from pg_stat_activity where query like 'drop table%' and wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      await end();
      await dropped;
      expect(await applied).to.deep.equal([NAME]);
    });
    expect(await validOf('scans_more')).to.deep.equal(
      ['scans', ...others].map((table) => ({ table, valid: true, unique: false })),
    );
  });

  it('are refused where another table has an index of that name', async () => {
    for (const [name, table] of [
      ['scans_more', 'batches'],
      ['products_more', 'batches'],
    ]) {
      await database.pool.query(`create index ${name} on ${table} (org_id)`);
      const error = await up().catch((reason: unknown) => reason);
      expect(lastWords(error)).to.include(`relation "${name}" already exists`);
      await database.pool.query(`drop index ${name}`);
    }
    expect(await up()).to.deep.equal([NAME]);
  });

  it('are refused where the search path does not lead to a partition', async () => {
    const [oldest] = await partitions();
    await database.pool.query(`create schema archive; alter table ${oldest} set schema archive`);
    const error = await up().catch((reason: unknown) => reason);
    expect(lastWords(error)).to.include(`relation "${oldest}" does not exist`);
    await database.pool.query(`alter table archive.${oldest} set schema public`);
    expect(await up()).to.deep.equal([NAME]);
  });

  it('are built for longer than statements may take, and connections be idle', async () => {
    for (const limit of ['statement_timeout', 'idle_session_timeout'])
      await database.pool.query(`alter database ${database.name} set ${limit} = '400ms'`);
    await whileWriting('products', async (end) => {
      const applied = up();
      await eventually('a long build', async () => {
        const rows = await query(
          `select 1 from pg_stat_activity where query like 'create%concurrently products_more%' and state = 'active' and query_start < clock_timestamp() - interval '600ms'`,
        );
        return rows.length > 0;
      });
      await end();
      expect(await applied).to.deep.equal([NAME]);
    });
  });

  it('are built once the duplicates are gone that a unique one met', async () => {
    const orgId = uuidv7();
    const insert = (id: string) =>
      database.pool.query(
        `begin; set local session_replication_role = replica;
         insert into products (id, org_id, name, sku) values ('${id}', '${orgId}', 'Oil', '${id}'); commit`,
      );
    const [first, second] = [uuidv7(), uuidv7()];
    await insert(first);
    await insert(second);
    const error = await up().catch((reason: unknown) => reason);
    expect(lastWords(error)).to.include('could not create unique index "products_more"');
    await insert(uuidv7());
    await database.pool.query('delete from products where id <> $1', [first]);
    expect(await up()).to.deep.equal([NAME]);
    expect(await validOf('products_more')).to.deep.equal([{ table: 'products', valid: true, unique: true }]);
  });

  it('are given up where somebody writes for too long, with a word on what to look at', async () => {
    await whileWriting('products', async () => {
      const error = await up({ totalMs: 300 }).catch((reason: unknown) => reason);
      expect(lastWords(error)).to.match(
        /^29990101000000_more_indexes: somebody holds a table .*lock timeout/,
      );
    });
    expect(await up()).to.deep.equal([NAME]);
  });

  it('are built while another release waits for its turn, which finds nothing left', async () => {
    await whileWriting('products', async (end) => {
      const first = up();
      await building('products_more');
      const second = up();
      await eventually('the other release to look', async () => {
        const rows = await query(
          `select 1 from pg_stat_activity where query like 'select pg_try_advisory_lock%' and state = 'idle'`,
        );
        return rows.length > 1;
      });
      await end();
      expect(await first).to.deep.equal([NAME]);
      expect(await second).to.deep.equal([]);
    });
  });

  it('name no index that says otherwise than a new database’s', async () => {
    const definitions = async () =>
      (
        await query(
          `select indexdef from pg_indexes where indexname in ('scans_by_nfc_tap', 'scans_internal', 'product_units_of_batch', 'events_of_type') order by 1`,
        )
      ).map(({ indexdef }) => indexdef as string);
    const fresh = await definitions();
    expect(fresh).to.have.length(4);
    await database.pool.query(
      'drop index scans_by_nfc_tap; drop index scans_internal; drop index product_units_of_batch; drop index product_units_by_status; drop index events_of_type',
    );
    await database.pool.query(
      `delete from knex_migrations where name ~ '(nfc_taps_newest|internal_scans_newest|units_by_batch_and_status|rare_events)$'`,
    );
    expect(await migrateToLatest(database.url)).to.have.length(4);
    expect(await definitions()).to.deep.equal(fresh);
  });
});
