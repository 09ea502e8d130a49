/** What all GS1 Digital Links have in common: reading the path, CORS, and the answers to those that are malformed. */
import type { Request, RequestHandler } from 'express';
import { AppError } from '../../shared/errors.ts';
import { parseDigitalLink, type DigitalLink } from '../../shared/gs1/digital-link.ts';

/** Scanners in web pages of any origin may read the answers; they carry no credentials. */
export const crossOrigin: RequestHandler = (_req, res, next) => {
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
  res.setHeader('Access-Control-Allow-Headers', 'Accept, Accept-Language');
  res.setHeader(
    'Access-Control-Expose-Headers',
    'Content-Language, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  );
  res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  // Of errors too: at one address there is a page for some and a linkset, or none, for others.
  res.vary('Accept');
  next();
};

/**
 * @param below what follows the link in the request's path, `/position` say
 * @throws AppError BAD_REQUEST with what is wrong with the path, or with the whole address
 */
export function readLink(req: Request, below = ''): DigitalLink {
  // Express reads a path out of what is no URL, such as `http://x:99999/01/…`.
  if (!req.originalUrl.startsWith('/'))
    throw new AppError('BAD_REQUEST', { detail: 'the request’s target is no URL' });
  // As the router has read it: what `URL` makes of `..` and of a backslash is another path. A slash at the end, as some write it, is no
  // empty element.
  const path = (req.baseUrl + req.path).replace(/\/$/, '');
  const link = parseDigitalLink(path.slice(0, path.length - below.length));
  if ('problem' in link) throw new AppError('BAD_REQUEST', { detail: link.problem });
  return link;
}

/** Below `/01`, whatever is no link at all: 400 with what is wrong with it. */
export const otherDigitalLinks: RequestHandler = (req, _res, next) => {
  readLink(req);
  next();
};

/** What names the unit of a link that has a serial. */
export const serialOf = (link: DigitalLink) => ({
  gtin: link.gtin,
  serial: link.serial!,
  lot: link.lot ?? null,
});
