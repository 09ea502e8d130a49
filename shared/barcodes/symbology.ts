import type { ErrorCorrection } from './qr-table.ts';

/**
 * How a symbol is asked for: what is encoded, in which symbology, and how it looks.
 * {@link validateSymbology} says whether a specification can be carried out.
 */
export interface SymbologySpec {
  /** One of {@link SYMBOLOGIES}. */
  readonly type: SymbologyType;
  /** QR only; M when not given. */
  readonly errorCorrection?: ErrorCorrection;
  /** Pixels (PNG), printer dots (ZPL) or CSS pixels (SVG) along a module's side: 1 to 32; 4 when not given. */
  readonly scale?: number;
  /** Pixels per inch, for a PNG that prints at a known size: 72 to 2400. */
  readonly dpi?: number;
  /** Light modules on each side; what the symbology's standard asks for when not given. */
  readonly quietZone?: number;
  /** Whether the serial (two-dimensional symbologies) or the data (linear ones) stands beneath the symbol. */
  readonly text?: boolean;
  /** `#rrggbb`; black when not given. */
  readonly foreground?: string;
  /** `#rrggbb`; white when not given. */
  readonly background?: string;
}

/** Which value of a unit is encoded. */
export type SymbolContent = 'address' | 'digital-link' | 'element-string' | 'serial' | 'gtin';

export interface SymbologyTraits {
  /** bwip-js's name of it. */
  readonly bcid: string;
  readonly content: SymbolContent;
  /** `qr` and `datamatrix` have a fast path; `matrix` and `bars` are made by bwip-js one by one. */
  readonly kind: 'qr' | 'datamatrix' | 'matrix' | 'bars';
  /** The quiet zone that the standard asks for, in modules. */
  readonly quietZone: number;
  readonly needsGtin?: 'any' | 8 | 12 | 13 | 14;
  /** Characters that the symbology can hold, where these are fewer than CSET 82; a class of a regular expression. */
  readonly characters?: string;
  /** The longest serial that still gives a symbol of a reasonable size. */
  readonly maxLength: number;
}

/** Whether a symbol says by GTIN and serial which unit it is. */
export const namesUnitByGtin = ({ content }: Pick<SymbologyTraits, 'content'>): boolean =>
  content === 'digital-link' || content === 'element-string';

const serial = { content: 'serial', maxLength: 20 } as const;

/** Every symbology that a job can ask for. Quiet zones are those of the symbologies' ISO/IEC standards. */
export const SYMBOLOGIES = {
  'qr-url': { bcid: 'qrcode', content: 'address', kind: 'qr', quietZone: 4, maxLength: 20 },
  'gs1-digital-link': {
    bcid: 'qrcode',
    content: 'digital-link',
    kind: 'qr',
    quietZone: 4,
    needsGtin: 'any',
    maxLength: 20,
  },
  'gs1-datamatrix': {
    bcid: 'gs1datamatrix',
    content: 'element-string',
    kind: 'datamatrix',
    quietZone: 1,
    needsGtin: 'any',
    maxLength: 20,
  },
  'datamatrix-url': {
    bcid: 'datamatrix',
    content: 'address',
    kind: 'datamatrix',
    quietZone: 1,
    maxLength: 20,
  },
  'gs1-128': {
    bcid: 'gs1-128',
    content: 'element-string',
    kind: 'bars',
    quietZone: 10,
    needsGtin: 'any',
    maxLength: 20,
  },
  qrcode: { ...serial, bcid: 'qrcode', kind: 'qr', quietZone: 4 },
  datamatrix: { ...serial, bcid: 'datamatrix', kind: 'datamatrix', quietZone: 1 },
  azteccode: { ...serial, bcid: 'azteccode', kind: 'matrix', quietZone: 1 },
  pdf417: { ...serial, bcid: 'pdf417', kind: 'matrix', quietZone: 2 },
  code128: { ...serial, bcid: 'code128', kind: 'bars', quietZone: 10 },
  code93: { ...serial, bcid: 'code93', kind: 'bars', quietZone: 10, characters: '[0-9A-Z. $/+%-]' },
  code39: { ...serial, bcid: 'code39', kind: 'bars', quietZone: 10, characters: '[0-9A-Z. $/+%-]' },
  interleaved2of5: { ...serial, bcid: 'interleaved2of5', kind: 'bars', quietZone: 10, characters: '[0-9]' },
  ean13: { bcid: 'ean13', content: 'gtin', kind: 'bars', quietZone: 11, needsGtin: 13, maxLength: 13 },
  ean8: { bcid: 'ean8', content: 'gtin', kind: 'bars', quietZone: 7, needsGtin: 8, maxLength: 8 },
  upca: { bcid: 'upca', content: 'gtin', kind: 'bars', quietZone: 9, needsGtin: 12, maxLength: 12 },
  itf14: { bcid: 'itf14', content: 'gtin', kind: 'bars', quietZone: 10, needsGtin: 14, maxLength: 14 },
} as const satisfies Record<string, SymbologyTraits>;

export type SymbologyType = keyof typeof SYMBOLOGIES;

/** The traits of a symbology, in the common type. */
export function symbologyTraits(type: SymbologyType): SymbologyTraits {
  return SYMBOLOGIES[type];
}

/** A specification with every default filled in. */
export interface CompleteSpec {
  readonly type: SymbologyType;
  readonly errorCorrection: ErrorCorrection;
  readonly scale: number;
  readonly dpi: number | undefined;
  readonly quietZone: number;
  readonly text: boolean;
  readonly foreground: string;
  readonly background: string;
}

export function completeSpec(spec: SymbologySpec): CompleteSpec {
  return {
    type: spec.type,
    errorCorrection: spec.errorCorrection ?? 'M',
    scale: spec.scale ?? 4,
    dpi: spec.dpi,
    quietZone: spec.quietZone ?? symbologyTraits(spec.type).quietZone,
    text: spec.text ?? false,
    foreground: spec.foreground ?? '#000000',
    background: spec.background ?? '#ffffff',
  };
}
