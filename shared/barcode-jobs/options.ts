/** What a job is asked to make. Everything here is checked when the job is created and stored with it. */
import { SHEET_PRESETS, type SheetLayout, type SheetPreset } from '../barcodes/sheet-layout.ts';
import { SYMBOLOGIES, type SymbologySpec, type SymbologyType } from '../barcodes/symbology.ts';

export const FORMATS = ['png', 'svg', 'eps', 'zpl', 'pdf'] as const;
export type Format = (typeof FORMATS)[number];
/** Formats with a file for each unit, in ZIP parts. The others are one file a part. */
export const IMAGE_FORMATS = ['png', 'svg', 'eps'] as const satisfies Format[];

export type SymbologyName = 'qr' | Exclude<SymbologyType, 'qr-url'>;
/** As callers name them: `qr` is the renderer's `qr-url`. */
export const SYMBOLOGY_NAMES = ['qr', ...Object.keys(SYMBOLOGIES).filter((type) => type !== 'qr-url')] as [
  SymbologyName,
  ...SymbologyName[],
];

export const symbologyTypeOf = (name: SymbologyName): SymbologyType => (name === 'qr' ? 'qr-url' : name);

export const SHEET_FIELDS = ['product', 'brand', 'sku', 'gtin', 'lot', 'expiry', 'serial', 'token'] as const;
export type SheetField = (typeof SHEET_FIELDS)[number];

/** Label sheets, for the format `pdf`. */
export interface SheetOptions {
  layout: SheetPreset | SheetLayout;
  /** Lines of text on each label, from the top. */
  fields: SheetField[];
}

/** As a caller asks for them. */
export interface SheetRequest {
  layout: SheetOptions['layout'];
  /** Null: those of {@link DEFAULT_SHEET} that fit. */
  fields: SheetField[] | null;
}

export const DEFAULT_SHEET: SheetOptions = {
  layout: 'a4-avery-l7160',
  fields: ['product', 'lot', 'expiry', 'serial'],
};

/** What is printed where nothing is said of sheets. */
export const ANY_SHEET: SheetRequest = { layout: DEFAULT_SHEET.layout, fields: null };

export const layoutOf = ({ layout }: Pick<SheetOptions, 'layout'>): SheetLayout =>
  typeof layout === 'string' ? SHEET_PRESETS[layout] : layout;

/** How units get their serials. The first job of a batch decides, later ones keep to it. */
export type SerialScheme =
  | { source: 'random' }
  /** `prefix` and the number `first + ordinal`, zero-padded to `digits`. */
  | { source: 'sequential'; prefix: string; first: number; digits: number }
  | { source: 'uploaded'; uploadId: string };

/** As a caller asks: the upload is the batch's. */
export type SerialRequest = Exclude<SerialScheme, { source: 'uploaded' }> | { source: 'uploaded' };

export type SymbolLook = Omit<SymbologySpec, 'type'>;

export interface JobOptions {
  look: SymbolLook;
  sheet: SheetOptions | null;
  serials: SerialScheme;
  /** The product's when the job was created, so that every part of a job holds the same one. */
  gtin: string | null;
  /** The organization's own address when the job was created, as symbols hold it; absent where codes lead to the service's. */
  baseUrl?: string;
  /** What labels call the product, as it was then: a sheet was found to fit for these. Absent from jobs of before this was kept. */
  label?: { productName: string; brand: string | null; sku: string };
}

export const sequentialSerial = (
  scheme: Extract<SerialScheme, { source: 'sequential' }>,
  ordinal: number,
): string => scheme.prefix + String(scheme.first + ordinal).padStart(scheme.digits, '0');

/** Units of a chunk, which is also one part of the artifacts. */
export interface ChunkPlan {
  total: number;
  formats: readonly Format[];
  sheet: SheetOptions | null;
  /** Whether symbols are made by XOR (microseconds) or by bwip-js (milliseconds). */
  fast: boolean;
  /** The largest chunk that the installation wants. */
  most: number;
}

const SMALLEST = 250;
/** About three seconds of bwip-js: what another organization's job waits for, and what a crash may cost. */
const MOST_WHEN_SLOW = 1_000;

/**
 * Small jobs are cut smaller, so that their progress moves and several workers share them; parts with label sheets
 * hold whole sheets.
 */
export function chunkUnits({ total, formats, sheet, fast, most }: ChunkPlan): number {
  const ceiling = Math.min(most, fast ? most : MOST_WHEN_SLOW);
  const units = Math.min(ceiling, Math.max(SMALLEST, Math.ceil(total / 8)));
  if (sheet === null || !formats.includes('pdf')) return units;
  const { columns, rows } = layoutOf(sheet);
  const perSheet = columns * rows;
  return perSheet > ceiling
    ? units
    : Math.min(Math.ceil(units / perSheet), Math.floor(ceiling / perSheet)) * perSheet;
}
