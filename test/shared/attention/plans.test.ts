import { expect } from 'chai';
import { discrepantReceipts } from '../../../shared/attention/repository.ts';
import type { Db } from '../../../shared/db.ts';
import { newUuid } from '../../../shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('the statements behind what needs attention', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('find the few receipts that are not as was sent by their index, among all that arrived', async () => {
    const orgId = newUuid();
    const { pool } = database;
    await pool.query(`insert into organizations (id, name) values ($1, 'Olivaia')`, [orgId]);
    await pool.query(
      `insert into consignments (id, org_id, status, unit_count, created_at, dispatched_at, received_at, received_count, missing_count,
                                 damaged_count, received_through)
       select gen_random_uuid(), $1, 'received', 1, now(), now(), now(), 1, 0, 0, 'key' from generate_series(1, 5000)`,
      [orgId],
    );
    await pool.query('analyze consignments');
    const explaining = {
      query: (sql: string, values: unknown[]) => pool.query(`explain ${sql}`, values),
    } as unknown as Db;
    const plan = await discrepantReceipts(explaining, orgId, new Date(0), 5);
    expect(JSON.stringify(plan)).to.include('consignments_discrepant');
  });
});
