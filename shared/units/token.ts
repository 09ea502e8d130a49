/**
 * Verification tokens: what a printed code carries after `/v/`.
 *
 *   24 characters of Crockford base 32 = 15 bytes = 10 random bytes (the code) + 5 bytes of tag
 *
 * The code is what the database keeps (80 random bits: among 10^9 units, one guess in 10^15 hits). The tag is
 * HMAC-SHA256 over the code, cut to its first 40 bits: it lets a web process refuse a forged token without asking the
 * database. RFC 2104 §5 advises 80 bits where a forged tag does the harm; here a forger who sends 10^12 requests
 * passes it once, and has then still guessed no code that exists.
 *
 * A printed code outlives its key. Verification tries every key of the ring; whoever prints a token again
 * (a unit's barcode, say) must name the key that minted it, so keep `keyId` beside the code or its batch. The keys of
 * the ring (`TOKEN_KEYS`) are used for nothing else; those of hidden codes and NFC tags are derived from them.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../keyring.ts';
import { decodeBase32, encodeBase32, withoutSeparators } from './base32.ts';
import { CODE_BYTES, TAG_BYTES, tagOf } from './token-tag.ts';

/** Characters. */
export const TOKEN_LENGTH = 24;

export interface MintedToken {
  readonly token: string;
  /** The ten bytes to store and to look up by. */
  readonly code: Buffer;
  readonly keyId: string;
}

/** A source of secure random bytes, `crypto.randomBytes` in production. */
export type RandomBytes = (size: number) => Buffer;

/**
 * Mints `count` tokens with the current key from one draw of randomness: a draw for each token would cost more
 * than its HMAC. The codes are views of one buffer of `10 × count` bytes.
 */
export function mintTokens(keyring: Keyring, count: number, random: RandomBytes): MintedToken[] {
  const pool = random(CODE_BYTES * count);
  const current = keyring[0];
  const minted: MintedToken[] = [];
  for (let i = 0; i < count; i++) {
    const code = pool.subarray(i * CODE_BYTES, (i + 1) * CODE_BYTES);
    minted.push({ token: seal(current.bytes, code), code, keyId: current.id });
  }
  return minted;
}

/**
 * The token of a stored code, to print it again.
 * @param keyId the key that minted it; the current one when left out.
 * @throws RangeError when the code is not ten bytes, or the ring no longer holds that key.
 */
export function tokenOf(keyring: Keyring, code: Buffer, keyId?: string): string {
  const key = keyId === undefined ? keyring[0] : keyring.find(({ id }) => id === keyId);
  if (!key) throw new RangeError(`no token key with the id ${keyId}`);
  return seal(key.bytes, code);
}

/**
 * Reads a token as typed or scanned: either case, O for 0, I or L for 1.
 * @returns the code to look up, or null when the text is no token or no key of the ring made its tag. Never throws.
 *   The time depends on the ring's size alone, not on which key fits nor on how much of the tag does.
 */
export function parseToken(keyring: Keyring, text: string): Buffer | null {
  if (text.length !== TOKEN_LENGTH) return null;
  const decoded = decodeBase32(text);
  if (!decoded) return null;
  const code = decoded.subarray(0, CODE_BYTES);
  const tag = decoded.subarray(CODE_BYTES);
  let genuine = false;
  for (const { bytes } of keyring) {
    const fits = timingSafeEqual(tagOf(bytes, code), tag);
    genuine = genuine || fits;
  }
  return genuine ? code : null;
}

/** Of no unit: codes have ten bytes. */
const NOBODYS_CODE = Buffer.alloc(0);

/**
 * As {@link parseToken}, for whoever answers a forged token in the words that are for one that was never minted: with a code that no
 * unit has, it is looked up all the same, or the time would tell which tags are genuine.
 */
export const codeToLookUp = (keyring: Keyring, text: string): Buffer =>
  parseToken(keyring, text) ?? NOBODYS_CODE;

/**
 * What has the form of a token in what somebody typed or copied, whoever made it: the text itself, spaces, dashes of any length and
 * the full stop of a sentence left out, or the end of an address.
 */
export function tokenIn(text: string): string | null {
  const token = withoutSeparators(lastSegment(text)).replaceAll('.', '');
  return token.length === TOKEN_LENGTH && decodeBase32(token) !== null ? token.toUpperCase() : null;
}

/** As {@link parseToken}, of what somebody who holds a package can type, scan or copy: a token, or the address whose path ends in it. */
export function codeIn(keyring: Keyring, text: string): Buffer | null {
  return parseToken(keyring, lastSegment(text));
}

function lastSegment(text: string): string {
  const [address] = text.split(/[?#]/, 1);
  return address!.replace(/\/$/, '').split('/').at(-1)!;
}

function seal(key: Buffer, code: Buffer): string {
  const bytes = Buffer.allocUnsafe(CODE_BYTES + TAG_BYTES);
  bytes.set(code, 0);
  bytes.set(tagOf(key, code), CODE_BYTES);
  return encodeBase32(bytes);
}
