/** The heading of an uploaded CSV: which column counts, and what stands between cells. */

/**
 * Comma; semicolon, as spreadsheets write where the comma is for decimals (German, French); tab, as they copy. The first that
 * makes a cell of the name wins, so that the others may be within cells.
 */
const SEPARATORS = [',', ';', '\t'] as const;
export type Separator = (typeof SEPARATORS)[number];

export interface CsvColumn {
  index: number;
  separator: Separator;
}

/**
 * @param name of the column, upper and lower case alike
 * @param cellsOf takes a line apart
 * @returns null where the line names no such column
 */
export function findColumn(
  heading: string,
  name: string,
  cellsOf: (line: string, separator: Separator) => readonly string[] | null,
): CsvColumn | null {
  for (const separator of SEPARATORS) {
    const names = (cellsOf(heading, separator) ?? []).map((cell) => cell.trim().toLowerCase());
    const index = names.indexOf(name.toLowerCase());
    if (index >= 0) return { index, separator };
  }
  return null;
}
