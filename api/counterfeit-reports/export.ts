import { listReports, type ReportFilter } from '../../shared/counterfeit-reports/service.ts';
import type { Cell } from '../../shared/csv.ts';
import type { Db } from '../../shared/db.ts';
import { allPages } from '../csv-download.ts';
import { presentReport } from './schema.ts';

export const COLUMNS = [
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
  'channel',
  'filedBy',
  'foundOn',
  'identifiedBy',
] as const;

export async function* rowsOf(db: Db, orgId: string, filter: ReportFilter): AsyncGenerator<Cell[][]> {
  for await (const rows of allPages((page) => listReports(db, orgId, filter, page)))
    yield rows.map(presentReport).map((report) => COLUMNS.map((column) => report[column]));
}
