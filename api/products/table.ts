/** A table of products as it is uploaded: CSV, as a spreadsheet saves it, or NDJSON. What is wrong with it is told by row and column. */
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { findColumn } from '../../shared/csv-lines.ts';
import { withoutGuards } from '../../shared/csv.ts';
import { AppError, invalidField, invalidFields } from '../../shared/errors.ts';
import { refusal, type FieldError, type Refusal } from '../../shared/field-errors.ts';
import { MOST_PROBLEMS, type ImportedProduct } from '../../shared/products/import.ts';
import { utf8Text } from '../../shared/utf8-text.ts';
import type { LineFormat } from '../line-formats.ts';
import { vetJson } from '../middleware/json-body.ts';
import { parseInput } from '../parse-input.ts';
import { CELLS, columnOf, isSetByService, type Column } from './columns.ts';
import { importedProductBody } from './schema.ts';

/** Products of one table: what is planned, locked and written at once. */
export const MAX_PRODUCTS = 10_000;
/** With the empty ones, as a sheet has them below its table. */
const MAX_ROWS = 100_000;
/** Of a row. What one request for one product may hold (256 KB) fits, as a list of all of them writes it. */
export const MAX_ROW_CHARACTERS = 300_000;
/** Rows, after which others get a turn. */
const SLICE = 200;
/** Of a heading, in what is told of it. */
const MAX_SHOWN = 100;
/** Characters, after which they do. */
const SLICE_CHARACTERS = 64 * 1024;

type Values = Record<string, unknown>;
/** What a row says, by field; or what is wrong with it, below the row's own path. */
type Row = { row: number; values: Values } | { row: number; problems: readonly FieldError[] };

/**
 * @param source UTF-8
 * @throws AppError VALIDATION_FAILED that names the rows and columns at fault
 */
export async function readTable(
  source: AsyncIterable<Uint8Array>,
  format: LineFormat,
): Promise<ImportedProduct[]> {
  const notText = () =>
    invalidField('', refusal('NOT_UTF_8', 'must be text in UTF-8: save it as “CSV UTF-8”'));
  const pieces: string[] = [];
  for await (const piece of utf8Text(source, notText)) pieces.push(piece);
  const products: ImportedProduct[] = [];
  const problems: FieldError[] = [];
  const rowOf = new Map<string, number>();
  let rows = 0;
  for await (const read of format === 'csv' ? csvRows(pieces) : ndjsonRows(pieces)) {
    rows += 1;
    if (rows > MAX_PRODUCTS)
      throw invalidField(
        '',
        refusal('TOO_MANY', `must have at most ${MAX_PRODUCTS} products: import it in parts`, {
          maximum: MAX_PRODUCTS,
        }),
      );
    const taken: Taken = 'problems' in read ? read : checked(read.row, read.values);
    if ('problems' in taken) problems.push(...taken.problems.slice(0, MOST_PROBLEMS));
    else {
      const { sku } = taken.fields;
      const first = rowOf.get(sku);
      if (first !== undefined)
        problems.push({
          path: `row.${taken.row}.sku`,
          ...refusal('REPEATED', `stands in row ${first} already`),
        });
      else rowOf.set(sku, taken.row);
      products.push(taken);
    }
    if (problems.length >= MOST_PROBLEMS) break;
    if (rows % SLICE === 0) await setImmediate();
  }
  if (problems.length > 0) throw invalidFields(problems.slice(0, MOST_PROBLEMS));
  if (products.length === 0) throw invalidField('', refusal('TOO_FEW', 'has no products', { minimum: 1 }));
  return products;
}

const problemAt = (row: number, path: string, refusedAs: Refusal): Row => ({
  row,
  problems: [{ path: `row.${row}${path === '' ? '' : `.${path}`}`, ...refusedAs }],
});

type Taken = ImportedProduct | { problems: readonly FieldError[] };

function checked(row: number, values: Values): Taken {
  const root = `row.${row}`;
  try {
    vetJson(values, root);
    return { row, fields: parseInput(importedProductBody, values, root) };
  } catch (error) {
    if (error instanceof AppError && error.options.errors !== undefined)
      return { problems: error.options.errors };
    throw error;
  }
}

async function* ndjsonRows(pieces: readonly string[]): AsyncGenerator<Row> {
  const text = pieces.join('');
  let turn = SLICE_CHARACTERS;
  for (let at = 0, row = 1; at < text.length; row += 1) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    if (end - at > MAX_ROW_CHARACTERS) yield tooLong(row);
    else {
      const line = text.slice(at, end);
      if (line.trim() !== '') yield ndjsonRow(row, line);
    }
    at = end + 1;
    if (at < turn) continue;
    turn = at + SLICE_CHARACTERS;
    await setImmediate();
  }
}

const tooLong = (row: number): Row =>
  problemAt(
    row,
    '',
    refusal('TOO_LONG', `has more than ${MAX_ROW_CHARACTERS} characters`, { maximum: MAX_ROW_CHARACTERS }),
  );

function ndjsonRow(row: number, line: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return problemAt(row, '', refusal('WRONG_FORMAT', 'is not JSON'));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { row, values: value as Values };
  return problemAt(row, '', refusal('WRONG_TYPE', 'must be an object', { expected: 'object' }));
}

async function* csvRows(given: readonly string[]): AsyncGenerator<Row> {
  const pieces = withoutHint(given);
  const [heading = ''] = pieces.join('').split(/[\r\n]/, 1);
  if (heading.length > MAX_ROW_CHARACTERS) {
    yield tooLong(1);
    return;
  }
  const found = findColumn(heading, 'sku');
  if (found === null)
    throw invalidField('row.1.sku', refusal('REQUIRED', 'is needed: the first row names the columns'));
  let columns: (Column | null)[] | null = null;
  let row = 0;
  let read: Row[] = [];
  const parser = parse({
    bom: true,
    delimiter: found.separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    trim: true,
    max_record_size: MAX_ROW_CHARACTERS,
    // Taken here, as what a stream has not handed over yet is lost when it fails, and with it the number of the row at fault.
    on_record: (cells: string[]) => {
      row += 1;
      if (row > MAX_ROWS) throw tooManyRows();
      if (columns === null) columns = columnsOf(cells);
      else if (cells.some((cell) => cell !== '')) read.push(csvRow(row, columns, cells));
      return null;
    },
  });
  // The writes are told as well.
  parser.on('error', () => {});
  // A piece at a time: the parser would read all that it is given before anybody else gets a turn.
  for (const piece of [...pieces, null]) {
    const failure = await parsed(parser, piece);
    yield* read;
    read = [];
    if (failure instanceof CsvError) {
      if (failure.code === 'CSV_MAX_RECORD_SIZE') yield tooLong(row + 1);
      else
        yield problemAt(
          row + 1,
          '',
          refusal('WRONG_FORMAT', 'has a quote where none can be, or one too few'),
        );
      return;
    }
    if (failure !== null) throw failure;
    await setImmediate();
  }
}

/** Before a table for Excel there may be a line that says what stands between cells. No spreadsheet shows it or counts it. */
function withoutHint(pieces: readonly string[]): string[] {
  let left = /^sep=.(?:\r\n|\r|\n)/i.exec(pieces.join(''))?.[0].length ?? 0;
  return pieces.map((piece) => {
    const rest = piece.slice(left);
    left = Math.max(0, left - piece.length);
    return rest;
  });
}

const tooManyRows = (): AppError =>
  invalidField(
    '',
    refusal('TOO_MANY', `must have at most ${MAX_ROWS} rows: remove the empty ones`, { maximum: MAX_ROWS }),
  );

/** @param piece null at the end @returns what is wrong with it */
const parsed = (parser: ReturnType<typeof parse>, piece: string | null): Promise<Error | null> =>
  new Promise((resolve) => {
    const done = (failure?: Error | null): void => resolve(failure ?? null);
    if (piece === null) parser.end(done);
    else parser.write(piece, done);
  });

/** @throws AppError VALIDATION_FAILED for a column that is none of a product, or is there twice */
function columnsOf(names: readonly string[]): (Column | null)[] {
  const columns = names.map(columnOf);
  const seen = new Set<Column>();
  const problems = names.flatMap((name, index): FieldError[] => {
    const column = columns[index]!;
    const path = `row.1.${name.slice(0, MAX_SHOWN)}`;
    if (column !== null) {
      if (seen.has(column)) return [{ path, ...refusal('REPEATED', 'is there twice') }];
      seen.add(column);
      return [];
    }
    if (name === '' || isSetByService(name)) return [];
    return [{ path, ...refusal('UNKNOWN_FIELD', 'is not a column of products') }];
  });
  if (problems.length > 0) throw invalidFields(problems.slice(0, MOST_PROBLEMS));
  return columns;
}

function csvRow(row: number, columns: readonly (Column | null)[], cells: string[]): Row {
  const wanted = columns.length;
  while (cells.length > wanted && cells.at(-1) === '') cells.pop();
  if (cells.length > wanted) {
    const many = `has ${cells.length} cells, the heading has ${wanted}`;
    return problemAt(row, '', refusal('TOO_MANY', many, { maximum: wanted }));
  }
  const values: Values = {};
  for (const [index, column] of columns.entries()) {
    if (column === null) continue;
    try {
      // Excel leaves out the last cells of sixteen rows where they are empty in all of them (KB 77295).
      values[column] = CELLS[column](withoutGuards(cells[index] ?? '').trim());
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { path: _, ...problem } = error.options.errors![0]!;
      return problemAt(row, column, problem);
    }
  }
  return { row, values };
}
