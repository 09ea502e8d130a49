/** Networks in CIDR notation: as they are kept, and whether an address is in one. */
import ipaddr from 'ipaddr.js';

/** Bits of `::ffff:0:0/96`, behind which IPv6 has the whole of IPv4 (RFC 4291 §2.5.5.2). */
const MAPPED_BITS = 96;

/**
 * A single address becomes the CIDR of that address alone, and IPv4 within IPv6 the IPv4 as which callers are compared.
 * @returns e.g. `192.0.2.0/24`; null for what is neither an address nor a CIDR
 */
export function cidrOf(entry: string): string | null {
  const [address = ''] = entry.split('/');
  // Not what else is read as IPv4: 010.0.0.0 is 8.0.0.0 to some and 10.0.0.0 to others.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const cidr = address === entry ? `${entry}/32` : entry;
    return ipaddr.IPv4.isValidCIDR(cidr) ? cidr : null;
  }
  const cidr = address === entry ? `${entry}/128` : entry;
  if (!ipaddr.IPv6.isValidCIDR(cidr)) return null;
  const [range, bits] = ipaddr.IPv6.parseCIDR(cidr);
  return range.isIPv4MappedAddress() && bits >= MAPPED_BITS
    ? `${range.toIPv4Address().toString()}/${bits - MAPPED_BITS}`
    : cidr;
}

/** How narrow a network is. @param cidr as {@link cidrOf} gives it */
export function bitsOf(cidr: string): { kind: 'ipv4' | 'ipv6'; bits: number } {
  const [range, bits] = ipaddr.parseCIDR(cidr);
  return { kind: range.kind(), bits };
}

/** The same network as every notation of it: without bits of a host, without a zone. @param cidr as {@link cidrOf} gives it */
export function canonicalCidr(cidr: string): string {
  const [range, bits] = ipaddr.parseCIDR(cidr);
  const family = range.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(cidr).toString()}/${bits}`;
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** By the list that they are of: rows share lists (`SHARED_LISTS`), and parsing one takes longer than looking. */
const parsed = new WeakMap<readonly string[], readonly Network[]>();

/**
 * @param cidrs as {@link cidrOf} gives them
 * @param ip as Express gives it; IPv4 may be mapped into IPv6
 */
export function isWithin(cidrs: readonly string[], ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  let networks = parsed.get(cidrs);
  if (networks === undefined) {
    networks = cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
    parsed.set(cidrs, networks);
  }
  return networks.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
}
