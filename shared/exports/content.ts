import type { Cell } from '../csv.ts';
import type { Db } from '../db.ts';
import type { ExportRow } from './repository.ts';

/** What an export of one kind writes. */
export interface ExportContent<Row extends object = object> {
  /** The heading of a CSV file. */
  readonly columns: readonly string[];
  /** How many rows there will be, as far as it can be told; may be slow, and is only for the progress. */
  count(db: Db, asked: ExportRow): Promise<number>;
  /**
   * Up to `limit` rows behind a cursor.
   * @param page.beforeId `lastId` of the page before; null for the first
   */
  page(
    asked: ExportRow,
    page: { limit: number; beforeId: string | null },
  ): Promise<{ rows: Row[]; lastId: string | null }>;
  /** Of a row, in the order of `columns`. A line of NDJSON is the row itself. */
  cellsOf(row: Row): Cell[];
}
