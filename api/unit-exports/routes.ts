import { z } from 'zod';
import { startUnitExport } from '../../shared/exports/units.ts';
import { exportOperations } from '../exports/operations.ts';
import { fileForm, isPossibleForm, POSSIBLE_FORM } from '../exports/schema.ts';
import { needs } from '../operation.ts';
import { authorizeUnitFilter, mayFilterUnits } from '../product-units/authorize-filter.ts';
import { unitFilters } from '../product-units/schema.ts';

const { batchId, productId, consignmentId, status, risk, q } = unitFilters;

const startBody = z
  .strictObject({ ...fileForm, batchId, productId, consignmentId, status, risk, q })
  .refine(isPossibleForm, POSSIBLE_FORM)
  .meta({
    id: 'StartUnitExport',
    description: 'Filters of `GET product-units`; without one, all units',
  });

export const unitExportOperations = exportOperations({
  kind: 'units',
  list: 'unit-exports',
  schemaId: 'UnitExport',
  tag: 'Product units',
  startDescription:
    'A worker writes one file of all units that match the filters, newest first: each as it is when it is written. Poll the export at `Location`. What scans tell of the units is in it where the caller has `scans.read`. Its link is for callers who may filter units so.',
  access: needs('products.read'),
  more: {
    withScans: z.boolean().meta({
      description:
        'Whether the file holds what scans tell of the units: its risk, its case, how often and where it was scanned. Only a caller with `scans.read` is given the link of such a file',
    }),
  },
  moreOf: (row) => ({ withScans: row.with_scans }),
  mayHave: (actor, { filter, with_scans: withScans }) =>
    mayFilterUnits(actor, filter) && (!withScans || actor.scopes.has('scans.read')),
  mayCount: (actor, { filter }) => mayFilterUnits(actor, filter),
  body: startBody,
  start: (deps, uow, actor, { format, byteOrderMark, ...filter }) => {
    authorizeUnitFilter(actor, filter);
    return startUnitExport(deps, uow, actor.orgId, {
      format,
      byteOrderMark,
      filter,
      withScans: actor.scopes.has('scans.read'),
    });
  },
});
