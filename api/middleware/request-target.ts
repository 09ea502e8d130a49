/** Brings a request's target into the one form that the router, the parsers and the log know. */
import { parseUrl } from '../../shared/parse-url.ts';
import type { IncomingMessage } from 'node:http';

const ABSOLUTE = /^(https?:\/\/[^/?#\\]+)(?=[/?#]|$)/i;
/** Unreserved characters (RFC 3986, 2.3), percent-encoded. */
const ENCODED_UNRESERVED = /%(?:3\d|[46][1-9a-f]|[57][\da]|2[de]|5f|7e)/gi;

/**
 * Leaves path and query of a whole URL, as a proxy may send it (RFC 9112, 3.2.2), and reads what need not have been percent-encoded in
 * the path (RFC 3986, 6.2.2.2). Nothing else is tidied: a serial may be `..`. What is no URL stays as it is.
 */
export function normalizeTarget(req: IncomingMessage): void {
  req.url = decodeUnreserved(originForm(req.url!));
}

function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const origin = ABSOLUTE.exec(target)?.[1];
  if (origin === undefined || parseUrl(origin) === null) return target;
  const rest = target.slice(origin.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function decodeUnreserved(target: string): string {
  if (!target.includes('%')) return target;
  const [path = '', ...query] = target.split('?');
  return [path.replace(ENCODED_UNRESERVED, decodeURIComponent), ...query].join('?');
}
