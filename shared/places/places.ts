/**
 * From an IP address to a place, offline: the city databases of DB-IP Lite (CC BY 4.0: every page that shows or
 * uses a result must carry `DB_IP_ATTRIBUTION`), and the kind of network by its autonomous system.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { publicAddress } from './addresses.ts';
import { rangesPath, type Family } from './asn-ranges.ts';
import { cityDatabasePath, openCityDatabase, type City, type CityDatabase } from './city-database.ts';
import { openNetworks, type NetworkKind, type Networks } from './networks.ts';
import type { PlaceSource } from '../risk/types.ts';

/** The link that the licence asks for, word for word. */
export const DB_IP_ATTRIBUTION = { href: 'https://db-ip.com/', text: 'IP Geolocation by DB-IP' } as const;

/**
 * How far off a position from an address may well be, in km, by the kind of network.
 *
 * Measured errors of IP geolocation (arXiv 2605.21937): median 3–16 km on fixed lines, but 179–207 km on mobile
 * networks, and about 70% of mobile prefixes span more than 100 km. Codes are scanned with telephones, mostly in shops, so
 * the honest assumption for an unknown network is mobile. A radius too large delays an alert by some scans; one too
 * small calls honest buyers suspicious.
 */
export const IP_ACCURACY_KM: Record<NetworkKind, number> = { fixed: 16, mobile: 207, unknown: 200 };

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
   * @param network the kind of network, where the caller knows it better than the address tells it.
   * @returns null for private, reserved, malformed and unknown addresses. No rule may fire on a missing place.
   */
  locate(ip: string, network?: NetworkKind): Place | null;
}

export interface OpenPlacesOptions {
  /** Reads the IPv6 files now too, instead of on the first IPv6 address. */
  readonly preloadIpv6?: boolean;
}

/** What is known of one family of addresses. */
interface Atlas {
  readonly cities: CityDatabase;
  readonly networks: Networks;
}

/**
 * Opens the databases. The IPv4 files (63 and 21 MB) are read now; the IPv6 files (71 and 9 MB) on the first IPv6 address,
 * once, synchronously (150–550 ms, as warm as the disk is), so that `locate` need not be asynchronous for its sake.
 * Resident memory grows by the size of the cities' file and some megabytes; open it only in processes that locate.
 */
export async function openPlaces(options: OpenPlacesOptions = {}): Promise<Places> {
  const [ipv4, preloaded] = await Promise.all([
    readAtlas('ipv4'),
    options.preloadIpv6 ? readAtlas('ipv6') : undefined,
  ]);
  let ipv6 = preloaded;
  return {
    locate(ip, network) {
      const address = publicAddress(ip);
      if (!address) return null;
      const isIpv4 = address.kind() === 'ipv4';
      const { cities, networks } = isIpv4 ? ipv4 : (ipv6 ??= readAtlasSync('ipv6'));
      const city = cities.find(address.toString());
      return city && placeOf(city, network ?? networks.kindOf(address, city));
    },
  };
}

async function readAtlas(family: Family): Promise<Atlas> {
  const [cities, ranges] = await Promise.all([
    readFile(cityDatabasePath(family)),
    readFile(rangesPath(family)),
  ]);
  return { cities: openCityDatabase(cities), networks: openNetworks(ranges, family) };
}

const readAtlasSync = (family: Family): Atlas => ({
  cities: openCityDatabase(readFileSync(cityDatabasePath(family))),
  networks: openNetworks(readFileSync(rangesPath(family)), family),
});

function placeOf({ country, lat, lon, name }: City, network: NetworkKind): Place {
  // "Berlin (Bezirk Mitte)": the district is finer than the measurement and than anyone's business.
  const town = name?.replace(/ ?\(.*$/, '');
  return {
    country,
    lat,
    lon,
    accuracyKm: IP_ACCURACY_KM[network],
    source: SOURCES[network],
    ...(town ? { city: town } : {}),
  };
}
