/** What a body names, checked: only units, batches and products of the caller's own organization. */
import type { z } from 'zod';
import { getBatch } from '../../shared/batches/service.ts';
import type { Selection } from '../../shared/bulk-jobs/service.ts';
import type { Db } from '../../shared/db.ts';
import { invalidField } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';
import { listSelection, must, mustBeProduct } from '../bulk-jobs/selection.ts';
import type { addUnitsQuery, unitsField } from './schema.ts';
import type { UploadedList } from './upload.ts';

/** @throws AppError VALIDATION_FAILED for a batch or product of nobody or somebody else */
export async function selectionOf(
  db: Db,
  orgId: string,
  units: z.output<typeof unitsField>,
): Promise<Selection> {
  if (units.batchId !== undefined) {
    await must(getBatch(db, orgId, units.batchId), 'batchId', refusal('NO_SUCH_BATCH', 'no such batch'));
    return { kind: 'batch', batchId: units.batchId };
  }
  if (units.serials !== undefined) {
    await mustBeProduct(db, orgId, units.serials.productId, 'serials.productId');
    return { kind: 'serials', ...units.serials };
  }
  return listSelection(units.unitIds!);
}

/** @throws AppError VALIDATION_FAILED for serials without a product of the organization */
export async function uploadSelection(
  db: Db,
  orgId: string,
  upload: UploadedList,
  { by, productId }: z.output<typeof addUnitsQuery>,
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
