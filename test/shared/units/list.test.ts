import { expect } from 'chai';
import { listUnitsQuery } from '../../../api/product-units/schema.ts';
import { encodeId, newUuid } from '../../../shared/ids.ts';
import { countUnitsBy, listUnits, type UnitFilter } from '../../../shared/units/repository.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { countingReads } from '../../support/rows-read.ts';

const OLD = 600;
const NEWER = 5_400;
/** Beside each unit are read its batch and its product, and each more than once while a page is put together. */
const MOST_READ = 500;

describe('the list of units', () => {
  let database: TestDatabase;
  const orgId = newUuid();
  const [oldProduct, newProduct, emptyProduct] = [newUuid(), newUuid(), newUuid()];
  const oldPublicId = encodeId('prod', oldProduct);
  const [oldBatch, otherBatch, newBatch] = [newUuid(), newUuid(), newUuid()];

  const mint = (batchId: string, productId: string, count: number, firstSerial = 0) =>
    database.pool.query(
      `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
       select uuidv7(), $1, $2, $3, n, 'S' || $5::integer + n,
              substring(uuid_send(gen_random_uuid()) for 10), 't1', case when n = 7 then 'suspended' else 'active' end
         from generate_series(0, $4::integer - 1) n`,
      [orgId, batchId, productId, count, firstSerial],
    );

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
    await pool.query('vacuum analyze products, batches, product_units');
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
  ];
  for (const [what, filter, found] of cases)
    it(`is found without reading all newer units: ${what}`, async () => {
      const { db, read } = countingReads(database.pool);
      const { rows } = await listUnits(db, orgId, filter, { limit: 50, beforeId: null });
      expect(rows).to.have.length(found);
      expect(read()).to.be.below(MOST_READ);
    });

  it('is counted whole, also where a product’s own is read batch by batch', async () => {
    const counts: [UnitFilter, number][] = [
      [{}, OLD + 30 + NEWER],
      [{ batchId: oldBatch }, OLD],
      [{ productId: oldProduct }, OLD + 30],
      [{ productId: oldProduct, status: 'active' }, OLD + 28],
      [{ productId: emptyProduct }, 0],
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
