/** The distributor's link: 160 random bits, of which the database knows only an HMAC. */
import { createHmac } from 'node:crypto';

/** 32 bytes, used for nothing else. */
export type LinkKey = Buffer;

const TOKEN_BYTES = 20;

/** @returns 27 characters for the path of an address. */
export const newLinkToken = (random: (bytes: number) => Buffer): string =>
  random(TOKEN_BYTES).toString('base64url');

/** @param token anything a visitor sends; what is no token has a digest that nothing has. */
export const digestOfLink = (key: LinkKey, token: string): Buffer =>
  createHmac('sha256', key).update(token).digest();
