/** What a body names, checked: only units, batches and products of the caller's own organization. */
import type { z } from 'zod';
import { lockAndGetBatch } from '../../shared/batches/service.ts';
import { listedItem, listedUnit, type ItemKey, type Selection } from '../../shared/bulk-jobs/service.ts';
import type { Db } from '../../shared/db.ts';
import { invalidField, must } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';
import type { Keyring } from '../../shared/keyring.ts';
import { getProduct } from '../../shared/products/service.ts';
import type { bulkListBody } from './schema.ts';
import type { UploadedList } from './upload.ts';

export const mustBeProduct = (db: Db, orgId: string, productId: string, path: string): Promise<unknown> =>
  must(getProduct(db, orgId, productId), path, refusal('NO_SUCH_PRODUCT', 'no such product'));

/** @param unitIds UUIDs */
export const listSelection = (unitIds: readonly string[]): Selection => ({
  kind: 'list',
  by: 'unitId',
  productId: null,
  items: unitIds.map(listedUnit),
});

/**
 * Holds the batch where one is named.
 * @throws AppError NOT_FOUND for a batch, VALIDATION_FAILED for a product, of nobody or somebody else
 */
export async function bulkSelection(
  db: Db,
  orgId: string,
  tokenKeys: Keyring,
  { batchId, unitIds, serials, codes, productId }: z.output<typeof bulkListBody>,
): Promise<Selection> {
  const listed = (by: ItemKey, texts: readonly string[]): Selection => ({
    kind: 'list',
    by,
    productId: productId ?? null,
    items: texts.map((text) => listedItem(by, text, tokenKeys)),
  });
  if (batchId !== undefined) {
    await lockAndGetBatch(db, orgId, batchId);
    return { kind: 'batch', batchId };
  }
  if (serials !== undefined) {
    await mustBeProduct(db, orgId, productId!, 'productId');
    return listed('serial', serials);
  }
  return codes === undefined ? listSelection(unitIds!) : listed('code', codes);
}

/** @throws AppError VALIDATION_FAILED for serials without a product of the organization */
export async function uploadSelection(
  db: Db,
  orgId: string,
  upload: UploadedList,
  { by, productId }: { by: ItemKey; productId?: string | undefined },
): Promise<Selection> {
  if (by === 'serial') {
    if (productId === undefined)
      throw invalidField(
        'query.productId',
        refusal('REQUIRED', 'is needed, as a serial belongs to a product'),
      );
    await mustBeProduct(db, orgId, productId, 'query.productId');
  }
  return {
    kind: 'upload',
    by,
    productId: productId ?? null,
    uploadPrefix: upload.prefix,
    uploadFormat: upload.format,
  };
}
