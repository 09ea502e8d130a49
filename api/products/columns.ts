/** The columns of a table of products: what a cell says of its field, and how headings name it. */
import { invalidField } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';

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

/** What a cell says of its field, in the order in which tables are written; an empty one empties it. */
export const CELLS = {
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

export type Column = keyof typeof CELLS;

const NAMES = Object.keys(CELLS) as Column[];
/** Passed over as they are read, so that a table may come back as it went. */
const SET_BY_SERVICE = ['id', 'archivedAt', 'createdAt', 'updatedAt'] as const;

export const TABLE_COLUMNS = [...NAMES, ...SET_BY_SERVICE];

/** As people write a name: `imageUrl`, `Image URL`, `image_url`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

const COLUMN_OF = new Map(NAMES.map((name) => [plain(name), name]));
const NO_FIELDS = new Set(SET_BY_SERVICE.map(plain));

/** @returns null for a heading that is none of a field */
export const columnOf = (heading: string): Column | null => COLUMN_OF.get(plain(heading)) ?? null;

export const isSetByService = (heading: string): boolean => NO_FIELDS.has(plain(heading));
