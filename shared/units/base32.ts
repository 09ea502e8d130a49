/**
 * Crockford's base 32 (https://www.crockford.com/base32.html), upper-case, for whole groups of five bytes.
 *
 * It has no padding, stays inside the alphanumeric mode of a QR symbol, and has no I, L, O or U, so that a
 * code read out over the telephone survives.
 */

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const INVALID = 0xff;

/** Two characters for each ten-bit value: half the look-ups of a table of single characters. */
const PAIRS = Array.from({ length: 1024 }, (_, i) => ALPHABET[i >> 5]! + ALPHABET[i & 31]!);

const VALUES = buildValues();

function buildValues(): Uint8Array {
  const values = new Uint8Array(128).fill(INVALID);
  for (let i = 0; i < ALPHABET.length; i++) {
    values[ALPHABET.charCodeAt(i)] = i;
    values[ALPHABET.toLowerCase().charCodeAt(i)] = i;
  }
  for (const c of 'Oo') values[c.charCodeAt(0)] = 0;
  for (const c of 'IiLl') values[c.charCodeAt(0)] = 1;
  return values;
}

/**
 * Encodes bytes, five to eight characters.
 * @throws RangeError when the length is no multiple of five (a programming error, never input).
 */
export function encodeBase32(bytes: Uint8Array): string {
  if (bytes.length % 5 !== 0) throw new RangeError(`base 32 wants groups of five bytes, got ${bytes.length}`);
  let text = '';
  for (let i = 0; i < bytes.length; i += 5) {
    const b1 = bytes[i + 1]!;
    const b2 = bytes[i + 2]!;
    const b3 = bytes[i + 3]!;
    text +=
      PAIRS[(bytes[i]! << 2) | (b1 >> 6)]! +
      PAIRS[((b1 & 0x3f) << 4) | (b2 >> 4)]! +
      PAIRS[((b2 & 0x0f) << 6) | (b3 >> 2)]! +
      PAIRS[((b3 & 0x03) << 8) | bytes[i + 4]!]!;
  }
  return text;
}

/** A code as people type, copy or dictate it, with plain letters and without invisible marks. */
export const plainLetters = (typed: string): string => typed.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');

/** Without what is put between its groups: spaces, and dashes of any length. */
export const withoutSeparators = (text: string): string => text.replaceAll(/[\s\p{Pd}\u2212]/gu, '');

/**
 * Decodes either case, with Crockford's look-alikes (O for 0; I and L for 1).
 * @returns the bytes, or null for a foreign character or a length that is no multiple of eight.
 */
export function decodeBase32(text: string): Buffer | null {
  if (text.length % 8 !== 0) return null;
  const bytes = Buffer.allocUnsafe((text.length / 8) * 5);
  let at = 0;
  let bits = 0;
  let pending = 0;
  for (let i = 0; i < text.length; i++) {
    const value = VALUES[text.charCodeAt(i)] ?? INVALID;
    if (value === INVALID) return null;
    pending = ((pending << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (pending >> bits) & 0xff;
    }
  }
  return bytes;
}
