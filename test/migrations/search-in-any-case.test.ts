import knex, { type Knex } from 'knex';
import { down, up } from '../../migrations/20261126230000_search_in_any_case.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { whileHeld } from '../support/held-row.ts';

describe('the columns that are searched', () => {
  let database: TestDatabase;
  let db: Knex;

  before(async () => {
    database = await createTestDatabase();
    db = knex({ client: 'pg', connection: database.url });
  });
  after(async () => {
    await db.destroy();
    await database.drop();
  });

  for (const migrate of [down, up])
    it(`are written anew (${migrate.name}) beside a service that reads batches and then their products`, async () => {
      const batches = { text: 'select 1 from batches', values: [] };
      await whileHeld(database.pool, batches, async ({ holder, waiting, release }) => {
        const migrated = db.transaction((tx) => migrate(tx));
        await waiting(1);
        await holder.query('select 1 from products');
        await release();
        await migrated;
      });
    });
});
