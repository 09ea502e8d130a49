/**
 * The cookies. `__Host-` ties them to this host over TLS; browsers take `Secure` cookies from http://localhost too.
 * They are the only credential that a browser sends by itself, so what reads them checks where the request comes from.
 */
import { parseUrl } from '../../shared/parse-url.ts';
import type { Request } from 'express';
import { AppError } from '../../shared/errors.ts';
import { MINUTES_AWAY } from '../../shared/single-sign-on/sign-ins.ts';
import type { ApiDeps } from '../deps.ts';

export const REFRESH_COOKIE = '__Host-touchstone-refresh';
export const DEVICE_COOKIE = '__Host-touchstone-device';
/** Of a browser that is away at its organization's provider. */
export const TICKET_COOKIE = '__Host-touchstone-sso';

const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Strict';
/** The provider leads back from its own site, with which `Strict` would not be sent. */
const TICKET_ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
const DEVICE_SECONDS = 365 * 24 * 3600;

/** @returns the value of a cookie, or null; the first one where a name comes twice. */
export function readCookie(req: Request, name: string): string | null {
  for (const part of (req.get('cookie') ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at !== -1 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

export const refreshCookie = (token: string, expiresAt: Date, now: Date): string =>
  `${REFRESH_COOKIE}=${token}; Max-Age=${Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000))}; ${ATTRIBUTES}`;

export const clearedRefreshCookie = (): string => `${REFRESH_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`;

export const deviceCookie = (token: string): string =>
  `${DEVICE_COOKIE}=${token}; Max-Age=${DEVICE_SECONDS}; ${ATTRIBUTES}`;

export const ticketCookie = (ticket: string): string =>
  `${TICKET_COOKIE}=${ticket}; Max-Age=${MINUTES_AWAY * 60}; ${TICKET_ATTRIBUTES}`;

export const clearedTicketCookie = (): string => `${TICKET_COOKIE}=; Max-Age=0; ${TICKET_ATTRIBUTES}`;

/**
 * Refuses what another site sends: SameSite keeps the cookie from it, and a browser that does not know SameSite still
 * says where it comes from. A client that is no browser sends no Origin and has no cookie that is not its own.
 * @throws AppError FORBIDDEN
 */
export function requireOwnOrigin(req: Request, { config }: ApiDeps): void {
  const origin = req.get('origin');
  if (origin === undefined) {
    const site = req.get('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      throw new AppError('FORBIDDEN', { detail: 'this request comes from another site' });
    return;
  }
  const allowed = [new URL(config.PUBLIC_URL).origin, ...config.DASHBOARD_ORIGINS];
  const host = parseUrl(origin)?.host;
  const isOwnHost = host !== undefined && host === req.get('host');
  if (!isOwnHost && !allowed.includes(origin))
    throw new AppError('FORBIDDEN', { detail: 'this request comes from another site' });
}
