/** Keys of what else is on a unit's package, each derived from a key of `TOKEN_KEYS`: whoever has those needs to keep no others. */
import { hmacSha256 } from '../hmac.ts';
import type { Key } from '../keyring.ts';

/**
 * @param purpose of the keys, in words; of another length than a unit's code, so that a derived key is the tag of none
 * @returns the 32 bytes for that purpose of a key of the ring, worked out once
 */
export function derivedKeys(purpose: string): (key: Key) => Buffer {
  const derived = new WeakMap<Key, Buffer>();
  return (key) => {
    let own = derived.get(key);
    if (own === undefined) {
      own = hmacSha256(key.bytes, purpose);
      derived.set(key, own);
    }
    return own;
  };
}

/** @throws RangeError when the ring no longer holds the key with which something was made. */
export function keyOfRing(keyring: readonly Key[], keyId: string): Key {
  const key = keyring.find(({ id }) => id === keyId);
  if (key === undefined) throw new RangeError(`no token key with the id ${keyId}`);
  return key;
}
