/** A file as a spreadsheet saves it, whose text is not always in UTF-8. */

/** What can be in a table; its names are the service's, in every language. */
export const COLUMNS = [
  'sku',
  'name',
  'gtin',
  'brand',
  'description',
  'imageUrl',
  'markets',
  'attributes',
  'links',
] as const;

export interface TableFile {
  type: string;
  /** As it was chosen: what is imported is what was looked at, whatever becomes of the file meanwhile. */
  text: string;
}

const decodedAs = (bytes: ArrayBuffer, encoding: string): string | null => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

/** Excel's “CSV” is in what Windows had before Unicode, by its language. */
const OF_OLD: Partial<Record<string, string>> = { ja: 'shift_jis', ar: 'windows-1256' };

/** The names are seen before anything is imported. */
const decoded = (bytes: ArrayBuffer, language: string): string => {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  // Excel's “Unicode Text”, and what others write.
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return (
    decodedAs(bytes, 'utf-8') ??
    decodedAs(bytes, OF_OLD[language] ?? 'windows-1252') ??
    new TextDecoder('windows-1252').decode(bytes)
  );
};

/** Of a ZIP, as a workbook is one, and of a workbook of old. */
const WORKBOOKS = ['PK\u0003\u0004', '\u00d0\u00cf\u0011\u00e0'];

/**
 * @param language in which the screens are, and most likely the spreadsheet
 * @returns null for a workbook, which is no table of text. @throws DOMException where the file cannot be read
 */
export async function readTableFile(file: File, language: string): Promise<TableFile | null> {
  const bytes = await file.arrayBuffer();
  const start = String.fromCharCode(...new Uint8Array(bytes, 0, Math.min(4, bytes.byteLength)));
  if (WORKBOOKS.includes(start)) return null;
  const type = /\.(?:ndjson|jsonl)$/i.test(file.name) ? 'application/x-ndjson' : 'text/csv';
  return { type, text: decoded(bytes, language) };
}

/** Where in a table something is wrong. @param path `row.7.gtin`, `row.1.Heading of a column`, `row.7` @returns null for the whole table */
export function placeOf(path: string): { row: number; column: string | null } | null {
  const [, row, rest] = /^row\.(\d+)(?:\.(.+))?$/s.exec(path) ?? [];
  if (row === undefined) return null;
  const first = rest?.split('.')[0];
  // A column that is none of a product's may have full stops in its name; elsewhere they lead on into a list.
  return { row: Number(row), column: COLUMNS.find((one) => one === first) ?? rest ?? null };
}
