import { expect } from 'chai';
import { newUuid } from '../../../shared/ids.ts';
import { countScans, findScans } from '../../../shared/scans/list-repository.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { countingReads } from '../../support/rows-read.ts';
import { seedScans } from '../../support/scans.ts';

const NOW = new Date();

describe('the list of scans', () => {
  let database: TestDatabase;
  const orgId = newUuid();
  const consignmentId = newUuid();
  const [unitId, strayId] = [newUuid(), newUuid()];

  before(async () => {
    database = await createTestDatabase();
    const { pool } = database;
    await pool.query(`insert into organizations (id, name) values ($1, 'Oil')`, [orgId]);
    await pool.query('insert into consignments (id, org_id, created_at) values ($1, $2, now())', [
      consignmentId,
      orgId,
    ]);
    await pool.query(
      `insert into consignment_units (consignment_id, unit_id, org_id, job_id)
       select $1, id, $2, $1 from unnest($3::uuid[]) as id`,
      [consignmentId, orgId, [unitId, strayId]],
    );
    const [productId, batchId] = [newUuid(), newUuid()];
    const scan = (unit: string, result = 'genuine') => ({
      orgId,
      unitId: unit,
      productId,
      batchId,
      at: NOW,
      result,
    });
    await seedScans(database, [
      scan(unitId),
      scan(strayId, 'diverted'),
      ...Array.from({ length: 3_000 }, (_, n) => scan(newUuid(), n % 3 === 0 ? 'diverted' : 'genuine')),
    ]);
    await pool.query('vacuum analyze scans, consignment_units');
  });
  after(() => database.drop());

  it('finds those of a consignment without reading all others', async () => {
    const { db, read } = countingReads(database.pool);
    const found = async (filter: object) =>
      (await findScans(db, orgId, { consignmentId, ...filter }, { limit: 51, beforeId: null })).map(
        (scan) => scan.unit_id,
      );
    // Each row is read twice: by its unit, and when they are put in order.
    expect(await found({})).to.have.members([unitId, strayId]);
    expect(read()).to.be.at.most(4);
    expect(await found({ result: 'diverted' })).to.deep.equal([strayId]);
    expect(read()).to.be.at.most(4);
    expect(await countScans(db, orgId, { consignmentId })).to.equal(2);
    expect(read()).to.equal(2);
  });

  it('looks up no unit for each page whose scans fill many', async () => {
    const { pool } = database;
    const [busyId, inId] = [newUuid(), newUuid()];
    await pool.query('insert into consignments (id, org_id, created_at) values ($1, $2, now())', [
      inId,
      orgId,
    ]);
    await pool.query(
      'insert into consignment_units (consignment_id, unit_id, org_id, job_id) values ($1, $2, $3, $1)',
      [inId, busyId, orgId],
    );
    await pool.query('insert into unit_risk_profiles (unit_id, org_id, scan_count) values ($1, $2, 50001)', [
      busyId,
      orgId,
    ]);
    const [productId, batchId] = [newUuid(), newUuid()];
    const scan = { orgId, unitId: busyId, productId, batchId, at: new Date(NOW.getTime() + 1) };
    await seedScans(
      database,
      Array.from({ length: 1_000 }, () => scan),
    );
    await pool.query('vacuum analyze scans, consignment_units, unit_risk_profiles');
    const { db, read } = countingReads(pool);
    const scans = await findScans(db, orgId, { consignmentId: inId }, { limit: 51, beforeId: null });
    expect(scans.map((found) => found.unit_id)).to.deep.equal(Array(51).fill(busyId));
    expect(read()).to.be.below(200);
    expect(await countScans(pool, orgId, { consignmentId: inId })).to.equal(1_000);
  });

  it('finds them in pages, and those of another organization not at all', async () => {
    const { pool } = database;
    const page = (beforeId: string | null) =>
      findScans(pool, orgId, { consignmentId }, { limit: 1, beforeId });
    const [first] = await page(null);
    const [second] = await page(first!.id);
    expect([first!.unit_id, second!.unit_id]).to.deep.equal([strayId, unitId]);
    expect(await page(second!.id)).to.deep.equal([]);
    expect(await findScans(pool, newUuid(), { consignmentId }, { limit: 51, beforeId: null })).to.deep.equal(
      [],
    );
  });
});
