/** Short-lived signed links, so that an artifact can be fetched by a browser or a printer without a key. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface LinkSigner {
  /** @returns an absolute URL that works until `expiresAt`. */
  sign(jobId: string, name: string, expiresAt: Date): string;
  /** @returns whether signature and time are good. */
  verify(jobId: string, name: string, expires: string, signature: string, now: Date): boolean;
}

const SIGNATURE_BYTES = 32;

/** @param key 32 bytes, used for nothing else. */
export function createLinkSigner(publicUrl: string, key: Buffer): LinkSigner {
  const signatureOf = (jobId: string, name: string, expires: string): Buffer =>
    createHmac('sha256', key).update(`${jobId}\n${name}\n${expires}`).digest();
  return {
    sign(jobId, name, expiresAt) {
      const expires = String(Math.floor(expiresAt.getTime() / 1000));
      const signature = signatureOf(jobId, name, expires).toString('base64url');
      return `${publicUrl}/artifacts/${jobId}/${encodeURIComponent(name)}?expires=${expires}&signature=${signature}`;
    },
    verify(jobId, name, expires, signature, now) {
      const given = Buffer.from(signature, 'base64url');
      if (given.length !== SIGNATURE_BYTES || !/^\d{1,12}$/.test(expires)) return false;
      return (
        timingSafeEqual(given, signatureOf(jobId, name, expires)) && Number(expires) * 1000 > now.getTime()
      );
    },
  };
}
