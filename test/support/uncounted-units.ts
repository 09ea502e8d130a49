/** An organization new beside another one: Postgres has counted the other's units, and takes it to have none. */
import { newUuid } from '../../shared/ids.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** Of the other one, so that whatever is taken for a part of all units is a small part. */
const COUNTED = 100;
/** Minted side by side: as its units do not lie together, they are dearer to read by their batch than by their organization. */
const COUNTED_BATCHES = 4;

export interface UncountedUnits {
  database: TestDatabase;
  orgId: string;
  productId: string;
  batchId: string;
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
}

export async function createUncountedUnits({
  gtin,
  units,
}: {
  gtin: string;
  units: number;
}): Promise<UncountedUnits> {
  const database = await createTestDatabase();
  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await database.pool.query(text, values)).rows as Row[];

  /** @param digit of the codes, each organization's own */
  async function mint(count: number, digit: string, batches = 1) {
    const [org, product] = [newUuid(), newUuid()];
    const batchIds = Array.from({ length: batches }, newUuid);
    await query('insert into organizations (id, name) values ($1, $2)', [org, 'Olivaia']);
    await query('insert into products (id, org_id, name, sku, gtin) values ($1, $2, $3, $3, $4)', [
      product,
      org,
      'Oil',
      gtin,
    ]);
    await query(
      'insert into batches (id, org_id, product_id, quantity) select unnest($1::uuid[]), $2, $3, $4',
      [batchIds, org, product, count],
    );
    await query(
      `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
       select uuidv7(), $1, ($2::uuid[])[1 + i % $6::int], $3, i, 'S' || lpad(i::text, 6, '0'), decode($5 || lpad(to_hex(i), 19, '0'), 'hex'), 'k1', 'active'
         from generate_series(0, $4::int - 1) i`,
      [org, batchIds, product, count, digit, batches],
    );
    return { orgId: org, productId: product, batchId: batchIds[0]! };
  }

  await query('alter table product_units set (autovacuum_enabled = off)');
  await query('alter table bulk_job_items set (autovacuum_enabled = off)');
  await mint(COUNTED, '1', COUNTED_BATCHES);
  await query('analyze products, batches, product_units, bulk_job_items');
  return { database, query, ...(await mint(units, '2')) };
}
