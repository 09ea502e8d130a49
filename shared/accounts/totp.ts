/**
 * Time-based one-time passwords: RFC 6238 over RFC 4226 with SHA-1, six digits, 30 seconds, which is what authenticator apps
 * read from an `otpauth:` address. The hash is not a weakness here: HMAC does not rest on collisions.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
// One step to either side: clocks of phones are off by seconds, and people type slowly (RFC 6238 §5.2).
const TOLERATED_STEPS = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** @returns 160 random bits in base 32, as apps take them by hand. */
export function newTotpSecret(random: (bytes: number) => Buffer): string {
  const bits = [...random(20)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits
    .match(/.{5}/g)!
    .map((five) => BASE32[Number.parseInt(five, 2)]!)
    .join('');
}

function decodeBase32(text: string): Buffer {
  const bits = text
    .split('')
    .map((character) => BASE32.indexOf(character).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** @param step count of 30-second steps since 1970. @returns the six digits. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  const offset = mac[mac.length - 1]! & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

export const totpStep = (at: Date): number => Math.floor(at.getTime() / 1000 / STEP_SECONDS);

/**
 * @param lastStep step of the last code that was accepted, or null: a code works once, and none older does.
 * @returns the step that the code belongs to, or null where it is wrong.
 */
export function matchTotp(secret: string, code: string, at: Date, lastStep: number | null): number | null {
  const given = Buffer.from(code);
  const now = totpStep(at);
  for (let step = now - TOLERATED_STEPS; step <= now + TOLERATED_STEPS; step++) {
    const expected = Buffer.from(totpCode(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected))
      return lastStep !== null && step <= lastStep ? null : step;
  }
  return null;
}

/** What the app scans: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export const otpauthUrl = (secret: string, email: string): string =>
  `otpauth://totp/Touchstone:${encodeURIComponent(email)}?secret=${secret}&issuer=Touchstone&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
