import { expect } from 'chai';
import { listEvents } from '../../../shared/events/repository.ts';
import { newUuid } from '../../../shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { countingReads } from '../../support/rows-read.ts';

describe('the list of events', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('finds those of a rare type without reading the thousands of scans since', async () => {
    const { pool } = database;
    const orgId = newUuid();
    await pool.query(
      `insert into organizations (id, name, created_at, updated_at) values ($1, 'Oil', now(), now())`,
      [orgId],
    );
    const record = (type: string, count: number) =>
      pool.query(
        `insert into events (id, org_id, type, data, created_at)
         select uuidv7(), $1, $2, '{}', now() from generate_series(1, $3::integer)`,
        [orgId, type, count],
      );
    await record('product.diverted', 1);
    await record('scan.recorded', 3_000);
    await pool.query('analyze events');
    const { db, read } = countingReads(pool);
    const list = (type?: string) => listEvents(db, orgId, { type }, { limit: 50, beforeId: null });

    expect((await list('product.diverted')).rows.map(({ type }) => type)).to.deep.equal(['product.diverted']);
    expect(read()).to.equal(1);
    expect((await list('scan.recorded')).rows).to.have.length(50);
    expect(read()).to.equal(51);
    expect((await list()).rows).to.have.length(50);
    expect(read()).to.equal(51);
  });
});
