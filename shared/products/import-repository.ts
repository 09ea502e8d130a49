import type { Db } from '../db.ts';
import { COLUMNS, type ProductFields, type ProductRow } from './repository.ts';

/** Until the transaction ends, no other table of the organization's products is taken over: of two at once, the second sees the first. */
export async function lockImports(db: Db, orgId: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('import-products:' || $1, 0))`, [orgId]);
}

/** @param lock keeps them as they are until the transaction ends */
export async function findProductsBySku(
  db: Db,
  orgId: string,
  skus: readonly string[],
  lock: 'for update' | '' = '',
): Promise<ProductRow[]> {
  const { rows } = await db.query<ProductRow>(
    `select ${COLUMNS} from products where org_id = $1 and sku = any ($2) order by id ${lock}`,
    [orgId, skus],
  );
  return rows;
}

export interface WrittenProduct extends ProductFields {
  id: string;
}

const WRITTEN = `json_to_recordset($2::json) as w (id uuid, name text, sku text, gtin text, brand text, description text, "imageUrl" text,
                                          markets text[], attributes jsonb, links jsonb)`;

export async function insertProducts(
  db: Db,
  orgId: string,
  products: readonly WrittenProduct[],
  now: Date,
): Promise<ProductRow[]> {
  const { rows } = await db.query<ProductRow>(
    `insert into products (id, org_id, created_at, updated_at, name, sku, gtin, brand, description, image_url, markets, attributes, links)
     select id, $1, $3, $3, name, sku, gtin, brand, description, "imageUrl", markets, attributes, links from ${WRITTEN}
     returning ${COLUMNS}`,
    [orgId, JSON.stringify(products), now],
  );
  return rows;
}

export async function updateProducts(
  db: Db,
  orgId: string,
  products: readonly WrittenProduct[],
  now: Date,
): Promise<ProductRow[]> {
  const { rows } = await db.query<ProductRow>(
    `update products p
        set updated_at = $3, name = w.name, gtin = w.gtin, brand = w.brand, description = w.description, image_url = w."imageUrl",
            markets = w.markets, attributes = w.attributes, links = w.links
       from ${WRITTEN}
      where p.org_id = $1 and p.id = w.id
     returning ${COLUMNS.split(', ')
       .map((column) => `p.${column}`)
       .join(', ')}`,
    [orgId, JSON.stringify(products), now],
  );
  return rows;
}
