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

export const SHEETS: Readonly<Record<string, string>> = {
  'a4-avery-l7159': 'Avery L7159 · A4, 3 × 8, 63.5 × 33.9 mm',
  'a4-avery-l7160': 'Avery L7160 · A4, 3 × 7, 63.5 × 38.1 mm',
  'a4-avery-l7163': 'Avery L7163 · A4, 2 × 7, 99.1 × 38.1 mm',
  'a4-avery-l7651': 'Avery L7651 · A4, 5 × 13, 38.1 × 21.2 mm',
  'a4-single': 'A4, 1 × 1, 190 × 277 mm',
  'letter-avery-5160': 'Avery 5160 · Letter, 3 × 10, 66.7 × 25.4 mm',
  'letter-avery-5163': 'Avery 5163 · Letter, 2 × 5, 101.6 × 50.8 mm',
  'letter-avery-5167': 'Avery 5167 · Letter, 4 × 20, 44.5 × 12.7 mm',
};
