/** A table of products as it is uploaded: CSV, as a spreadsheet saves it, or NDJSON. What is wrong with it is told by row and column. */
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { findColumn } from '../../shared/csv-lines.ts';
import { withoutGuards } from '../../shared/csv.ts';
import { AppError, invalidField } from '../../shared/errors.ts';
import { refusal, type FieldError, type Refusal } from '../../shared/field-errors.ts';
import { MOST_PROBLEMS, type ImportedProduct } from '../../shared/products/import.ts';
import { utf8Text } from '../../shared/utf8-text.ts';
import { vetJson } from '../middleware/json-body.ts';
import { parseInput } from '../parse-input.ts';
import { importedProductBody } from './schema.ts';

/** Products of one table: what is planned, locked and written at once. */
export const MAX_PRODUCTS = 10_000;
/** Rows, after which others get a turn. */
const SLICE = 200;

/** Columns of the table that is exported and no field that could be changed: a table may come back as it went. */
const READ_ONLY = new Set(['id', 'archivedat', 'createdat', 'updatedat']);

type Values = Record<string, unknown>;
/** What a row says, by field; or what is wrong with it, below the row's own path. */
type Row = { row: number; values: Values } | { row: number; problems: readonly FieldError[] };

/** As people write a name: `imageUrl`, `Image URL`, `image_url`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

const textOrNull = (cell: string): string | null => (cell === '' ? null : cell);

/** A spreadsheet takes a GTIN for a number, and writes it without its first zeros. The check digit stays what it was. */
const withLostZeros = (gtin: string): string => {
  if (/^\d{9,11}$/.test(gtin)) return gtin.padStart(12, '0');
  return /^\d{7}$/.test(gtin) ? gtin.padStart(8, '0') : gtin;
};

const json =
  (empty: unknown) =>
  (cell: string): unknown => {
    if (cell === '') return empty;
    try {
      return JSON.parse(cell);
    } catch {
      throw invalidField('', refusal('WRONG_FORMAT', 'is not JSON'));
    }
  };

/** What a cell says of its field; an empty one empties it. */
const CELLS = {
  sku: (cell: string) => cell,
  name: (cell: string) => cell,
  gtin: (cell: string) => textOrNull(withLostZeros(cell.replaceAll(/[\s-]/g, ''))),
  brand: textOrNull,
  description: textOrNull,
  imageUrl: textOrNull,
  markets: (cell: string) =>
    cell.split(/[\s,;|]+/).flatMap((code) => (code === '' ? [] : code.toUpperCase())),
  attributes: json({}),
  links: json([]),
} satisfies Record<string, (cell: string) => unknown>;

type Column = keyof typeof CELLS;
const NAMES = Object.keys(CELLS) as Column[];
const COLUMN_OF = new Map(NAMES.map((name) => [plain(name), name]));

/**
 * @param source UTF-8
 * @throws AppError VALIDATION_FAILED that names the rows and columns at fault
 */
export async function readTable(
  source: AsyncIterable<Uint8Array>,
  format: 'csv' | 'ndjson',
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
    if ('problems' in taken) problems.push(...taken.problems);
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
  if (problems.length > 0) throw refused(problems.slice(0, MOST_PROBLEMS));
  if (products.length === 0) throw invalidField('', refusal('TOO_FEW', 'has no products', { minimum: 1 }));
  return products;
}

const refused = (errors: FieldError[]): AppError =>
  new AppError('VALIDATION_FAILED', {
    detail: errors
      .slice(0, 5)
      .map(({ path, message }) => `${path.replaceAll('.', ' ')}: ${message}`)
      .join('; '),
    errors,
  });

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
  for (const [index, line] of pieces.join('').split('\n').entries()) {
    if (line.trim() !== '') yield ndjsonRow(index + 1, line);
  }
}

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

async function* csvRows(pieces: readonly string[]): AsyncGenerator<Row> {
  const [heading = ''] = pieces.join('').split(/[\r\n]/, 1);
  const found = findColumn(heading, 'sku');
  if (found === null)
    throw invalidField('row.1.sku', refusal('REQUIRED', 'is needed: the first row names the columns'));
  const parser = parse({
    bom: true,
    delimiter: found.separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    trim: true,
  });
  void feed(parser, pieces);
  let columns: (Column | null)[] | null = null;
  let row = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1;
      if (columns === null) columns = columnsOf(cells);
      else if (cells.some((cell) => cell !== '')) yield csvRow(row, columns, cells);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield problemAt(row + 1, '', refusal('WRONG_FORMAT', 'has a quote where none can be, or one too few'));
  }
}

/** A piece at a time: the parser would read all that it is given before anybody else gets a turn. */
async function feed(parser: ReturnType<typeof parse>, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    if (parser.destroyed) return;
    parser.write(piece);
    await setImmediate();
  }
  parser.end();
}

/** @throws AppError VALIDATION_FAILED for a column that is none of a product, or is there twice */
function columnsOf(names: readonly string[]): (Column | null)[] {
  const columns = names.map((name) => COLUMN_OF.get(plain(name)) ?? null);
  const problems = names.flatMap((name, index): FieldError[] => {
    const column = columns[index]!;
    const path = `row.1.${name}`;
    if (column !== null)
      return columns.indexOf(column) === index ? [] : [{ path, ...refusal('REPEATED', 'is there twice') }];
    if (name === '' || READ_ONLY.has(plain(name))) return [];
    return [{ path, ...refusal('UNKNOWN_CHOICE', 'is not a column of products', { choices: NAMES }) }];
  });
  if (problems.length > 0) throw refused(problems);
  return columns;
}

function csvRow(row: number, columns: readonly (Column | null)[], cells: readonly string[]): Row {
  const wanted = columns.length;
  const many = `has ${cells.length} cells, the heading has ${wanted}`;
  if (cells.length < wanted) return problemAt(row, '', refusal('TOO_FEW', many, { minimum: wanted }));
  if (cells.length > wanted) return problemAt(row, '', refusal('TOO_MANY', many, { maximum: wanted }));
  const values: Values = {};
  for (const [index, column] of columns.entries()) {
    if (column === null) continue;
    try {
      values[column] = CELLS[column](withoutGuards(cells[index]!).trim());
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { path: _, ...problem } = error.options.errors![0]!;
      return problemAt(row, column, problem);
    }
  }
  return { row, values };
}
