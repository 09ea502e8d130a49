/** Paths of tokens that are no UTF-8, such as `/v/%ff`. */
import type { RequestHandler } from 'express';

const OF_TOKENS = /^\/v\//i;

/**
 * Takes a `%` that begins no character as it stands: the code is then one that nobody has, and is answered, limited and timed
 * like every other. Express would answer 400 before any route is asked, as it does for a GS1 Digital Link, which has a syntax.
 */
export const readUndecodableCodes: RequestHandler = (req, _res, next) => {
  if (req.url.includes('%') && OF_TOKENS.test(req.url)) {
    const [path = '', ...query] = req.url.split('?');
    if (!isDecodable(path)) {
      req.url = [path.replaceAll('%', '%25'), ...query].join('?');
      req.originalUrl = req.url;
    }
  }
  next();
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
