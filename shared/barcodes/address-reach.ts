/** Who can open the addresses that codes carry: what is printed on goods cannot be mended afterwards. */
import ipaddr from 'ipaddr.js';
import type { SymbolContent } from './symbology.ts';

/**
 * - `public`: everybody, encrypted;
 * - `plain`: everybody, by plain http, which some telephones warn of and anybody on the way may change;
 * - `private`: nobody beyond this computer or network;
 * - `none`: the codes carry no address.
 */
export const ADDRESS_REACHES = ['public', 'plain', 'private', 'none'] as const;
export type AddressReach = (typeof ADDRESS_REACHES)[number];

/** Names that the public DNS never answers: RFC 6761, RFC 6762, RFC 8375, and ICANN's reservation of `internal`. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa|test|invalid)$/;

/** @param content of the symbology @param publicUrl the installation's `PUBLIC_URL` */
export function reachOf(content: SymbolContent, publicUrl: string): AddressReach {
  if (content !== 'address' && content !== 'digital-link') return 'none';
  const { protocol, hostname } = new URL(publicUrl);
  if (isPrivate(hostname.toLowerCase().replace(/\.$/, ''))) return 'private';
  return protocol === 'https:' ? 'public' : 'plain';
}

function isPrivate(host: string): boolean {
  const literal = host.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(literal)) return ipaddr.process(literal).range() !== 'unicast';
  return !host.includes('.') || PRIVATE_NAME.test(host);
}
