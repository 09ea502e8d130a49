/**
 * The keys in a unit's NFC tag, derived from its code as its hidden code is, so that nothing has to be stored:
 *
 *   HMAC-SHA256 over the unit's code = 16 bytes that sign its taps, and 16 with which its settings are changed
 *
 * A tag that is taken apart tells the keys of no other.
 */
import { hmacSha256 } from '../hmac.ts';
import type { Keyring } from '../keyring.ts';
import { derivedKeys, keyOfRing } from '../units/derived-keys.ts';

const KEY_BYTES = 16;
const keyOf = derivedKeys('NFC tags of units');

export interface TagKeys {
  /** AES-128: encrypts and signs what a tap says (`SDMMetaRead`, `SDMFileRead`). */
  read: Buffer;
  /** AES-128: the tag's application master key, number 0. */
  master: Buffer;
}

/**
 * @param code the ten bytes behind the unit's token
 * @param keyId of the key that made that token
 * @throws RangeError when the ring no longer holds that key
 */
export function tagKeysOf(keyring: Keyring, code: Uint8Array, keyId: string): TagKeys {
  const bytes = hmacSha256(keyOf(keyOfRing(keyring, keyId)), code);
  return { read: bytes.subarray(0, KEY_BYTES), master: bytes.subarray(KEY_BYTES) };
}
