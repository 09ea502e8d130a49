/**
 * Reads an uploaded list, CSV or NDJSON, a line at a time: memory stays the same however long the list is. A line that is
 * not valid is kept with its problem; only a list that cannot be read at all throws.
 */
import { cellOf, findColumn, WRONG_QUOTES, type CsvColumn } from '../csv-lines.ts';
import { refusal, type Refusal } from '../field-errors.ts';
import type { Keyring } from '../keyring.ts';
import { MAX_LINE, textLines } from '../text-lines.ts';
import { listedItem, shown, type ListedItem } from './listed-item.ts';
import type { ItemKey } from './source.ts';

/** Lines of one upload. */
const MAX_LINES = 1_000_000;
/** Bytes of one upload: a million printed addresses fit. */
export const MAX_UPLOAD_BYTES = 128 * 1024 * 1024;
/** Where the list of an upload lies. */
export const listKeyOf = (prefix: string): string => `${prefix}list`;

export interface UploadLine extends ListedItem {
  line: number;
}

/** The upload as a whole is not usable; the message says why, for the caller. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
}

const refusals = {
  notText: () => new UploadError('the list is not UTF-8 text'),
  tooLong: () => new UploadError(`a line is longer than ${MAX_LINE} characters`),
};

/** Columns that name a unit, the first that is there: by the key's own name, or as the service's lists and exports have it. */
const NAMES: Readonly<Record<ItemKey, readonly string[]>> = {
  unitId: ['unitId', 'productUnitId', 'id'],
  serial: ['serial'],
  code: ['code', 'token', 'address', 'verifyUrl'],
};

function columnOf(heading: string, by: ItemKey): CsvColumn {
  for (const name of NAMES[by]) {
    const column = findColumn(heading, name);
    if (column !== null) return column;
  }
  throw new UploadError(`the first line must name a column "${by}"`);
}

function memberOf(value: Record<string, unknown>, by: ItemKey): unknown {
  const name = NAMES[by].find((each) => value[each] !== undefined);
  return name === undefined ? undefined : value[name];
}

/** What a line names the unit by, or what is wrong with the line. */
function ndjsonText(line: string, by: ItemKey): string | Refusal {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refusal('WRONG_FORMAT', 'is not JSON');
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const text = isObject ? memberOf(value as Record<string, unknown>, by) : value;
  if (typeof text === 'string' && text !== '') return text;
  return text === undefined || text === null || text === ''
    ? refusal('REQUIRED', `has no "${by}"`)
    : refusal('WRONG_FORMAT', `must have its "${by}" as text`);
}

function csvText(line: string, by: ItemKey, column: CsvColumn): string | Refusal {
  const text = cellOf(line, column);
  if (text === null) return WRONG_QUOTES;
  return text === '' ? refusal('REQUIRED', `has no "${by}"`) : text;
}

/**
 * @param by what names the unit, see {@link NAMES}
 * @throws UploadError for a missing column, too many lines, or what is no text
 */
export async function* uploadLines(
  source: AsyncIterable<Uint8Array>,
  format: 'csv' | 'ndjson',
  by: ItemKey,
  tokenKeys: Keyring,
): AsyncGenerator<UploadLine> {
  let items = 0;
  let column: CsvColumn | null = null;
  for await (const { lines, first } of textLines(source, refusals))
    for (const [index, text] of lines.entries()) {
      if (format === 'csv' && column === null) {
        column = columnOf(text, by);
        continue;
      }
      if (text.trim() === '') continue;
      items += 1;
      if (items > MAX_LINES)
        throw new UploadError(`the list has more than ${MAX_LINES} lines; upload it in parts`);
      const line = first + index;
      const named = column === null ? ndjsonText(text, by) : csvText(text, by, column);
      if (typeof named === 'string') yield { line, ...listedItem(by, named, tokenKeys) };
      else yield { line, ref: shown(text), key: null, problem: named };
    }
  if (items === 0) throw new UploadError('the list is empty');
}
