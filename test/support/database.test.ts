import { expect } from 'chai';
import { Client } from 'pg';
import { createTestDatabase } from './database.ts';
import { createTestRedis } from './redis.ts';

describe('a test file’s own services', () => {
  it('gives each file a migrated database of its own, and removes it', async () => {
    const [one, other] = [await createTestDatabase(), await createTestDatabase()];
    await one.pool.query('create table mark (id int)');
    const seen = await other.pool.query(
      `select to_regclass('mark') as mark, to_regclass('knex_migrations') as migrations`,
    );
    expect(seen.rows[0]).to.deep.equal({ mark: null, migrations: 'knex_migrations' });
    await one.drop();
    const names = await other.pool.query('select datname from pg_database where datname = $1', [one.name]);
    expect(names.rows).to.deep.equal([]);
    await other.drop();
  });

  it('fails the file that leaves a connection open, and names its statement', async () => {
    const database = await createTestDatabase();
    const leaked = new Client({ connectionString: database.url, application_name: 'leaky' });
    leaked.on('error', () => undefined);
    await leaked.connect();
    await leaked.query('select 42 as forgotten');
    const error = await database.drop().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error?.message).to.match(/leaky, idle: select 42 as forgotten/);
  });

  it('fails the file that never releases a client of the pool', async () => {
    const database = await createTestDatabase();
    await database.pool.connect();
    const error = await database.drop().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error?.message).to.match(/connections left open/);
  });

  it('keeps the keys of two files apart, and removes only its own', async () => {
    const [one, other] = [await createTestRedis(), await createTestRedis()];
    await one.client.set(`${one.prefix}:key`, '1');
    await other.client.set(`${other.prefix}:key`, '2');
    await one.drop();
    expect(await other.client.exists(`${one.prefix}:key`)).to.equal(0);
    expect(await other.client.get(`${other.prefix}:key`)).to.equal('2');
    await other.drop();
  });
});
