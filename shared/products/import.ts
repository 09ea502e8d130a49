/** A table of products, by their SKU: those that are new are made and the others changed, all of them or none. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { invalidFields } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { given } from '../given.ts';
import { newUuid } from '../ids.ts';
import { findProductsBySku, insertProducts, lockImports, updateProducts } from './import-repository.ts';
import { fieldsOf, findPrinted, type ProductFields, type ProductRow } from './repository.ts';
import { gtinPrinted, refuseTakenSku, type SomeFields } from './service.ts';

/** Of a statement: what it holds in memory, here and in Postgres. */
const SLICE = 500;
/** Problems that are told of one table. */
export const MOST_PROBLEMS = 100;

export interface ImportedProduct {
  /** Of the table, from 1, which is the heading where it has one. */
  row: number;
  /** A field that is not given stays as it is; of a new product it is empty. */
  fields: SomeFields & { sku: string };
}

export interface ProductChange {
  row: number;
  /** null for a new one. */
  before: ProductRow | null;
  fields: ProductFields;
  /** Whose values differ, for a new product all that are not empty. */
  changed: (keyof ProductFields)[];
}

export interface ImportPlan {
  /** In the order of the file. */
  changes: ProductChange[];
  /** Products that are as the file says already. */
  unchanged: number;
}

export interface MadeChange extends ProductChange {
  after: ProductRow;
}

export interface ImportedProducts extends ImportPlan {
  changes: MadeChange[];
}

const EMPTY: Omit<ProductFields, 'name' | 'sku'> = {
  gtin: null,
  brand: null,
  description: null,
  imageUrl: null,
  markets: [],
  attributes: {},
  links: [],
};

const FIELDS = ['sku', 'name', ...Object.keys(EMPTY)] as (keyof ProductFields)[];

/** As JSON has it, which knows no -0 and nothing infinite: what is stored, however often it is sent. */
const stored = (value: unknown): unknown =>
  typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;

const differing = (before: Partial<ProductFields>, after: ProductFields): (keyof ProductFields)[] =>
  FIELDS.filter(
    (name) =>
      before[name] !== after[name] &&
      !isDeepStrictEqual(before[name], after[name]) &&
      !isDeepStrictEqual(before[name], stored(after[name])),
  );

/**
 * What a table would change. Changes nothing.
 * @param products with no SKU twice
 * @throws AppError VALIDATION_FAILED where a new one has no name; CONFLICT where codes name a GTIN that would be another
 */
export const planImport = (
  db: Db,
  orgId: string,
  products: readonly ImportedProduct[],
): Promise<ImportPlan> => plan(db, orgId, products, '');

async function plan(
  db: Db,
  orgId: string,
  products: readonly ImportedProduct[],
  lock: 'for update' | '',
): Promise<ImportPlan> {
  const changes: ProductChange[] = [];
  for (const slice of slicesOf(products)) {
    const skus = slice.map(({ fields }) => fields.sku);
    const rows = await findProductsBySku(db, orgId, skus, lock);
    const bySku = new Map(rows.map((row) => [row.sku, row]));
    for (const product of slice) {
      const change = changeOf(product, bySku.get(product.fields.sku) ?? null);
      if (change.changed.length > 0) changes.push(change);
    }
  }
  refuseNameless(changes);
  await refusePrinted(db, orgId, changes);
  return { changes, unchanged: products.length - changes.length };
}

function* slicesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += SLICE) yield items.slice(at, at + SLICE);
}

function changeOf({ row, fields }: ImportedProduct, before: ProductRow | null): ProductChange {
  const former = before === null ? EMPTY : fieldsOf(before);
  const wanted = { ...former, ...given(fields) } as ProductFields;
  return { row, before, fields: wanted, changed: differing(former, wanted) };
}

/** @throws AppError VALIDATION_FAILED */
function refuseNameless(changes: readonly ProductChange[]): void {
  const nameless = changes.filter(({ fields }) => (fields.name as string | undefined) === undefined);
  if (nameless.length === 0) return;
  throw invalidFields(
    nameless.slice(0, MOST_PROBLEMS).map(({ row }) => ({
      path: `row.${row}.name`,
      ...refusal('REQUIRED', 'is needed, as no product has this SKU'),
    })),
  );
}

/** @throws AppError CONFLICT */
async function refusePrinted(db: Db, orgId: string, changes: readonly ProductChange[]): Promise<void> {
  const leaving = changes.flatMap(({ row, before, changed }) =>
    before !== null && before.gtin !== null && changed.includes('gtin')
      ? [{ row, id: before.id, gtin: before.gtin }]
      : [],
  );
  if (leaving.length === 0) return;
  const printed = await findPrinted(db, orgId, leaving);
  const refused = leaving.filter(({ id }) => printed.has(id));
  if (refused.length > 0)
    throw gtinPrinted(refused.slice(0, MOST_PROBLEMS).map(({ row }) => `row.${row}.gtin`));
}

/**
 * Does what {@link planImport} tells, in the caller's transaction.
 * @throws AppError as it does; CONFLICT where somebody makes a product with one of the SKUs at that moment
 */
export async function importProducts(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  products: readonly ImportedProduct[],
): Promise<ImportedProducts> {
  await lockImports(db, orgId);
  const { changes, unchanged } = await plan(db, orgId, products, 'for update');
  const after = new Map<string, ProductRow>();
  const write = async (all: readonly ProductChange[], how: typeof insertProducts): Promise<void> => {
    const products = all.map(({ before, fields }) => ({ id: before?.id ?? newUuid(), ...fields }));
    for (const slice of slicesOf(products))
      for (const row of await how(db, orgId, slice, clock.now())) after.set(row.sku, row);
  };
  await write(
    changes.filter(({ before }) => before !== null),
    updateProducts,
  );
  await write(
    changes.filter(({ before }) => before === null),
    insertProducts,
  ).catch(refuseTakenSku);
  return {
    changes: changes.map((change) => ({ ...change, after: after.get(change.fields.sku)! })),
    unchanged,
  };
}
