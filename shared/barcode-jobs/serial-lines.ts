/**
 * Serials out of an upload, line by line, without ever holding more than a block of it: CSV (a column, or the column
 * `serial` of several), NDJSON (`"A1"` or `{"serial": "A1"}` on each line) and JSON (an array of either).
 */
import { cellOf, findColumn, type CsvColumn } from '../csv-lines.ts';
import { AppError } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { MAX_LINE, textLines } from '../text-lines.ts';
import { utf8Text } from '../utf8-text.ts';

export type SerialFormat = 'csv' | 'ndjson' | 'json';

export interface SerialLine {
  /** From 1, as an editor counts. */
  line: number;
  /** Empty where the line has none, null where its quotation marks are not right. */
  serial: string | null;
}

const tooLong = (line: number): AppError =>
  new AppError('VALIDATION_FAILED', {
    detail: `line ${line} has more than ${MAX_LINE} characters`,
    errors: [
      {
        path: `line.${line}`,
        ...refusal('TOO_LONG', `has more than ${MAX_LINE} characters`, { maximum: MAX_LINE }),
      },
    ],
  });

const notText = (): AppError =>
  new AppError('VALIDATION_FAILED', {
    detail: 'the file is not UTF-8 text',
    errors: [{ path: '', ...refusal('NOT_UTF_8', 'is not UTF-8 text') }],
  });

/**
 * @yields blocks of serials as they arrive; a line that is not one yields its text, to be refused by its characters.
 * @throws AppError VALIDATION_FAILED for what is no text in lines, MALFORMED_JSON for what is no JSON
 */
export async function* serialLines(
  source: AsyncIterable<Uint8Array>,
  format: SerialFormat,
): AsyncGenerator<SerialLine[]> {
  if (format === 'json') {
    yield* jsonSerials(source);
    return;
  }
  const read = format === 'csv' ? csvReader() : readJsonLine;
  for await (const { lines, first } of textLines(source, { notText, tooLong })) {
    const block: SerialLine[] = [];
    for (const [index, text] of lines.entries()) {
      if (text.trim() === '') continue;
      const serial = read(text, first + index);
      if (serial !== undefined) block.push({ line: first + index, serial });
    }
    yield block;
  }
}

/** A first line that says `serial` is a header; the column is found by it. Otherwise the first column counts, by commas. */
function csvReader(): (text: string) => SerialLine['serial'] | undefined {
  let column: CsvColumn | null = null;
  return (text) => {
    if (column === null) {
      column = findColumn(text, 'serial');
      if (column !== null) return undefined;
      column = { index: 0, separator: ',' };
    }
    return cellOf(text, column);
  };
}

const malformed = (line: number): AppError =>
  new AppError('MALFORMED_JSON', { detail: `line ${line} is neither "A1" nor {"serial": "A1"}` });

function serialOf(value: unknown, line: number): string {
  const serial = typeof value === 'object' && value !== null ? (value as { serial?: unknown }).serial : value;
  if (typeof serial !== 'string') throw malformed(line);
  return serial;
}

function readJsonLine(text: string, line: number): string {
  try {
    return serialOf(JSON.parse(text), line);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw malformed(line);
  }
}

type Expected = 'array' | 'element-or-end' | 'element' | 'comma-or-end' | 'nothing';

/** The characters between elements, where each may stand, and what may come after it. */
const MARKS: ReadonlyMap<string, Expected> = new Map([
  ['array [', 'element-or-end'],
  ['element-or-end ]', 'nothing'],
  ['comma-or-end ,', 'element'],
  ['comma-or-end ]', 'nothing'],
]);

/**
 * An array of strings or of flat objects, taken apart element by element; a "line" is then an element's number.
 * A small scanner finds where each element ends; JSON.parse reads it.
 */
async function* jsonSerials(source: AsyncIterable<Uint8Array>): AsyncGenerator<SerialLine[]> {
  let text = '';
  /** What may come next, beside white space. */
  let expected = 'array' as Expected;
  let number = 0;
  const take = (final: boolean): SerialLine[] => {
    const block: SerialLine[] = [];
    let at = 0;
    for (;;) {
      while (at < text.length && /[ \t\r\n]/.test(text[at]!)) at += 1;
      if (at >= text.length) break;
      const mark = `${expected} ${text[at]}`;
      if (MARKS.has(mark)) {
        expected = MARKS.get(mark)!;
        at += 1;
        continue;
      }
      if (expected !== 'element' && expected !== 'element-or-end') throw malformed(number + 1);
      const end = elementEnd(text, at);
      if ((end ?? text.length) - at > MAX_LINE) throw malformed(number + 1);
      if (end === null) {
        if (final) throw malformed(number + 1);
        break;
      }
      number += 1;
      block.push({ line: number, serial: readJsonLine(text.slice(at, end), number) });
      expected = 'comma-or-end';
      at = end;
    }
    text = text.slice(at);
    return block;
  };
  for await (const more of utf8Text(source, notText)) {
    text += more;
    yield take(false);
  }
  yield take(true);
  if (expected !== 'nothing') throw malformed(number + 1);
}

/** Where the string or flat object that begins at `at` ends, or null where it goes on beyond the text. */
function elementEnd(text: string, at: number): number | null {
  const pattern = text[at] === '{' ? OBJECT : STRING;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

// Linear in the length: each character is looked at once, in one class only.
const STRING = /"(?:[^"\\]|\\.)*"/y;
const OBJECT = /\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\}/y;
