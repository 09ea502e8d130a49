/** Reports as CSV, a page of rows at a time: memory stays the same however many there are. */
import { stringify } from 'csv-stringify/sync';
import { listReports, type ReportFilter } from '../../shared/counterfeit-reports/service.ts';
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

/** RFC 4180, UTF-8, with a heading. */
export async function* reportsCsv(db: Db, orgId: string, filter: ReportFilter): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\n`;
  for (let beforeId: string | null = null; ;) {
    const page = await listReports(db, orgId, filter, { limit: ROWS, beforeId });
    const rows = page.rows.map(presentReport).map((report) => COLUMNS.map((column) => report[column]));
    if (rows.length > 0) yield stringify(rows, { escape_formulas: true });
    if (page.nextBeforeId === null) return;
    beforeId = page.nextBeforeId;
  }
}
