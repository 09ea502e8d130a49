import { namesUnitByGtin, SYMBOLOGIES } from '../barcodes/symbology.ts';
import type { Db } from '../db.ts';
import { searchPattern } from '../search/pattern.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import type { ProductLink } from './links.ts';

export const COLUMNS =
  'id, name, sku, gtin, brand, description, image_url, markets, attributes, links, archived_at, created_at, updated_at';

const NAMING_UNITS = Object.entries(SYMBOLOGIES)
  .filter(([, traits]) => namesUnitByGtin(traits))
  .map(([symbology]) => symbology);

export interface ProductRow {
  id: string;
  name: string;
  sku: string;
  gtin: string | null;
  brand: string | null;
  description: string | null;
  image_url: string | null;
  markets: string[];
  attributes: Record<string, unknown>;
  links: ProductLink[];
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface ProductFields {
  name: string;
  sku: string;
  gtin: string | null;
  brand: string | null;
  description: string | null;
  imageUrl: string | null;
  markets: string[];
  attributes: Record<string, unknown>;
  links: ProductLink[];
}

export const fieldsOf = (row: ProductRow): ProductFields => ({
  name: row.name,
  sku: row.sku,
  gtin: row.gtin,
  brand: row.brand,
  description: row.description,
  imageUrl: row.image_url,
  markets: row.markets,
  attributes: row.attributes,
  links: row.links,
});

const parameters = (fields: ProductFields): unknown[] => [
  fields.name,
  fields.sku,
  fields.gtin,
  fields.brand,
  fields.description,
  fields.imageUrl,
  fields.markets,
  JSON.stringify(fields.attributes),
  JSON.stringify(fields.links),
];

export async function insertProduct(
  db: Db,
  orgId: string,
  id: string,
  fields: ProductFields,
  now: Date,
): Promise<ProductRow> {
  const { rows } = await db.query<ProductRow>(
    `insert into products (id, org_id, created_at, updated_at, name, sku, gtin, brand, description, image_url, markets, attributes, links)
     values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     returning ${COLUMNS}`,
    [id, orgId, now, ...parameters(fields)],
  );
  return rows[0]!;
}

export async function updateProduct(
  db: Db,
  orgId: string,
  id: string,
  fields: ProductFields,
  now: Date,
): Promise<ProductRow> {
  const { rows } = await db.query<ProductRow>(
    `update products set updated_at = $3, name = $4, sku = $5, gtin = $6, brand = $7, description = $8, image_url = $9,
            markets = $10, attributes = $11, links = $12
      where org_id = $1 and id = $2
     returning ${COLUMNS}`,
    [orgId, id, now, ...parameters(fields)],
  );
  return rows[0]!;
}

/** A state that holds already keeps its times. */
export async function setProductArchived(
  db: Db,
  orgId: string,
  id: string,
  isArchived: boolean,
  now: Date,
): Promise<ProductRow | null> {
  const { rows } = await db.query<ProductRow>(
    `update products
        set archived_at = case when $4 then coalesce(archived_at, $3) end,
            updated_at = case when (archived_at is not null) = $4 then updated_at else $3 end
      where org_id = $1 and id = $2
     returning ${COLUMNS}`,
    [orgId, id, now, isArchived],
  );
  return rows[0] ?? null;
}

/** @param lock until the transaction ends: `for update` nobody else changes or holds it, `for share` nobody changes it */
export async function findProduct(
  db: Db,
  orgId: string,
  id: string,
  lock: 'for update' | 'for share' | '' = '',
): Promise<ProductRow | null> {
  const { rows } = await db.query<ProductRow>(
    `select ${COLUMNS}
       from products where org_id = $1 and id = $2 ${lock}`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

/** Those of the products whose GTIN stands in symbols that name units by it, or soon will. @returns their ids */
export async function findPrinted(
  db: Db,
  orgId: string,
  products: readonly { id: string; gtin: string }[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `select p.id from unnest($2::uuid[], $3::text[]) as p (id, gtin)
      where exists (select from barcode_jobs j join batches b on b.id = j.batch_id
                     where b.org_id = $1 and b.product_id = p.id and j.symbology = any ($4)
                       and j.status in ('queued', 'running', 'completed') and j.options->>'gtin' = p.gtin)`,
    [orgId, products.map(({ id }) => id), products.map(({ gtin }) => gtin), NAMING_UNITS],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface ProductFilter {
  sku?: string | undefined;
  gtin?: string | undefined;
  /** Part of name, SKU, brand or GTIN, without case. */
  q?: string | undefined;
  /** null for both. */
  archived: boolean | null;
}

export async function listProducts(
  db: Db,
  orgId: string,
  filter: ProductFilter,
  page: PageRequest,
): Promise<Page<ProductRow>> {
  const { rows } = await db.query<ProductRow>(
    `select ${COLUMNS}
       from products
      where org_id = $1
        and ($2::uuid is null or id < $2)
        and ($3::text is null or sku = $3)
        and ($4::text is null or gtin = $4)
        and ($5::boolean is null or (archived_at is not null) = $5)
        and ($7::text is null or search_text like search_form($7))
      order by id desc
      limit $6`,
    [
      orgId,
      page.beforeId,
      filter.sku ?? null,
      filter.gtin ?? null,
      filter.archived,
      page.limit + 1,
      filter.q === undefined ? null : searchPattern(filter.q),
    ],
  );
  return pageOf(rows, page);
}
