/** Products of an organization. */
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError, constraintOf, refuseOvertaken } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { given } from '../given.ts';
import { newUuid } from '../ids.ts';
import {
  fieldsOf,
  findPrinted,
  findProduct,
  insertProduct,
  setProductArchived,
  updateProduct as writeProduct,
  type ProductFields,
  type ProductRow,
} from './repository.ts';

export {
  fieldsOf,
  listProducts,
  type ProductFields,
  type ProductFilter,
  type ProductRow,
} from './repository.ts';

interface Deps {
  clock: Clock;
}

const noProduct = () => new AppError('NOT_FOUND', { detail: 'no such product' });

/** @throws AppError CONFLICT for what the SKU's constraint refused, anything else as it is */
export function refuseTakenSku(error: unknown): never {
  if (constraintOf(error) !== 'products_sku') throw error;
  throw new AppError('CONFLICT', {
    detail: 'another product of this organization has this SKU',
    errors: [{ path: 'sku', ...refusal('TAKEN', 'is taken') }],
    cause: error,
  });
}

/** Of products some of whose GTINs cannot be changed any more. @param paths where they are in the request */
export const gtinPrinted = (paths: readonly string[]): AppError =>
  new AppError('CONFLICT', {
    detail: 'codes that name units by this GTIN were made, and would be unknown: make another product',
    errors: paths.map((path) => ({ path, ...refusal('GTIN_PRINTED', 'is in codes that were made') })),
  });

/** @throws AppError CONFLICT where the SKU is taken */
export async function createProduct(
  { clock }: Deps,
  db: Db,
  orgId: string,
  fields: ProductFields,
): Promise<ProductRow> {
  return insertProduct(db, orgId, newUuid(), fields, clock.now()).catch(refuseTakenSku);
}

/** @throws AppError NOT_FOUND */
export async function getProduct(db: Db, orgId: string, id: string): Promise<ProductRow> {
  const product = await findProduct(db, orgId, id);
  if (product === null) throw noProduct();
  return product;
}

/** As {@link getProduct}, and keeps it as it is until the transaction ends. @throws AppError NOT_FOUND */
export async function holdAndGetProduct(db: Db, orgId: string, id: string): Promise<ProductRow> {
  const product = await findProduct(db, orgId, id, 'for share');
  if (product === null) throw noProduct();
  return product;
}

/** Until the transaction ends, nobody else changes the product, neither alone nor by a table. One that is not there is no error yet. */
export async function holdProduct(db: Db, orgId: string, id: string): Promise<void> {
  await findProduct(db, orgId, id, 'for update');
}

export type SomeFields = { [Field in keyof ProductFields]?: ProductFields[Field] | undefined };

/**
 * Changes the fields given and leaves the others.
 * @param change with `expected`, only where these fields still have these values
 * @throws AppError NOT_FOUND; CONFLICT where the SKU is taken, a field is not what was expected, or codes name the GTIN
 */
export async function updateProduct(
  { clock }: Deps,
  db: Db,
  orgId: string,
  id: string,
  { expected, ...changes }: SomeFields & { expected?: SomeFields | undefined },
): Promise<ProductRow> {
  const current = await findProduct(db, orgId, id, 'for update');
  if (current === null) throw noProduct();
  const former = fieldsOf(current);
  refuseOvertaken(expected, former, changes);
  const { gtin } = current;
  const isOtherGtin = changes.gtin !== undefined && changes.gtin !== gtin;
  if (gtin !== null && isOtherGtin && (await findPrinted(db, orgId, [{ id, gtin }])).size > 0)
    throw gtinPrinted(['gtin']);
  return writeProduct(db, orgId, id, { ...former, ...given(changes) }, clock.now()).catch(refuseTakenSku);
}

const setArchived =
  (isArchived: boolean) =>
  async ({ clock }: Deps, db: Db, orgId: string, id: string): Promise<ProductRow> => {
    const product = await setProductArchived(db, orgId, id, isArchived, clock.now());
    if (product === null) throw noProduct();
    return product;
  };

/** An archived product keeps its units verifiable and takes no new batches. @throws AppError NOT_FOUND */
export const archiveProduct = setArchived(true);

/** Lets it take batches again. @throws AppError NOT_FOUND */
export const unarchiveProduct = setArchived(false);
