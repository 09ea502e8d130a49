/** Short-lived links to a clean photo, so that a browser can show it to staff without a key. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const signatureOf = (key: Buffer, photoId: string, expires: string): Buffer =>
  createHmac('sha256', key).update(`${photoId}\n${expires}`).digest();

/** @param key 32 bytes, used for nothing else. @returns path and query of a link. */
export function signPhotoLink(key: Buffer, photoId: string, expiresAt: Date): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1000));
  const signature = signatureOf(key, photoId, expires).toString('base64url');
  return `/report-photos/${photoId}?expires=${expires}&signature=${signature}`;
}

/** @returns whether signature and time are good. */
export function verifyPhotoLink(
  key: Buffer,
  photoId: string,
  { expires, signature }: { expires: string; signature: string },
  now: Date,
): boolean {
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== 32 || !/^\d{1,12}$/.test(expires)) return false;
  return timingSafeEqual(given, signatureOf(key, photoId, expires)) && Number(expires) * 1000 > now.getTime();
}
