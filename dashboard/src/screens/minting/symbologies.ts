/** How symbologies are called, which is the same in every language, and what each holds. */
import type { Schemas } from '../../api/types.gen.ts';

export type Symbology = Schemas['BarcodeJob']['symbology'];

interface Known {
  name: string;
  /** Key of the group in the texts. */
  holds: 'address' | 'gs1' | 'serial' | 'gtin';
  /** Whether error correction can be chosen. */
  isQr?: boolean;
}

export const SYMBOLOGIES: Readonly<Record<Symbology, Known>> = {
  qr: { name: 'QR Code', holds: 'address', isQr: true },
  'datamatrix-url': { name: 'Data Matrix', holds: 'address' },
  'gs1-digital-link': { name: 'GS1 Digital Link (QR)', holds: 'gs1', isQr: true },
  'gs1-datamatrix': { name: 'GS1 DataMatrix', holds: 'gs1' },
  'gs1-128': { name: 'GS1-128', holds: 'gs1' },
  qrcode: { name: 'QR Code (serial)', holds: 'serial', isQr: true },
  datamatrix: { name: 'Data Matrix (serial)', holds: 'serial' },
  azteccode: { name: 'Aztec', holds: 'serial' },
  pdf417: { name: 'PDF417', holds: 'serial' },
  code128: { name: 'Code 128', holds: 'serial' },
  code93: { name: 'Code 93', holds: 'serial' },
  code39: { name: 'Code 39', holds: 'serial' },
  interleaved2of5: { name: 'Interleaved 2 of 5', holds: 'serial' },
  ean13: { name: 'EAN-13', holds: 'gtin' },
  ean8: { name: 'EAN-8', holds: 'gtin' },
  upca: { name: 'UPC-A', holds: 'gtin' },
  itf14: { name: 'ITF-14', holds: 'gtin' },
};

export const GROUPS = ['address', 'gs1', 'serial', 'gtin'] as const;

interface Sheet {
  name: string;
  columns: number;
  rows: number;
  /** Of a label, in millimetres. */
  size: readonly [width: number, height: number];
}

export const SHEETS: Readonly<Record<string, Sheet>> = {
  'a4-avery-l7159': { name: 'Avery L7159 · A4', columns: 3, rows: 8, size: [63.5, 33.9] },
  'a4-avery-l7160': { name: 'Avery L7160 · A4', columns: 3, rows: 7, size: [63.5, 38.1] },
  'a4-avery-l7163': { name: 'Avery L7163 · A4', columns: 2, rows: 7, size: [99.1, 38.1] },
  'a4-avery-l7651': { name: 'Avery L7651 · A4', columns: 5, rows: 13, size: [38.1, 21.2] },
  'a4-single': { name: 'A4', columns: 1, rows: 1, size: [190, 277] },
  'letter-avery-5160': { name: 'Avery 5160 · Letter', columns: 3, rows: 10, size: [66.7, 25.4] },
  'letter-avery-5163': { name: 'Avery 5163 · Letter', columns: 2, rows: 5, size: [101.6, 50.8] },
  'letter-avery-5167': { name: 'Avery 5167 · Letter', columns: 4, rows: 20, size: [44.5, 12.7] },
};

/** @param layout a preset's name @param number writes a number as the reader does */
export function sheetName(layout: string, number: (value: number) => string): string {
  const sheet = SHEETS[layout];
  if (sheet === undefined) return layout;
  const { name, columns, rows, size } = sheet;
  return `${name}, ${columns} × ${rows}, ${size.map((length) => number(length)).join(' × ')} mm`;
}
