/** CSV as every export of the service writes it: RFC 4180, UTF-8, a heading, nothing that a spreadsheet takes for a formula. */
import { stringify } from 'csv-stringify/sync';

const BYTE_ORDER_MARK = '\uFEFF';

export type Cell = string | number | null;

/**
 * Where its language writes decimals with a comma, a spreadsheet parts cells by semicolons, and heeds a quote only where such a cell begins:
 * what stands behind a semicolon, a tab or the end of a line in somebody's text begins a cell of its own then (OWASP, CSV injection). A quote
 * there is doubled, and so opens and ends before what follows it.
 */
const ANOTHER_CELL = /[;\t\n\r]"*(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** A quote that is there for a spreadsheet alone: of the whole cell (`escape_formulas`), or of what stands behind the end of one. */
const GUARD = /(^|[;\t\n\r]"*)'(?='*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Where a text of its own accord has what looks like one. */
const LIKE_A_GUARD = /(^|[;\t\n\r]"*)(?='+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** What a cell of the service's own table held before it was kept from being a formula. */
export const withoutGuards = (cell: string): string => cell.replace(GUARD, '$1');

/** For a table that is read again: a text that {@link withoutGuards} leaves as it was. */
export const withGuards = (cell: string): string => cell.replace(LIKE_A_GUARD, "$1'");

const asText = (cell: Cell): Cell => (typeof cell === 'string' ? cell.replace(ANOTHER_CELL, "$&'") : cell);

/**
 * The heading with the first page's rows, then each page's rows as one piece of text: memory is a page's, however many there
 * are. Nothing comes before the first page is read, so that what fails there can still be answered as an error.
 * @param hasByteOrderMark for spreadsheets, which take UTF-8 without one for another encoding; programs take it for a part of the heading
 */
export async function* csvPages(
  columns: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
  hasByteOrderMark = false,
): AsyncGenerator<string> {
  let text = `${hasByteOrderMark ? BYTE_ORDER_MARK : ''}${columns.join(',')}\n`;
  for await (const rows of pages) {
    if (rows.length > 0)
      text += stringify(
        rows.map((row) => row.map(asText)),
        { escape_formulas: true },
      );
    if (text !== '') yield text;
    text = '';
  }
  if (text !== '') yield text;
}
