import { expect } from 'chai';
import createKnex, { type Knex } from 'knex';
import { down, up } from '../../migrations/20261127180000_cancelled_bulk_jobs.ts';
import { newUuid } from '../../shared/ids.ts';
import { knexConfig } from '../../shared/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('the migration of cancelled bulk jobs', () => {
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

  const stored = async () =>
    (
      await database.pool.query<{ status: string; error: object | null; result: object }>(
        'select status, error, result from bulk_jobs order by created_at',
      )
    ).rows;

  it('leaves them failed where it is taken back, and has those that take units back fail at their end', async () => {
    const [orgId, consignmentId] = [newUuid(), newUuid()];
    await database.pool.query(`insert into organizations (id, name) values ($1, 'x')`, [orgId]);
    await database.pool.query(
      `insert into consignments (id, org_id, status, created_at) values ($1, $2, 'draft', now())`,
      [consignmentId, orgId],
    );
    await database.pool.query(
      `insert into bulk_jobs (id, org_id, action, source, consignment_id, phase, status, due_at, created_at, finished_at, cancel_requested_at)
       values ($1, $3, 'suspend', '{"kind": "items", "by": "unitId"}', null, 'work', 'cancelled', now(), '2026-01-01', now(), now()),
              ($2, $3, 'consign', '{"kind": "items", "by": "unitId"}', $4, 'undo', 'running', now(), '2026-01-02', null, now())`,
      [newUuid(), newUuid(), orgId, consignmentId],
    );
    await down(knex);
    const error = { code: 'BULK_JOB_FAILED', message: 'The job was cancelled.' };
    const rows = [
      { status: 'failed', error, result: {} },
      { status: 'running', error: null, result: { error } },
    ];
    expect(await stored()).to.deep.equal(rows);
    await up(knex);
    expect(await stored()).to.deep.equal(rows);
  });
});
