import { parseUrl } from '../parse-url.ts';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { refusal, type Refusal } from '../field-errors.ts';
import { inTime } from '../in-time.ts';

/**
 * Where webhooks may go (`docs/webhooks.md`, "Which addresses are accepted"). A webhook URL is a request that a
 * stranger has us make from inside our own network, so it is checked when it is saved and, because names can change
 * their minds, again at every connection: see guarded-connector.ts.
 */

/** A network that the operator has opened to webhooks although it is not public. */
export type AllowedCidr = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Resolves a host name to all its addresses; rejects if there are none. */
export type Resolve = (hostname: string) => Promise<string[]>;

export type UrlVerdict = { ok: true; url: URL } | { ok: false; refused: Refusal };

const MAX_URL_LENGTH = 2000;

/** Somebody waits for the answer to a save; the connections will be vetted anyway. */
const SAVE_LOOKUP_TIMEOUT_MS = 1_500;

/** Below 1024 only HTTPS's own port: the others belong to mail, SSH and the like. */
const FIRST_UNPRIVILEGED_PORT = 1024;

/** Ports above 1023 of databases, and those that browsers refuse too (https://fetch.spec.whatwg.org/#port-blocking). */
const REFUSED_PORTS = new Set([
  1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080, 11211, 27017,
]);

/** All of IPv6 that is handed out as global unicast today (RFC 4291 §2.4); whatever lies outside is special. */
const GLOBAL_UNICAST_V6: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Public by the registries, and yet inside: the metadata and health address of every Azure host
 * (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
 */
const AZURE_PLATFORM = '168.63.129.16';

/**
 * Networks in CIDR notation, parsed.
 * @throws RangeError naming the entry that is not `address/bits`.
 */
export function parseAllowedCidrs(cidrs: readonly string[]): AllowedCidr[] {
  return cidrs.map((cidr) => {
    if (!ipaddr.isValidCIDR(cidr)) throw new RangeError(`not a network in CIDR notation: ${cidr}`);
    return ipaddr.parseCIDR(cidr);
  });
}

/** Whether webhooks may be sent to this IP address: public, or inside one of the allowed networks. */
export function isAddressAllowed(address: string, allowed: readonly AllowedCidr[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  // `process` unwraps ::ffff:a.b.c.d: the mapped form reaches the very host that the IPv4 address names.
  const parsed = ipaddr.process(address);
  const opened = allowed.some(
    ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
  );
  return opened || isPublic(parsed);
}

/**
 * The checks that need no look-up: form, scheme, port, and the address itself where the host is an IP literal in any
 * of its spellings (`2130706433`, `0x7f.1`, full-width digits: the URL parser unifies them before we look).
 */
export function vetUrlShape(raw: string, allowed: readonly AllowedCidr[]): UrlVerdict {
  if (raw.length > MAX_URL_LENGTH)
    return refuse(
      refusal('TOO_LONG', `The URL must not be longer than ${MAX_URL_LENGTH} characters.`, {
        maximum: MAX_URL_LENGTH,
      }),
    );
  // The URL parser drops or rewrites these silently, so what is stored would not be what was meant.
  if (/[\s\\\p{Cc}]/u.test(raw))
    return refuse(
      refusal('URL_CHARACTERS', 'The URL must not contain spaces, backslashes or control characters.'),
    );
  if (!/^https:\/\/[^/]/i.test(raw))
    return refuse(refusal('URL_NOT_HTTPS', 'The URL must start with https:// and name a host.'));
  if (raw.includes('#')) return refuse(refusal('URL_FRAGMENT', 'The URL must not have a fragment (#…).'));
  if (raw.slice('https://'.length).split(/[/?]/, 1)[0]?.includes('@')) {
    return refuse(refusal('URL_CREDENTIALS', 'The URL must not contain a user name or password.'));
  }
  const url = parseUrl(raw);
  if (url === null) return refuse(refusal('URL_MALFORMED', 'The URL is not valid.'));
  // Percent-encoding and punycode make it longer, and this form is what is stored.
  if (url.href.length > MAX_URL_LENGTH)
    return refuse(
      refusal(
        'TOO_LONG',
        `The URL must not be longer than ${MAX_URL_LENGTH} characters when it is encoded.`,
        { maximum: MAX_URL_LENGTH },
      ),
    );
  if (url.hostname.endsWith('.'))
    return refuse(refusal('URL_TRAILING_DOT', 'The host name must not end with a dot.'));
  if (!isPortAllowed(url.port)) {
    return refuse(
      refusal(
        'URL_PORT',
        `Port ${url.port} is not allowed: use 443, or a port from 1024 up that no other protocol owns.`,
        { port: url.port },
      ),
    );
  }
  const literal = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  if (isIP(literal) !== 0 && !isAddressAllowed(literal, allowed)) {
    return refuse(
      refusal(
        'URL_PRIVATE_ADDRESS',
        `The address ${literal} is private or reserved; only public addresses are called.`,
        { address: literal },
      ),
    );
  }
  return { ok: true, url };
}

/**
 * Vets a webhook URL when it is saved. A name that does not resolve at this moment (or not in time) is accepted, since its DNS entry
 * may come later and every connection is vetted again; one that resolves to any address that is not allowed is refused.
 * @returns the parsed URL, or a refusal fit for the person who typed it. The message does not say what a *name*
 *   resolved to: that would be a way to read our DNS.
 */
export async function vetUrl(
  raw: string,
  options: { allowedCidrs: readonly string[]; resolve: Resolve; lookupTimeoutMs?: number },
): Promise<UrlVerdict> {
  const allowed = parseAllowedCidrs(options.allowedCidrs);
  const verdict = vetUrlShape(raw, allowed);
  if (!verdict.ok || isIP(verdict.url.hostname.replace(/^\[|\]$/g, '')) !== 0) return verdict;
  const addresses = await resolveWithin(
    options.lookupTimeoutMs ?? SAVE_LOOKUP_TIMEOUT_MS,
    options.resolve(verdict.url.hostname),
  );
  if (addresses.length > 0 && allowedAddresses(verdict.url.hostname, addresses, allowed).length === 0) {
    return refuse(
      refusal(
        'URL_PRIVATE_HOST',
        `The host ${verdict.url.hostname} has a private or reserved address; only public addresses are called.`,
        { host: verdict.url.hostname },
      ),
    );
  }
  return verdict;
}

/** The addresses, or none if the look-up fails or is not done in time. */
const resolveWithin = (timeoutMs: number, lookup: Promise<string[]>): Promise<string[]> =>
  inTime(lookup, timeoutMs).catch(() => []);

/**
 * The addresses of a name that may be connected to: all or none, because a name with both public and private
 * addresses is how rebinding starts. Only `localhost` is filtered instead: it always has both families, and an
 * operator who allows 127.0.0.0/8 for development means it.
 */
export function allowedAddresses(
  hostname: string,
  addresses: readonly string[],
  allowed: readonly AllowedCidr[],
): string[] {
  const permitted = addresses.filter((address) => isAddressAllowed(address, allowed));
  return permitted.length === addresses.length || isLocalhost(hostname) ? permitted : [];
}

/** `localhost` and everything under it, which RFC 6761 §6.3 reserves for loopback. */
export function isLocalhost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4
    ? address.toString() !== AZURE_PLATFORM
    : address.match(GLOBAL_UNICAST_V6);
}

function isPortAllowed(port: string): boolean {
  if (port === '') return true;
  const number = Number(port);
  return number >= FIRST_UNPRIVILEGED_PORT && !REFUSED_PORTS.has(number);
}

function refuse(refused: Refusal): UrlVerdict {
  return { ok: false, refused };
}
