/** AES-CMAC (RFC 4493) with 128-bit keys, which Node's crypto has no function for. A test holds it against the RFC's vectors. */
import { createCipheriv } from 'node:crypto';

const BLOCK = 16;
const ZEROS = Buffer.alloc(BLOCK);

/** @returns the 16 bytes. @throws RangeError for a key of another length than 16 */
export function aesCmac(key: Uint8Array, message: Uint8Array): Buffer {
  const [whole, padded] = subkeys(key);
  const blocks = Math.max(1, Math.ceil(message.length / BLOCK));
  const isWhole = message.length === blocks * BLOCK;
  const text = Buffer.alloc(blocks * BLOCK);
  text.set(message);
  if (!isWhole) text[message.length] = 0x80;
  const mask = isWhole ? whole : padded;
  for (let n = 0; n < BLOCK; n += 1) text[text.length - BLOCK + n]! ^= mask[n]!;
  const cipher = createCipheriv('aes-128-cbc', key, ZEROS).setAutoPadding(false);
  return cipher.update(text).subarray(-BLOCK);
}

function subkeys(key: Uint8Array): [Buffer, Buffer] {
  const zero = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(ZEROS);
  const first = doubled(zero);
  return [first, doubled(first)];
}

/** In the field of 2^128 elements: shifted by a bit, and reduced where one went out. */
function doubled(block: Buffer): Buffer {
  const twice = Buffer.alloc(BLOCK);
  for (let n = 0; n < BLOCK; n += 1) twice[n] = (block[n]! << 1) | ((block[n + 1] ?? 0) >> 7);
  if (block[0]! >> 7 === 1) twice[BLOCK - 1]! ^= 0x87;
  return twice;
}
