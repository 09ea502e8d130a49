import { isDark } from '../../shared/barcodes/module-matrix.ts';
import { encodeReference } from '../../shared/barcodes/reference-encoder.ts';

/** The QR code of a text, a string for each row, 1 for a dark module. */
export function qrRows(text: string): string[] {
  const matrix = encodeReference({ bcid: 'qrcode', text, eclevel: 'M' });
  return Array.from({ length: matrix.height }, (_, y) =>
    Array.from({ length: matrix.width }, (_module, x) => (isDark(matrix, x, y) ? '1' : '0')).join(''),
  );
}
