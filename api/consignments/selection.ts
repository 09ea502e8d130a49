/** What a body names, checked: only units, batches and products of the caller's own organization. */
import type { z } from 'zod';
import { getBatch } from '../../shared/batches/service.ts';
import type { Selection } from '../../shared/bulk-jobs/service.ts';
import type { Db } from '../../shared/db.ts';
import { must } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';
import { listSelection, mustBeProduct } from '../bulk-jobs/selection.ts';
import type { unitsField } from './schema.ts';

/**
 * @param within what stands before the paths of its fields, `units.` say
 * @throws AppError VALIDATION_FAILED for a batch or product of nobody or somebody else
 */
export async function selectionOf(
  db: Db,
  orgId: string,
  units: z.output<typeof unitsField>,
  within = '',
): Promise<Selection> {
  if (units.batchId !== undefined) {
    const batch = getBatch(db, orgId, units.batchId);
    await must(batch, `${within}batchId`, refusal('NO_SUCH_BATCH', 'no such batch'));
    return { kind: 'batch', batchId: units.batchId };
  }
  if (units.serials !== undefined) {
    await mustBeProduct(db, orgId, units.serials.productId, `${within}serials.productId`);
    return { kind: 'serials', ...units.serials };
  }
  return listSelection(units.unitIds!);
}
