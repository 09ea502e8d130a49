/** What values of the environment look like, for `config.ts`. */
import { parseUrl } from './parse-url.ts';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseKeyring, type Keyring } from './keyring.ts';

/** Empty or blank is unset: of nothing but spaces, a number would be 0 and a secret be known to everybody. */
export const givenValue = (raw: string | undefined): string | undefined =>
  raw?.trim() === '' ? undefined : raw;

export const integer = (min: number, max: number, fallback: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

/** As libpq reads it: in front of `?host=` with a socket's folder there may be no host, which other addresses cannot do without. */
export const isPostgresUrl = (text: string): boolean =>
  /^postgres(ql)?:\/\//.test(text) && parseUrl(text.replace(/@(?=[/?])/, '@localhost')) !== null;

export const NOT_POSTGRES = 'is not an address of Postgres, postgres://…';

/** The client takes another path for NaN, and ends the process. What is no address at all is told by another check. */
export const hasNumberedDatabase = (text: string): boolean => /^\/?\d*$/.test(parseUrl(text)?.pathname ?? '');

/** The client decodes them, and ends the process where it cannot. What is no address at all is told by another check. */
export function hasDecodableUser(text: string): boolean {
  const { username = '', password = '' } = parseUrl(text) ?? {};
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

export const keyring = z.string().transform((text, context): Keyring => {
  try {
    return parseKeyring(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
});

/**
 * A list between commas. @param isGood of one entry, by `tidy`. @param what is said of one that is not, behind its name
 */
const listOf = (isGood: (entry: string) => boolean, what: string, tidy = (entry: string) => entry) =>
  z
    .string()
    .default('')
    .transform((text, context): string[] => {
      const entries = text
        .split(',')
        .map((entry) => tidy(entry.trim()))
        .filter((entry) => entry !== '');
      for (const entry of entries)
        if (!isGood(entry)) context.addIssue({ code: 'custom', message: `"${entry}" ${what}` });
      return entries;
    });

/** Written out: ipaddr.js and Express would read `10/8` as 0.0.0.10/8, and `100` as 0.0.0.100. */
const isCidr = (entry: string): boolean => isIP(entry.split('/', 1)[0]!) !== 0 && ipaddr.isValidCIDR(entry);

export const cidrs = listOf(isCidr, 'is not a CIDR');

/** `0` none, a number of hops, or a list of names and CIDRs that Express understands (`loopback,10.0.0.0/8`). */
export const trustProxy = z
  .string()
  .default('0')
  .transform((text, context): number | string[] => {
    if (/^\d{1,2}$/.test(text)) return Number(text);
    const entries = text.split(',').map((entry) => entry.trim());
    for (const entry of entries) {
      const known = ['loopback', 'linklocal', 'uniquelocal'].includes(entry);
      if (!known && isIP(entry) === 0 && !isCidr(entry)) {
        context.addIssue({
          code: 'custom',
          message: `"${entry}" is neither a number of hops (0 to 99), a CIDR nor loopback|linklocal|uniquelocal`,
        });
      }
    }
    return entries;
  });

/** TLS passes over what is no certificate, and would refuse the receivers then. @returns null where there is one */
export function problemOfCaFile(path: string): string | null {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch {
    return `cannot read ${path}`;
  }
  try {
    void new X509Certificate(pem);
    return null;
  } catch {
    return `${path} holds no certificate as PEM`;
  }
}

/** Of a protocol that browsers do not know, `smtp:` say, an address may have no host. What is none at all is told by another check. */
export function namesServer(text: string): boolean {
  const url = parseUrl(text);
  return url === null || (url.hostname !== '' && url.port !== '0');
}

/** What is no address at all is told by another check. */
export function isPlainAddress(text: string): boolean {
  const url = parseUrl(text);
  return url === null || url.href === url.origin + url.pathname;
}

export const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, '');

export const origins = listOf(
  (entry) => parseUrl(entry)?.origin === entry,
  'is not an origin, e.g. https://app.example.com',
  (entry) => entry.replace(/\/$/, ''),
);

/** As `Resolver.setServers` takes them: `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:5353`; a port of 0 ends Node 20. */
export const nameServers = listOf((entry) => {
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const isPort = Number(port) >= 1 && Number(port) <= 65_535;
  return isIP(entry) !== 0 || (isPort && (isIPv6(bracketed ?? '') || isIPv4(plain ?? '')));
}, 'is not the address of a name server');

/** RFC 5322, `mailbox`, in short. */
export const SENDER = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;
