import { expect } from 'chai';
import { closedCases, discrepantReceipts, notableBulkJobs } from '../../../shared/attention/repository.ts';
import type { Db } from '../../../shared/db.ts';
import { newUuid } from '../../../shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('the statements behind what needs attention', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  /** @returns how the server would go about what is read. */
  const planOf = async (read: (db: Db) => Promise<unknown>) => {
    const plans: unknown[] = [];
    const query = async (sql: string, values: unknown[]) => {
      const { rows } = await database.pool.query(`explain ${sql}`, values);
      plans.push(rows);
      return { rows: [] };
    };
    await read({ query } as unknown as Db);
    return JSON.stringify(plans);
  };

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
    const plan = await planOf((db) => discrepantReceipts(db, orgId, new Date(0), 5));
    expect(plan).to.include('consignments_discrepant');
  });

  it('find the cases closed lately by their index, among all that were opened', async () => {
    const orgId = newUuid();
    const { pool } = database;
    await pool.query(`insert into organizations (id, name) values ($1, 'Olivaia')`, [orgId]);
    await pool.query(
      `insert into risk_cases (id, org_id, unit_id, product_id, batch_id, status, closing_reason, suspicious_scans, max_score, signals,
                               first_scan_id, last_scan_id, opened_at, updated_at, closed_at)
       select gen_random_uuid(), $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'confirmed', 'copied_code', 1, 70, '{}',
              gen_random_uuid(), gen_random_uuid(), at, at, at
         from (select now() - make_interval(days => day) as at from generate_series(1, 3000) as day) as days`,
      [orgId],
    );
    await pool.query('analyze risk_cases');
    const yearAgo = new Date(Date.now() - 365 * 86_400_000);
    const plan = await planOf((db) => closedCases(db, orgId, yearAgo, new Date()));
    expect(plan).to.include('risk_cases_closed');
  });

  it('find the jobs that failed lately by their index, among all that were made', async () => {
    const orgId = newUuid();
    const { pool } = database;
    await pool.query(`insert into organizations (id, name) values ($1, 'Olivaia')`, [orgId]);
    await pool.query(
      `insert into bulk_jobs (id, org_id, action, source, phase, status, due_at, created_at, finished_at)
       select gen_random_uuid(), $1, 'suspend', '{}', 'work', 'completed', now(), now(), now() from generate_series(1, 5000)`,
      [orgId],
    );
    await pool.query('analyze bulk_jobs');
    const plan = await planOf((db) => notableBulkJobs(db, orgId, new Date(0), 5));
    expect(plan).to.include('bulk_jobs_failed');
  });
});
