/**
 * Reads an uploaded list, CSV or NDJSON, a line at a time: memory stays the same however long the list is. A line that is
 * not valid is kept with its problem; only a list that cannot be read at all throws.
 */
import { cellOf, findColumn, type CsvColumn } from '../csv-lines.ts';
import { refusal } from '../field-errors.ts';
import type { Keyring } from '../keyring.ts';
import { utf8Text } from '../utf8-text.ts';
import { listedItem, shown, type ListedItem } from './listed-item.ts';
import type { ItemKey } from './source.ts';

/** Lines of one upload. */
const MAX_LINES = 1_000_000;
/** Bytes of one upload: a million printed addresses fit. */
export const MAX_UPLOAD_BYTES = 128 * 1024 * 1024;
/** Where the list of an upload lies. */
export const listKeyOf = (prefix: string): string => `${prefix}list`;

/** Bounds the memory: room for the longest item, for how JSON writes it, and for what stands beside it. */
const MAX_LINE_LENGTH = 10_000;

export interface UploadLine extends ListedItem {
  line: number;
}

/** The upload as a whole is not usable; the message says why, for the caller. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
}

/** Splits a stream of UTF-8 into lines, LF or CRLF. @throws UploadError for what is no text or has endless lines. */
async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of utf8Text(source, () => new UploadError('the list is not UTF-8 text'))) {
    const lines = (rest + text).split('\n');
    // Whole ones as well: what becomes of a list must not depend on where the storage cuts it into pieces.
    if (lines.some((line) => line.length > MAX_LINE_LENGTH))
      throw new UploadError(`a line is longer than ${MAX_LINE_LENGTH} characters`);
    rest = lines.pop()!;
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  if (rest !== '') yield rest.endsWith('\r') ? rest.slice(0, -1) : rest;
}

function ndjsonText(line: string, by: ItemKey): string | null {
  try {
    const value: unknown = JSON.parse(line);
    const text = typeof value === 'string' ? value : (value as Record<string, unknown> | null)?.[by];
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

/**
 * @param by the column, or the member, that names the unit
 * @throws UploadError for a missing column, too many lines, or what is no text
 */
export async function* uploadLines(
  source: AsyncIterable<Uint8Array>,
  format: 'csv' | 'ndjson',
  by: ItemKey,
  tokenKeys: Keyring,
): AsyncGenerator<UploadLine> {
  let number = 0;
  let items = 0;
  let column: CsvColumn | null = null;
  for await (const raw of linesOf(source)) {
    number += 1;
    const line = number === 1 ? raw.replace(/^\uFEFF/, '') : raw;
    if (format === 'csv' && column === null) {
      column = findColumn(line, by);
      if (column === null) throw new UploadError(`the first line must name a column "${by}"`);
      continue;
    }
    if (line.trim() === '') continue;
    items += 1;
    if (items > MAX_LINES)
      throw new UploadError(`the list has more than ${MAX_LINES} lines; upload it in parts`);
    const text = column === null ? ndjsonText(line, by) : cellOf(line, column);
    if (text === null || text === '') {
      const problem = refusal('REQUIRED', `has no "${by}"`);
      yield { line: number, ref: shown(line), key: null, problem };
      continue;
    }
    yield { line: number, ...listedItem(by, text, tokenKeys) };
  }
  if (items === 0) throw new UploadError('the list is empty');
}
