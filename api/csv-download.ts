/** Tables that are small enough to be streamed in their own answer, page by page; scans are exported by a job instead. */
import type { Response } from 'express';
import { z } from 'zod';
import { csvPages, type Cell } from '../shared/csv.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import { sendStream } from './send-stream.ts';

const ROWS = 500;

/** What an operation declares that answers with {@link sendCsv}. */
export const CSV_RESPONSES = {
  200: {
    description: 'The table, with a heading',
    mediaType: 'text/csv',
    schema: z.string(),
    headers: { 'Content-Disposition': { description: 'A file name' } },
  },
};

/** A list from its newest row on, so that one of any length is never in memory as a whole. */
export async function* allPages<Row>(
  read: (page: PageRequest) => Promise<Page<Row>>,
): AsyncGenerator<readonly Row[]> {
  for (let beforeId: string | null = null; ;) {
    const page = await read({ limit: ROWS, beforeId });
    yield page.rows;
    if (page.nextBeforeId === null) return;
    beforeId = page.nextBeforeId;
  }
}

/** @param name of the file, without its ending */
export async function sendCsv(
  res: Response,
  name: string,
  columns: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): Promise<null> {
  res.setHeader('Content-Type', 'text/csv; charset=utf-8');
  res.setHeader('Content-Disposition', `attachment; filename="${name}.csv"`);
  res.setHeader('Cache-Control', 'private, no-store');
  await sendStream(res, csvPages(columns, pages));
  return null;
}
