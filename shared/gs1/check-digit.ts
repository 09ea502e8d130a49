/**
 * The check digit of GS1's numeric keys (GTIN, SSCC, GLN …): GS1 General Specifications, section 7.9. From the right,
 * the digits before it weigh 3, 1, 3 …; the check digit completes the sum to a multiple of ten.
 */

const GTIN = /^(?:\d{8}|\d{12,14})$/;

/**
 * @param body the digits without the check digit.
 * @returns the check digit as one character.
 */
export function checkDigitOf(body: string): string {
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    const weight = (body.length - i) % 2 === 1 ? 3 : 1;
    sum += Number(body[i]) * weight;
  }
  return String((10 - (sum % 10)) % 10);
}

/** Whether a text is an SSCC: eighteen digits, the last of which checks the others. */
export const isSscc = (text: string): boolean =>
  /^\d{18}$/.test(text) && checkDigitOf(text.slice(0, -1)) === text.slice(-1);

/**
 * Reads a GTIN-8, -12, -13 or -14.
 * @returns its fourteen digits, zero-padded, or null when it has another length, other characters or a wrong check digit.
 */
export function normalizeGtin(text: string): string | null {
  if (!GTIN.test(text)) return null;
  if (checkDigitOf(text.slice(0, -1)) !== text.slice(-1)) return null;
  return text.padStart(14, '0');
}
