/** Lines of an uploaded CSV: the heading says which column counts, and what stands between cells. */
import { refusal } from './field-errors.ts';

/**
 * Comma; semicolon, as spreadsheets write where the comma is for decimals (German, French); tab, as they copy. The first that
 * makes a cell of the name wins, so that the others may be within cells.
 */
const SEPARATORS = [',', ';', '\t'] as const;
type Separator = (typeof SEPARATORS)[number];

export interface CsvColumn {
  index: number;
  separator: Separator;
}

/**
 * @param name of the column, upper and lower case alike
 * @returns null where the line names no such column
 */
export function findColumn(heading: string, name: string): CsvColumn | null {
  for (const separator of SEPARATORS) {
    const names = (csvCells(heading, separator) ?? []).map((cell) => cell.trim().toLowerCase());
    const index = names.indexOf(name.toLowerCase());
    if (index >= 0) return { index, separator };
  }
  return null;
}

/** What is wrong with a line of which {@link cellOf} is null. */
export const WRONG_QUOTES = refusal('WRONG_FORMAT', 'has quotation marks that are not right');

/** What a line has in a column, empty where it has no such cell; null where its quotes are not right. */
export function cellOf(line: string, { index, separator }: CsvColumn): string | null {
  const cells = csvCells(line, separator);
  return cells === null ? null : (cells[index]?.trim() ?? '');
}

/** The cells of a CSV line (RFC 4180, without line breaks in a cell), or null where its quotes are not right. */
function csvCells(line: string, separator: Separator): string[] | null {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      let cell = '';
      for (;;) {
        const end = line.indexOf('"', at + 1);
        if (end < 0) return null;
        cell += line.slice(at + 1, end);
        at = end + 1;
        if (line[at] !== '"') break;
        cell += '"';
      }
      if (at < line.length && line[at] !== separator) return null;
      cells.push(cell);
    } else {
      const end = line.indexOf(separator, at);
      cells.push(end < 0 ? line.slice(at) : line.slice(at, end));
      at = end < 0 ? line.length : end;
    }
    if (at >= line.length) return cells;
    at += 1;
  }
}
