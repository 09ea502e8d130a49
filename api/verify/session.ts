/**
 * The visitor's cookie: first-party, random (128 bits), forgotten with the browser's session. Within some minutes it makes a refresh, a
 * step back or another language of the page the same scan; after that, of whoever looks again elsewhere, the same visitor. It tells
 * nobody who that is, and only hashes of it are stored, another one for each unit.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ID_BYTES = 16;
const ID = /^[A-Za-z0-9_-]{22}$/;

export interface Session {
  /** No cookie can be made of it. */
  id: string;
  isNew: boolean;
  /** Value of `Set-Cookie`. */
  cookie: string;
}

/** `__Host-` ties the cookie to this very host; browsers take it over HTTPS only. */
const nameOf = (isSecure: boolean): string => (isSecure ? '__Host-visit' : 'visit');

function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';', 50)) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value !== undefined && ID.test(value)) return value;
  }
  return null;
}

/** The request's session; null where it brings none. */
export function sessionOf(req: IncomingMessage, publicUrl: string): Session | null {
  const isSecure = publicUrl.startsWith('https:');
  const value = readCookie(req.headers.cookie, nameOf(isSecure));
  return value === null ? null : describe(value, false, isSecure);
}

/** A session for a visitor who has none. */
export const newSession = (publicUrl: string): Session =>
  describe(randomBytes(ID_BYTES).toString('base64url'), true, publicUrl.startsWith('https:'));

function describe(value: string, isNew: boolean, isSecure: boolean): Session {
  const secure = isSecure ? '; Secure' : '';
  return {
    id: createHash('sha256').update(value).digest('base64url').slice(0, 22),
    isNew,
    cookie: `${nameOf(isSecure)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`,
  };
}
