import { z } from 'zod';
import { startScanExport } from '../../shared/exports/scans.ts';
import { exportOperations } from '../exports/operations.ts';
import { fileForm, isPossibleForm, POSSIBLE_FORM } from '../exports/schema.ts';
import { FORWARD, isForward } from '../list.ts';
import { needs } from '../operation.ts';
import { scanFilters } from '../scans/schema.ts';

const startBody = z
  .strictObject({ ...fileForm, ...scanFilters })
  .refine(isForward, FORWARD)
  .refine(isPossibleForm, POSSIBLE_FORM)
  .meta({ id: 'StartScanExport', description: 'The filters of `GET scans`; without one, all scans' });

export const scanExportOperations = exportOperations({
  kind: 'scans',
  list: 'scan-exports',
  schemaId: 'ScanExport',
  tag: 'Scans',
  startDescription:
    'A worker writes one file of all scans that match the filters, newest first. Poll the export at `Location`. Scans made after the request are not in it.',
  access: needs('scans.read'),
  more: {},
  moreOf: () => ({}),
  mayHave: () => true,
  mayCount: () => true,
  body: startBody,
  start: (deps, uow, { orgId }, { format, byteOrderMark, ...filter }) =>
    startScanExport(deps, uow, orgId, { format, byteOrderMark, filter }),
});
