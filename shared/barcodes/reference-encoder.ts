import bwipjs, { type RawOptions } from 'bwip-js/node';
import { BarcodeError } from './barcode-error.ts';
import { type ModuleMatrix, packModules } from './module-matrix.ts';

/**
 * What bwip-js takes for the two-dimensional symbologies; `bcid` is its name of the symbology.
 * @see https://github.com/bwipp/postscriptbarcode/wiki/Symbologies-Reference
 */
export interface ReferenceOptions extends RawOptions {
  eclevel?: string;
  /** QR: 1 to 40. Data Matrix: rows x columns, as in `22x22`. */
  version?: string;
  /** QR: 1 to 8, one more than the mask's number in ISO/IEC 18004. */
  mask?: number;
  /** Data Matrix: the text is codewords, each written `^nnn`. */
  raw?: boolean;
  columns?: number;
  rows?: number;
}

/** What bwip-js makes of a text: modules in rows for a matrix, other members for bars. */
interface RawSymbol {
  pixs?: number[];
  pixx?: number;
  pixy?: number;
}

/**
 * Encodes with bwip-js, which is the reference for every symbol made here.
 * @throws BarcodeError `BARCODE_UNENCODABLE` when bwip-js refuses the text, or when the symbology is not made
 * of square modules in rows (its bars or hexagons have no matrix).
 */
export function encodeReference(options: ReferenceOptions): ModuleMatrix {
  let symbols: RawSymbol[];
  try {
    // Not the export named `raw`: in bwip-js's ES module that is a symbology of this name.
    symbols = bwipjs.raw(options) as RawSymbol[];
  } catch (cause) {
    throw new BarcodeError('BARCODE_UNENCODABLE', `${options.bcid}: ${describe(cause)}`, { cause });
  }
  const symbol = symbols[0];
  if (symbol?.pixs === undefined || symbol.pixx === undefined || symbol.pixy === undefined) {
    throw new BarcodeError('BARCODE_UNENCODABLE', `${options.bcid} is not a matrix symbology`);
  }
  // Stacked symbologies (PDF417) give each row once, and how tall all of them are together.
  const rows = symbol.pixs.length / symbol.pixx;
  return packModules(symbol.pixs, symbol.pixx, rows, Math.max(1, Math.round(symbol.pixy / rows)));
}

/** bwip-js throws strings and Errors, and prefixes both with the place in its PostScript source. */
export function describe(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.replace(/^(?:Error: )?bwipp?\.?[\w-]*#?\d*:? ?/, '') || text;
}
