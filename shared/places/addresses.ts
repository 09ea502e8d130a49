/** IP addresses: which of them are public, and how to keep of them no more than is needed. */
import ipaddr from 'ipaddr.js';
import { hmacSha256 } from '../hmac.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses an address and unwraps an IPv4-mapped one (`::ffff:192.0.2.1`).
 * Only canonical dotted IPv4 counts: `ipaddr.js` would also read `0x7f.1` or `2130706433`.
 * @returns null for anything that is no address.
 */
function parseAddress(ip: string): Address | null {
  const octets = parseDotted(ip);
  if (octets !== null) return new ipaddr.IPv4(octets);
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return null;
  return ipaddr.process(ip);
}

/** Four decimal numbers without leading zeros; by hand, as the library tries six notations one after the other. */
function parseDotted(ip: string): number[] | null {
  const { length } = ip;
  if (length > 15) return null;
  const octets: number[] = [];
  let octet = -1;
  for (let at = 0; at < length; at += 1) {
    const digit = ip.charCodeAt(at) - 48;
    if (digit === -2) {
      if (octet < 0 || octets.length === 3) return null;
      octets.push(octet);
      octet = -1;
    } else if (digit < 0 || digit > 9 || octet === 0) return null;
    else {
      octet = octet < 0 ? digit : octet * 10 + digit;
      if (octet > 255) return null;
    }
  }
  if (octet < 0 || octets.length !== 3) return null;
  octets.push(octet);
  return octets;
}

/** @returns the address as it is stored and counted, IPv4 unwrapped from IPv6 and without a zone; null for no address. */
export const plainAddress = (ip: string): string | null =>
  parseAddress(ip.replace(/%.*$/, ''))?.toString() ?? null;

/** @returns the address when it is one of the public Internet; null when it is private, reserved or malformed. */
export function publicAddress(ip: string): Address | null {
  const address = parseAddress(ip);
  return address?.range() === 'unicast' ? address : null;
}

/**
 * The network of an address in place of the address: IPv4 cut to /24, IPv6 to /48 (what one customer is commonly
 * given, RFC 6177), with zeros for what is cut.
 * @returns e.g. `192.0.2.0` or `2001:db8:1::`; null for anything that is no address.
 */
export function truncateIp(ip: string): string | null {
  const address = parseAddress(ip);
  if (!address) return null;
  const bytes = address.toByteArray();
  bytes.fill(0, address.kind() === 'ipv4' ? 3 : 6);
  return ipaddr.fromByteArray(bytes).toString();
}

/**
 * A pseudonym of the network of an address: tells whether two scans came from the same one, and nothing else to
 * whoever lacks the key. Without a key, the 16 million /24 networks are tried through in seconds.
 * @param key at least 16 secret bytes; change it to cut the link to everything older.
 * @returns 16 base64url characters (96 bits) of HMAC-SHA256 over the truncated address, or null for no address.
 */
export function networkId(ip: string, key: Buffer): string | null {
  const network = truncateIp(ip);
  if (network === null) return null;
  return hmacSha256(key, network).toString('base64url', 0, 12);
}
