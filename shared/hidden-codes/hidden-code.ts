/**
 * Hidden codes: what stands below a layer on the package that its buyer scratches or peels off, and can be copied only by whoever has
 * opened one.
 *
 *   eight characters of Crockford base 32 = the first five bytes of HMAC-SHA256 over the unit's code
 *
 * The key is derived from that of the unit's token (`TOKEN_KEYS`), so nothing has to be stored, and nothing in the database or on the
 * package tells it. 40 bits: at the 120 checks a minute that an address has, one guess in 17,000 years hits.
 */
import { timingSafeEqual } from 'node:crypto';
import { hmacSha256Into } from '../hmac.ts';
import type { Key, Keyring } from '../keyring.ts';
import { decodeBase32, encodeBase32, plainLetters, withoutSeparators } from '../units/base32.ts';
import { derivedKeys, keyOfRing } from '../units/derived-keys.ts';

const BYTES = 5;
/** Characters between hyphens. */
const GROUP = 4;
const LENGTH = 8;
const keyOf = derivedKeys('hidden codes of units');

function bytesOf(key: Key, code: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(BYTES);
  hmacSha256Into(bytes, keyOf(key), code);
  return bytes;
}

/**
 * As it is printed: `7K3M-Q9TX`.
 * @param code the ten bytes behind the unit's token
 * @param keyId of the key that made that token
 * @throws RangeError when the ring no longer holds that key
 */
export function hiddenCodeOf(keyring: Keyring, code: Uint8Array, keyId: string): string {
  const text = encodeBase32(bytesOf(keyOfRing(keyring, keyId), code));
  return `${text.slice(0, GROUP)}-${text.slice(GROUP)}`;
}

/**
 * Whether a text is the hidden code of a unit, in either case, with or without spaces and hyphens, O for 0, I or L for 1. Never throws.
 * @param keyId as for {@link hiddenCodeOf}
 */
export function isHiddenCode(keyring: Keyring, code: Uint8Array, keyId: string, typed: string): boolean {
  const key = keyring.find(({ id }) => id === keyId);
  const text = withoutSeparators(plainLetters(typed));
  const bytes = text.length === LENGTH ? decodeBase32(text) : null;
  return key !== undefined && bytes !== null && timingSafeEqual(bytes, bytesOf(key, code));
}
