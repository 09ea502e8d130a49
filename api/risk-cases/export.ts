import type { Cell } from '../../shared/csv.ts';
import type { Db } from '../../shared/db.ts';
import { listCases, type CaseFilter } from '../../shared/risk-cases/service.ts';
import { findUnitNames } from '../../shared/units/service.ts';
import { allPages } from '../csv-download.ts';
import { presentCase } from './schema.ts';

export const COLUMNS = [
  'id',
  'openedAt',
  'status',
  'closingReason',
  'closedAt',
  'assigneeId',
  'serial',
  'lot',
  'product',
  'sku',
  'signals',
  'productUnitId',
  'productId',
  'batchId',
  'suspiciousScans',
  'maxScore',
  'firstScanId',
  'lastScanId',
  'openedBy',
  'reportId',
  'updatedAt',
] as const;

/** With what people call the unit: whoever reads a table has nobody to ask for an id. */
export async function* rowsOf(db: Db, orgId: string, filter: CaseFilter): AsyncGenerator<Cell[][]> {
  for await (const rows of allPages((page) => listCases(db, orgId, filter, page))) {
    const names = await findUnitNames(
      db,
      orgId,
      rows.map((row) => row.unit_id),
    );
    yield rows.map((row) => {
      const cells = { ...names.get(row.unit_id), ...presentCase(row), signals: row.signals.join(' ') };
      return COLUMNS.map((column) => cells[column] ?? null);
    });
  }
}
