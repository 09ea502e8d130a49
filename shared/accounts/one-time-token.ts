/** Tokens in mails: 256 random bits, stored as a digest, good for one use. */
import { createHmac } from 'node:crypto';

export const newOneTimeToken = (random: (bytes: number) => Buffer): string =>
  random(32).toString('base64url');

/** @param key 32 bytes. @param purpose keeps a token of one kind from passing for another. */
export const oneTimeTokenDigest = (
  token: string,
  purpose: 'sign-up' | 'password-reset' | 'invitation' | 'recovery-code',
  key: Buffer,
): Buffer => createHmac('sha256', key).update(`${purpose}:${token}`).digest();
