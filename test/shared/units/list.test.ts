import { expect } from 'chai';
import { listUnitsQuery } from '../../../api/product-units/schema.ts';
import { encodeId, newUuid } from '../../../shared/ids.ts';
import { countUnitsBy, listUnits, type UnitFilter } from '../../../shared/units/repository.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { countingReads } from '../../support/rows-read.ts';

const OLD = 600;
const NEWER = 5_400;
/** Beside each unit are read its batch, its product and its consignment, and each more than once while a page is put together. */
const MOST_READ = 700;

describe('the list of units', () => {
  let database: TestDatabase;
  const orgId = newUuid();
  const [oldProduct, newProduct, emptyProduct] = [newUuid(), newUuid(), newUuid()];
  const oldPublicId = encodeId('prod', oldProduct);
  const [oldBatch, otherBatch, newBatch] = [newUuid(), newUuid(), newUuid()];
  const [consignmentId, largeId, draftId] = [newUuid(), newUuid(), newUuid()];

  const mint = (batchId: string, productId: string, count: number, firstSerial = 0) =>
    database.pool.query(
      `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
       select uuidv7(), $1, $2, $3, n, 'S' || $5::integer + n,
              substring(uuid_send(gen_random_uuid()) for 10), 't1', case when n = 7 then 'suspended' else 'active' end
         from generate_series(0, $4::integer - 1) n`,
      [orgId, batchId, productId, count, firstSerial],
    );

  const consign = async (id: string, batchId: string, status: string) => {
    const jobId = newUuid();
    await database.pool.query(`insert into consignments (id, org_id, created_at) values ($1, $2, now())`, [
      id,
      orgId,
    ]);
    await database.pool.query(
      `insert into bulk_jobs (id, org_id, action, source, consignment_id, phase, status, due_at, created_at, finished_at)
       values ($1, $2, 'consign', '{}', $4, 'work', $3, now(), now(), case when $3 = 'completed' then now() end)`,
      [jobId, orgId, status, id],
    );
    await database.pool.query(
      `insert into consignment_units (consignment_id, unit_id, org_id, job_id)
       select $1, id, org_id, $3 from product_units where batch_id = $2`,
      [id, batchId, jobId],
    );
  };

  before(async () => {
    database = await createTestDatabase();
    const { pool } = database;
    await pool.query(`insert into organizations (id, name) values ($1, 'Oil')`, [orgId]);
    await pool.query(
      `insert into products (id, org_id, name, sku) select id, $1, 'Oil', id::text from unnest($2::uuid[]) as id`,
      [orgId, [oldProduct, newProduct, emptyProduct]],
    );
    await pool.query(
      `insert into batches (id, org_id, product_id, quantity)
       select id, $1, product_id, 10000 from unnest($2::uuid[], $3::uuid[]) as t (id, product_id)`,
      [orgId, [oldBatch, otherBatch, newBatch], [oldProduct, oldProduct, newProduct]],
    );
    await mint(oldBatch, oldProduct, OLD);
    await mint(otherBatch, oldProduct, 30, OLD);
    await mint(newBatch, newProduct, NEWER);
    // Of another one as many more are newer; and what a job is still adding is in none yet.
    await consign(consignmentId, oldBatch, 'completed');
    await consign(largeId, newBatch, 'completed');
    await consign(draftId, otherBatch, 'running');
    await pool.query('vacuum analyze products, batches, product_units, consignment_units, bulk_jobs');
  });
  after(() => database.drop());

  const cases: [string, UnitFilter, number][] = [
    ['an old batch', { batchId: oldBatch }, 50],
    ['an old product', { productId: oldProduct }, 50],
    ['the active ones of an old product', { productId: oldProduct, status: 'active' }, 50],
    [
      'an old product, as the API asks for it',
      listUnitsQuery.parse({ productId: oldPublicId, limit: 50 }),
      50,
    ],
    ['a product that has none', { productId: emptyProduct }, 0],
    ['the suspended ones', { status: 'suspended' }, 3],
    ['a status that none has', { status: 'voided' }, 0],
    ['a large consignment', { consignmentId: largeId }, 50],
    ['one unit of a large consignment', { consignmentId: largeId, serial: 'S7' }, 1],
    ['one that is in another', { consignmentId: largeId, serial: 'S599', batchId: oldBatch }, 0],
    ['a consignment to which a job adds', { consignmentId: draftId }, 0],
  ];
  for (const [what, filter, found] of cases)
    it(`is found without reading all newer units: ${what}`, async () => {
      const { db, read } = countingReads(database.pool);
      const { rows } = await listUnits(db, orgId, filter, { limit: 50, beforeId: null });
      expect(rows).to.have.length(found);
      expect(read()).to.be.below(MOST_READ);
    });

  it('is found without reading all newer units: an old consignment, which is read whole where it is small', async () => {
    const { db, read } = countingReads(database.pool);
    const { rows } = await listUnits(db, orgId, { consignmentId }, { limit: 50, beforeId: null });
    expect(rows).to.have.length(50);
    expect(read()).to.be.below(OLD + MOST_READ);
  });

  it('is counted whole, also where a product’s own is read batch by batch', async () => {
    const counts: [UnitFilter, number][] = [
      [{}, OLD + 30 + NEWER],
      [{ batchId: oldBatch }, OLD],
      [{ productId: oldProduct }, OLD + 30],
      [{ productId: oldProduct, status: 'active' }, OLD + 28],
      [{ productId: emptyProduct }, 0],
      [{ consignmentId }, OLD],
      [{ consignmentId, status: 'active' }, OLD - 1],
      [{ consignmentId, serial: 'S7' }, 1],
      [{ consignmentId: draftId, serial: 'S601' }, 0],
      [{ consignmentId: draftId }, 0],
    ];
    for (const [filter, count] of counts)
      expect(await countUnitsBy(database.pool, orgId, filter), JSON.stringify(filter)).to.equal(count);
  });

  it('is found without reading a page of each batch, where a product has many', async () => {
    const product = newUuid();
    await database.pool.query('insert into products (id, org_id, name, sku) values ($1, $2, $3, $3)', [
      product,
      orgId,
      'Salt',
    ]);
    await database.pool.query(
      `with b as (
         insert into batches (id, org_id, product_id, quantity)
         select uuidv7(), $1, $2, 60 from generate_series(1, 200) returning id, org_id, product_id
       )
       insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
       select uuidv7(), b.org_id, b.id, b.product_id, n, right(b.id::text, 12) || n,
              substring(uuid_send(gen_random_uuid()) for 10), 't1', 'active'
         from b cross join generate_series(1, 60) n`,
      [orgId, product],
    );
    await database.pool.query('vacuum analyze batches, product_units');
    const { db, read } = countingReads(database.pool);
    const { rows } = await listUnits(db, orgId, { productId: product }, { limit: 20, beforeId: null });
    expect(rows).to.have.length(20);
    expect(read()).to.be.below(2_000);
  });

  it('is that of a consignment, newest first, page by page, narrowed down by other filters', async () => {
    const idsOf = async (filter: UnitFilter, limit = 200) => {
      const ids: string[] = [];
      for (let beforeId: string | null = null; ;) {
        const { rows, nextBeforeId } = await listUnits(database.pool, orgId, filter, { limit, beforeId });
        ids.push(...rows.map(({ id }) => id));
        if (nextBeforeId === null) return ids;
        beforeId = nextBeforeId;
      }
    };
    const whole = await idsOf({ batchId: oldBatch });
    expect(await idsOf({ consignmentId })).to.deep.equal(whole);
    expect(await idsOf({ consignmentId }, 7)).to.deep.equal(whole);
    expect(await idsOf({ consignmentId, status: 'suspended' })).to.have.length(1);
    expect(await idsOf({ consignmentId, productId: newProduct })).to.deep.equal([]);
    expect(await idsOf({ consignmentId, batchId: oldBatch, q: 'S59' })).to.have.length(11);
    const page = { limit: 10, beforeId: null };
    expect((await listUnits(database.pool, newUuid(), { consignmentId }, page)).rows).to.deep.equal([]);
  });

  it('has each unit of a product once, newest first, across its batches', async () => {
    const seen: string[] = [];
    for (let beforeId: string | null = null; ;) {
      const { rows } = await listUnits(
        database.pool,
        orgId,
        { productId: oldProduct },
        { limit: 200, beforeId },
      );
      seen.push(...rows.map(({ id }) => id));
      if (rows.length < 200) break;
      beforeId = rows.at(-1)!.id;
    }
    expect(seen).to.have.length(OLD + 30);
    expect(seen).to.deep.equal([...new Set(seen)].sort().reverse());
    const { rows } = await listUnits(
      database.pool,
      newUuid(),
      { productId: oldProduct },
      { limit: 50, beforeId: null },
    );
    expect(rows).to.deep.equal([]);
  });
});
