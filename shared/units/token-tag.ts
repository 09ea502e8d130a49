/** The tag of a verification token: the first 40 bits of HMAC-SHA256 (RFC 2104) over the ten-byte code. */
import { hmacSha256Into } from '../hmac.ts';

export const CODE_BYTES = 10;
export const TAG_BYTES = 5;
/** Shorter keys would weaken the tag; longer ones add nothing to SHA-256. */
const KEY_BYTES = 32;

const tag = Buffer.alloc(TAG_BYTES);

/**
 * Computes the tag of one code.
 * @returns five bytes in a buffer that the next call overwrites: use it at once, keep nothing of it.
 * @throws RangeError when the key has not 32 bytes or the code not ten.
 */
export function tagOf(key: Buffer, code: Uint8Array): Buffer {
  if (code.length !== CODE_BYTES) throw new RangeError(`a code has ${CODE_BYTES} bytes, got ${code.length}`);
  if (key.length !== KEY_BYTES) throw new RangeError(`a token key has ${KEY_BYTES} bytes, got ${key.length}`);
  hmacSha256Into(tag, key, code);
  return tag;
}
