/** Reports as CSV, a page of rows at a time: memory stays the same however many there are. */
import { listReports, type ReportFilter } from '../../shared/counterfeit-reports/service.ts';
import { csvPages, type Cell } from '../../shared/csv.ts';
import type { Db } from '../../shared/db.ts';
import { presentReport } from './schema.ts';

const COLUMNS = [
  'id',
  'createdAt',
  'status',
  'resolution',
  'assigneeId',
  'productUnitId',
  'productId',
  'serial',
  'lot',
  'scanId',
  'code',
  'brand',
  'description',
  'purchasedFrom',
  'price',
  'country',
  'photoCount',
  'repetitions',
  'closedAt',
] as const;
const ROWS = 500;

export const reportsCsv = (db: Db, orgId: string, filter: ReportFilter): AsyncGenerator<string> =>
  csvPages(COLUMNS, rowsOf(db, orgId, filter));

async function* rowsOf(db: Db, orgId: string, filter: ReportFilter): AsyncGenerator<Cell[][]> {
  for (let beforeId: string | null = null; ;) {
    const page = await listReports(db, orgId, filter, { limit: ROWS, beforeId });
    yield page.rows.map(presentReport).map((report) => COLUMNS.map((column) => report[column]));
    if (page.nextBeforeId === null) return;
    beforeId = page.nextBeforeId;
  }
}
