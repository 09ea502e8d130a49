/** Batches of units. */
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { newUuid } from '../ids.ts';
import { getProduct } from '../products/service.ts';
import { findBatch, insertBatch, lockBatch, type BatchFields, type BatchRow } from './repository.ts';

export { listBatches, type BatchFields, type BatchRow } from './repository.ts';

const noBatch = () => new AppError('NOT_FOUND', { detail: 'no such batch' });

/** @throws AppError VALIDATION_FAILED for a product of nobody or somebody else, CONFLICT for an archived one */
export async function createBatch(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  fields: BatchFields,
): Promise<BatchRow> {
  const product = await getProduct(db, orgId, fields.productId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND')
      throw invalidField('productId', 'no such product');
    throw error;
  });
  if (product.archived_at !== null) throw new AppError('CONFLICT', { detail: 'the product is archived' });
  const id = newUuid();
  await insertBatch(db, orgId, id, fields, clock.now());
  return getBatch(db, orgId, id);
}

/** @throws AppError NOT_FOUND */
export async function getBatch(db: Db, orgId: string, id: string): Promise<BatchRow> {
  const batch = await findBatch(db, orgId, id);
  if (batch === null) throw noBatch();
  return batch;
}

/** As {@link getBatch}, and holds the batch until the transaction ends. @throws AppError NOT_FOUND */
export async function lockAndGetBatch(db: Db, orgId: string, id: string): Promise<BatchRow> {
  if (!(await lockBatch(db, orgId, id))) throw noBatch();
  return getBatch(db, orgId, id);
}
