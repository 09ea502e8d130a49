/** A file as a spreadsheet saves it, whose text is not always in UTF-8. */

export interface TableFile {
  name: string;
  type: string;
  /** As it was chosen: what is imported is what was looked at, whatever becomes of the file meanwhile. */
  text: string;
}

const decoded = (bytes: ArrayBuffer): string => {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  // Excel's “Unicode Text”.
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Excel's “CSV” in the west; the names are seen before anything is imported.
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

/** Of a ZIP, as a workbook is one, and of a workbook of old. */
const WORKBOOKS = ['PK\u0003\u0004', '\u00d0\u00cf\u0011\u00e0'];

/** @returns null for a workbook, which is no table of text. @throws DOMException where the file cannot be read */
export async function readTableFile(file: File): Promise<TableFile | null> {
  const bytes = await file.arrayBuffer();
  const start = String.fromCharCode(...new Uint8Array(bytes, 0, Math.min(4, bytes.byteLength)));
  if (WORKBOOKS.includes(start)) return null;
  const type = /\.(?:ndjson|jsonl)$/i.test(file.name) ? 'application/x-ndjson' : 'text/csv';
  return { name: file.name, type, text: decoded(bytes) };
}
