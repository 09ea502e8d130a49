/** Addresses that codes may lead to: a host, and nothing behind it. */
import { parseUrl } from '../parse-url.ts';
import { invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';

export interface CodeAddress {
  /** As `URL` has it: small letters, ASCII, with a port where it is not the scheme's own. */
  readonly host: string;
  /** As symbols hold it. In capitals where it was given so: a GS1 Digital Link then fits QR's alphanumeric mode. */
  readonly url: string;
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** @throws AppError VALIDATION_FAILED for what is no https origin; http is for the machine's own hosts alone */
export function parseCodeAddress(given: string): CodeAddress {
  const text = given.trim().replace(/\/$/, '');
  const url = parseUrl(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  // A host that no `Host` would be read as would never be found; nor would one that no name server takes (RFC 1035 § 2.3.4).
  const isFound = url !== null && hostOf(url.host) === url.host && url.hostname.length <= 253;
  if (url === null || !isSafe || !isFound || url.href !== `${url.origin}/`)
    throw invalidField('url', NOT_A_CODE_ADDRESS);
  const inCapitals = url.origin.toUpperCase();
  return { host: url.host, url: text === inCapitals ? inCapitals : url.origin };
}

const NOT_A_CODE_ADDRESS = refusal(
  'NOT_A_WEB_ADDRESS',
  'must be an https address without a path, such as https://id.example.com',
);

/** The host that a request names, as {@link CodeAddress.host} has it. @param header `Host` */
export const hostOf = (header: string | undefined): string =>
  (header ?? '')
    .toLowerCase()
    // Programs send the port as their address has it: empty, or with zeros before it (RFC 3986, 3.2.3).
    .replace(/:0*(?=[1-9]\d*$|$)/, ':')
    .replace(/:(?:443|80)?$/, '')
    .replace(/\.(?=:|$)/, '');
