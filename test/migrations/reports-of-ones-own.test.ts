import { expect } from 'chai';
import createKnex, { type Knex } from 'knex';
import { down, up } from '../../migrations/20261130090000_reports_of_ones_own.ts';
import { newUuid } from '../../shared/ids.ts';
import { knexConfig } from '../../shared/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('the migration of reports of one’s own', () => {
  let database: TestDatabase;
  let knex: Knex;

  before(async () => {
    database = await createTestDatabase();
    knex = createKnex(knexConfig(database.url));
  });
  after(async () => {
    await knex.destroy();
    await database.drop();
  });

  it('leaves no file without a row where it is taken back, and keeps the reports', async () => {
    const [orgId, reportId] = [newUuid(), newUuid()];
    await database.pool.query(`insert into organizations (id, name) values ($1, 'x')`, [orgId]);
    await database.pool.query(
      `insert into counterfeit_reports (id, org_id, description, channel, filed_by, created_at, updated_at)
       values ($1, $2, 'Odd', 'inspection', 'key_1', now(), now())`,
      [reportId, orgId],
    );
    await database.pool.query(
      `insert into counterfeit_report_photos (id, report_id, position, state, original_key, storage_key, bytes, width, height, due_at, created_at)
       values ($1, $4, 5, 'ready', null, 'five', 1, 1, 1, now(), now()),
              ($2, $4, 6, 'ready', null, 'six', 1, 1, 1, now(), now()),
              ($3, $4, 7, 'waiting', 'seven', null, null, null, null, now(), now())`,
      [newUuid(), newUuid(), newUuid(), reportId],
    );
    await down(knex);
    const { rows: kept } = await database.pool.query(
      'select r.description, p.storage_key from counterfeit_reports r join counterfeit_report_photos p on p.report_id = r.id',
    );
    expect(kept).to.deep.equal([{ description: 'Odd', storage_key: 'five' }]);
    const { rows: given } = await database.pool.query('select prefix from storage_intake order by prefix');
    expect(given.map(({ prefix }) => prefix)).to.deep.equal(['seven', 'six']);
    await up(knex);
    const { rows: again } = await database.pool.query('select channel, filed_by from counterfeit_reports');
    expect(again).to.deep.equal([{ channel: 'consumer', filed_by: null }]);
  });
});
