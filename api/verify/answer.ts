/** Verifies, and answers as the visitor's program asks: a page for a browser, JSON for everything else. */
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Site } from '../../shared/code-hosts/sites.ts';
import { nonceKey, positionNonce, POSITION_WINDOW_MS } from '../../shared/scans/position.ts';
import { queryOfTap } from '../../shared/nfc/tap.ts';
import type { Admit, ScannedCode, Verified, Visitor } from '../../shared/scans/verifier.ts';
import { presentUnknown, type Verification } from '../../shared/scans/verification.ts';
import type { ApiDeps } from '../deps.ts';
import type { Reply } from '../operation.ts';
import { withNfcTap } from '../nfc/looked.ts';
import { brandAt } from './brand-of.ts';
import type { ToldOfHiddenCode } from './page/hidden-code.ts';
import { PAGE_TYPE, pageHeaders } from './page/layout.ts';
import { readerOf } from './page/locales.ts';
import { renderVerificationPage } from './page/render.ts';
import { isQuiet } from './quiet.ts';
import { newSession, sessionOf, type Session } from './session.ts';

/** A cached verdict would be no scan, and might be another visitor's. */
export const JSON_HEADERS = { 'Cache-Control': 'no-store', Vary: 'Accept' };

/** As it is sent, like the page's: a range with `charset=utf-8` in it takes these, and not the types alone. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Browsers name HTML first; whoever takes anything (curl, a script) gets JSON. */
export function wantsPage(req: Request): boolean {
  const { accept } = req.headers;
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return false;
  return req.accepts([JSON_TYPE, PAGE_TYPE]) === PAGE_TYPE;
}

/** Whether the answer becomes what a browser's window shows, and is asked for again when that is loaded again. */
export const isNavigation = (req: Request): boolean => req.get('sec-fetch-mode') === 'navigate';

const statusOf = ({ verification }: Verified): number => (verification.result === 'unknown' ? 404 : 200);

const visitorOf = (req: IncomingMessage, ip: string, session: Session | null): Visitor => ({
  ip,
  userAgent: req.headers['user-agent'] ?? null,
  session,
});

/**
 * For whoever asked for JSON.
 * @param req a GET request, of Express or as it came
 * @param admit see {@link Verifier.verify}
 */
export async function answerJson(
  deps: ApiDeps,
  scanned: ScannedCode,
  req: IncomingMessage,
  ip: string,
  admit?: Admit,
): Promise<{ status: number; body: Verification }> {
  const { verified } = await look(deps, scanned, req, ip, null, admit);
  return replyOf(verified);
}

const replyOf = (verified: Verified): { status: number; body: Verification } => ({
  status: statusOf(verified),
  body: verified.verification,
});

export interface AnswerOptions {
  /** The client's address, where the caller has worked it out already. */
  ip?: string;
  /** Sets what else the page's response needs, before the page's own headers. */
  beforePage?: () => void;
}

/**
 * @param path of the page, below which its own requests go
 * @returns the JSON reply, or null when the page was sent.
 */
export async function answerVerification(
  deps: ApiDeps,
  scanned: ScannedCode,
  path: string,
  req: Request,
  res: Response,
  { ip = req.ip ?? '', beforePage = () => undefined }: AnswerOptions = {},
): Promise<Reply | null> {
  const isPage = wantsPage(req);
  const fresh = isPage ? newSession(deps.config.PUBLIC_URL) : null;
  const looked = await withNfcTap(deps, await look(deps, scanned, req, ip, fresh), req, isPage);
  if (!isPage) return { ...replyOf(looked.verified), headers: JSON_HEADERS };
  beforePage();
  sendPage(deps, looked, { path, lang: req.query.lang }, req, res);
  return null;
}

/** What somebody was shown who looked at a code. */
export interface Looked {
  site: Site;
  verified: Verified;
  /** Null for a program without one. */
  session: Session | null;
}

/** Verifies, as a scan where somebody looks. @param fresh the session of a visitor who brings none */
export async function look(
  { verifier, config, sites }: ApiDeps,
  scanned: ScannedCode,
  req: IncomingMessage,
  ip: string,
  fresh: Session | null,
  admit?: Admit,
): Promise<Looked> {
  const site = await sites.of(req.headers.host);
  const code = { ...scanned, orgId: site.orgId };
  const session = sessionOf(req, config.PUBLIC_URL) ?? fresh;
  const verified = isQuiet(req)
    ? await verifier.preview(code, admit)
    : await verifier.verify(code, visitorOf(req, ip, session), admit);
  return { site, verified, session };
}

/**
 * Answers a code that is nobody's, as asked: page or JSON.
 * @param lang the language that was asked for
 * @returns null when the page was sent.
 */
export function answerUnknown(
  deps: ApiDeps,
  site: Site,
  req: Request,
  res: Response,
  lang: unknown = req.query.lang,
): Reply | null {
  const verification = presentUnknown(deps.clock.now());
  if (!wantsPage(req)) return { status: 404, body: verification, headers: JSON_HEADERS };
  const verified = { verification, organization: null, links: [], scan: null };
  sendPage(deps, { site, verified, session: null }, { path: '', lang }, req, res);
  return null;
}

interface Shown {
  /** Of the page, below which its own requests go. */
  path: string;
  /** The language that was asked for. */
  lang: unknown;
  /** What is said of a hidden code that was entered. */
  hiddenCode?: ToldOfHiddenCode;
  /** Where a GET gives the page in another language, where this answers a form. */
  address?: string;
  /** Whether that GET tells the same again. */
  isToldAgain?: boolean;
}

/** Sends the page, with the cookie of the session where a scan was made. */
export function sendPage(
  { config, clock }: ApiDeps,
  { site, verified, session }: Looked,
  { path, lang, hiddenCode, address, isToldAgain }: Shown,
  req: Request,
  res: Response,
): void {
  const { verification, organization, links, scan } = verified;
  if (scan !== null && session !== null) res.setHeader('Set-Cookie', session.cookie);
  const reader = readerOf(req.headers['accept-language'], lang);
  const brand = brandAt(site, organization, config);
  const takesPosition =
    scan !== null && scan.takesPosition && clock.now().getTime() - scan.at.getTime() < POSITION_WINDOW_MS;
  const page = renderVerificationPage(verification, {
    ...reader,
    brand,
    links,
    path,
    publicUrl: site.url,
    hiddenCode,
    address,
    isToldAgain,
    // That is kept nowhere; any other is known again within the visit.
    query: verification.nfcTap?.outcome === 'invalid' ? queryOfTap(req.query) : undefined,
    positionNonce: takesPosition ? positionNonce(nonceKey(config.API_KEY_PEPPER), scan.id) : null,
  });
  const headers = pageHeaders(reader.locale, brand.logoUrl, verification.product.imageUrl);
  endPage(req, res, statusOf(verified), headers, page);
}

/** For GET and HEAD. @param headers of `pageHeaders` */
export function endPage(
  req: Request,
  res: Response,
  status: number,
  headers: Readonly<Record<string, string>>,
  page: string,
): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.status(status).end(req.method === 'HEAD' ? undefined : page);
}

/** The path of the page of a printed code. */
export const pathOfToken = (token: string): string => `/v/${encodeURIComponent(token)}`;
