/**
 * What an NFC tag adds to its address at each tap: a counter, signed with a key that never leaves the tag ("secure dynamic messaging" of
 * NTAG 424 DNA and its like). A copy of the address says the same counter again; a copy of the tag cannot be made.
 *
 *   ?picc_data=<32 hex digits>&cmac=<16>           the tag's number and the counter, encrypted
 *   ?uid=<14 hex digits>&ctr=<6>&cmac=<16>         the same in plain
 *
 * @see https://www.nxp.com/docs/en/application-note/AN12196.pdf 3.3 and 3.4, the test vectors are its
 */
import { createDecipheriv, timingSafeEqual } from 'node:crypto';
import { aesCmac } from './cmac.ts';

const PICC_BYTES = 16;
const UID_BYTES = 7;
const COUNTER_BYTES = 3;
const MAC_BYTES = 8;
/** First byte of what is encrypted: number and counter are there, and the number has seven bytes. */
const PICC_TAG = 0xc7;
/** AN12196, table 2: what the key of a tap's signature is derived from begins with this. */
const SIGNING = Buffer.from('3cc300010080', 'hex');
const ZERO_IV = Buffer.alloc(16);

/** What the tag says of itself and the tap. */
interface Told {
  /** The tag's number, seven bytes. */
  uid: Buffer;
  counter: number;
}

/** As it was sent. */
export interface SentTap {
  told: { encrypted: Buffer } | Told;
  mac: Buffer;
}

/**
 * What a tag is written with: it puts what it says over the zeros. In small letters, unlike what is printed: phones look for `https`.
 * @param origin `https://verify.example.com`
 */
export const tagUrlOf = (origin: string, token: string): string =>
  `${origin}/v/${token}?picc_data=${'0'.repeat(2 * PICC_BYTES)}&cmac=${'0'.repeat(2 * MAC_BYTES)}`;

/**
 * What a tap added to an address.
 * @param query of the address; whatever else is in it is nobody's business here
 * @returns null for an address without a signature, `malformed` for one that no tag makes
 */
export function parseTap(query: Readonly<Record<string, unknown>>): SentTap | 'malformed' | null {
  if (query.cmac === undefined) return null;
  const mac = hexOf(query.cmac, MAC_BYTES);
  const encrypted = hexOf(query.picc_data, PICC_BYTES);
  if (mac !== null && encrypted !== null) return { told: { encrypted }, mac };
  const uid = hexOf(query.uid, UID_BYTES);
  const counter = hexOf(query.ctr, COUNTER_BYTES);
  if (mac === null || uid === null || counter === null) return 'malformed';
  return { told: { uid, counter: counter.readUIntBE(0, COUNTER_BYTES) }, mac };
}

/** What a tap may add to an address. */
export const TAP_PARAMETERS = ['picc_data', 'uid', 'ctr', 'cmac'] as const;

/** What of an address a tap is, as it was sent. @returns a query, without its question mark */
export function queryOfTap(query: Readonly<Record<string, unknown>>): string {
  const sent = new URLSearchParams();
  for (const name of TAP_PARAMETERS) {
    const value = query[name];
    if (typeof value === 'string') sent.set(name, value);
  }
  return sent.toString();
}

function hexOf(value: unknown, bytes: number): Buffer | null {
  const isHex = typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]+$/i.test(value);
  return isHex ? Buffer.from(value, 'hex') : null;
}

/**
 * @param key of the tag that is to have signed it, 16 bytes
 * @returns the counter of the tap, from 0 to 16,777,215; null where another key signed, or nobody
 */
export function counterOfTap(key: Uint8Array, { told, mac }: SentTap): number | null {
  const plain = 'encrypted' in told ? decrypt(key, told.encrypted) : told;
  return plain !== null && timingSafeEqual(mac, macOfTap(key, plain)) ? plain.counter : null;
}

function decrypt(key: Uint8Array, encrypted: Buffer): Told | null {
  const decipher = createDecipheriv('aes-128-cbc', key, ZERO_IV).setAutoPadding(false);
  const bytes = decipher.update(encrypted);
  if (bytes[0] !== PICC_TAG) return null;
  const uid = bytes.subarray(1, 1 + UID_BYTES);
  return { uid, counter: bytes.readUIntLE(1 + UID_BYTES, COUNTER_BYTES) };
}

/**
 * What a tag signs a tap with: every second byte of the CMAC over nothing, with a key of this tap alone.
 * @param key of the tag, 16 bytes
 */
export function macOfTap(key: Uint8Array, { uid, counter }: Told): Buffer {
  const bytes = Buffer.alloc(COUNTER_BYTES);
  bytes.writeUIntLE(counter, 0, COUNTER_BYTES);
  const own = aesCmac(key, Buffer.concat([SIGNING, uid, bytes]));
  const whole = aesCmac(own, Buffer.alloc(0));
  return Buffer.from(Array.from({ length: MAC_BYTES }, (_, n) => whole[2 * n + 1]!));
}
