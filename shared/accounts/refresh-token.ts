/**
 * Refresh tokens: 256 random bits each, stored as a digest. The successor of a token is computed from the token itself
 * and a stored salt, so that asking twice with the same token gives the same successor, without storing it readably.
 */
import { createHmac } from 'node:crypto';

const SHAPE = /^[A-Za-z0-9_-]{43}$/;

export const newRefreshToken = (random: (bytes: number) => Buffer): string =>
  random(32).toString('base64url');

export const isRefreshToken = (text: string): boolean => SHAPE.test(text);

/** @param key 32 bytes for this purpose alone. */
export const refreshTokenDigest = (token: string, key: Buffer): Buffer =>
  createHmac('sha256', key).update(`digest:${token}`).digest();

/** Needs the token in clear: neither the database nor the key alone is enough. */
export const successorOf = (token: string, salt: Buffer, key: Buffer): string =>
  createHmac('sha256', key).update(`successor:${token}:`).update(salt).digest('base64url');
