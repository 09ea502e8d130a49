import { z } from 'zod';
import { encodeId } from '../../shared/ids.ts';
import type { ProductRow } from '../../shared/products/service.ts';
import { changesSomething, expectedField, gtinField, marketsField, text, webUrlField } from '../fields.ts';
import { instant, listQuery, searchField } from '../list.ts';

const fields = {
  name: text(200),
  sku: text(100).meta({ description: 'Unique in the organization' }),
  gtin: gtinField.nullable(),
  brand: text(200).nullable(),
  description: text(5000).nullable(),
  imageUrl: webUrlField.nullable(),
  markets: marketsField,
  attributes: z
    .record(z.string().min(1).max(100), z.unknown())
    .meta({ description: 'Your own values, as you like' }),
};

export const createProductBody = z.strictObject({
  ...fields,
  gtin: fields.gtin.default(null),
  brand: fields.brand.default(null),
  description: fields.description.default(null),
  imageUrl: fields.imageUrl.default(null),
  markets: fields.markets.default([]),
  attributes: fields.attributes.default({}),
});

/** As they were taken, maybe by another rule than today's. */
const readFields = {
  name: z.string(),
  sku: z.string(),
  gtin: z.string().nullable(),
  brand: z.string().nullable(),
  description: z.string().nullable(),
  imageUrl: z.string().nullable(),
  markets: z.array(z.string()),
  attributes: z.record(z.string(), z.unknown()),
};

export const updateProductBody = z
  .strictObject({ ...fields, expected: expectedField(readFields) })
  .partial()
  .refine(...changesSomething);

export const listProductsQuery = listQuery('products', {
  sku: z.string().max(100).optional(),
  gtin: gtinField.optional(),
  q: searchField('Part of name, SKU, brand or GTIN', 'olive'),
  archived: z.enum(['true', 'false', 'all']).default('false').meta({ description: '`all` shows both' }),
});

export const productSchema = z
  .object({
    id: z.string(),
    ...readFields,
    archivedAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Product' });

export const presentProduct = (row: ProductRow): z.input<typeof productSchema> => ({
  id: encodeId('prod', row.id),
  name: row.name,
  sku: row.sku,
  gtin: row.gtin,
  brand: row.brand,
  description: row.description,
  imageUrl: row.image_url,
  markets: row.markets,
  attributes: row.attributes,
  archivedAt: row.archived_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
