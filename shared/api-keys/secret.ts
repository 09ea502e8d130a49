/**
 * An API key's secret: `ak_live_` + 30 random base-62 characters (178 bits) + 6 characters of CRC-32. The prefix and
 * the checksum let secret scanners recognise it, and a typo is refused without a query.
 */
import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const KEY_PREFIX = 'ak_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
const SHAPE = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);
// The largest multiple of 62 in a byte: bytes above it are thrown away, or the first characters would be likelier.
const UNBIASED = 248;

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = ALPHABET[value % 62]! + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}

/** @param random gives n random bytes. @returns a new secret, to be shown once. */
export function generateApiKeySecret(random: (bytes: number) => Buffer): string {
  let characters = '';
  while (characters.length < RANDOM_CHARACTERS) {
    for (const byte of random(RANDOM_CHARACTERS)) {
      if (byte < UNBIASED && characters.length < RANDOM_CHARACTERS) characters += ALPHABET[byte % 62]!;
    }
  }
  return KEY_PREFIX + characters + checksum(KEY_PREFIX + characters);
}

/** @returns whether the text has the shape and the checksum of a secret; costs no query. */
export function isWellFormedSecret(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);
}

/**
 * What is stored and looked up: HMAC-SHA256 under the pepper. A fast hash is right here, because the secret has 178
 * random bits and cannot be guessed; the pepper makes a stolen table useless.
 */
export const digestSecret = (secret: string, pepper: string): Buffer =>
  createHmac('sha256', pepper).update(secret).digest();
