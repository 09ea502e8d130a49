/** Paths of printed codes that are no UTF-8, such as `/v/%ff`. */
import type { RequestHandler } from 'express';

const OF_CODES = /^\/(?:v|01)\//i;

/**
 * Takes a `%` that begins no character as it stands: the code is then one that nobody has, and is answered, limited and timed
 * like every other. Express would answer 400 before any route is asked.
 */
export const readUndecodableCodes: RequestHandler = (req, _res, next) => {
  if (req.url.includes('%') && OF_CODES.test(req.path)) {
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
