import { BarcodeError } from './barcode-error.ts';
import { sameMatrix } from './module-matrix.ts';
import type { Renderer } from './renderer.ts';

/**
 * Compares samples with bwip-js's own symbols, module by module; a few milliseconds each. Payloads on which the
 * two may rightly differ ({@link Renderer.isComparable}) are passed over: give enough samples for some to remain
 * (a random token qualifies nine times in ten).
 * @returns how many were compared.
 * @throws BarcodeError `BARCODE_MISMATCH`, naming the payload, at the first difference: nothing of that job is to
 * be given out.
 */
export function verifySample(renderer: Renderer, payloads: Iterable<string>): number {
  let compared = 0;
  for (const payload of payloads) {
    if (!renderer.isComparable(payload)) continue;
    if (!sameMatrix(renderer.matrix(payload), renderer.reference(payload))) {
      throw new BarcodeError(
        'BARCODE_MISMATCH',
        `the symbol of ${payload} differs from the reference encoder's`,
      );
    }
    compared += 1;
  }
  return compared;
}
