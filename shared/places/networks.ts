/**
 * The kind of network that an address belongs to, by its autonomous system (AS): see docs/adr/0113. The numbers of the
 * systems of each kind are in network-kinds.json, which `npm run networks` writes; the ranges of addresses are read from the
 * package at start, so that a renewed package needs no other step to be used.
 */
import type ipaddr from 'ipaddr.js';
import { forEachRange, type Family } from './asn-ranges.ts';
import type { City } from './city-database.ts';
import kinds from './network-kinds.json' with { type: 'json' };

/** A line's position is known to a few kilometres, a telephone's to some two hundred. */
export type NetworkKind = 'fixed' | 'mobile' | 'unknown';

export interface Networks {
  /** @param city where the database has the address: a line that it has put in a heap or abroad is of unknown kind. */
  kindOf(address: ipaddr.IPv4 | ipaddr.IPv6, city: City): NetworkKind;
}

/** AS numbers, and for lines by the country where they are, with the heaps of each: `20115 7922@41.92,-87.9`. */
export interface NetworkKinds {
  readonly mobile: string;
  readonly fixed: Readonly<Record<Family, Readonly<Record<string, string>>>>;
}

interface Lines {
  readonly country: string;
  readonly heaps: readonly { lat: number; lon: number }[];
}

const MOBILE = 1;
/** Ranges of lines carry their place in the list of `Lines`, counted from here. */
const FIRST_LINES = 2;

/**
 * @param file the ranges of one family, as `rangesPath` has them
 * @param table for tests; otherwise the table of the program
 */
export function openNetworks(file: Buffer, family: Family, table: NetworkKinds = kinds): Networks {
  const { codes, lines } = readKinds(table, family);
  const starts = {
    hi: new Uint32Array(1 << 16),
    lo: new Uint32Array(1 << 16),
    code: new Uint16Array(1 << 16),
  };
  let count = 0;
  const begin = (hi: number, lo: number, code: number): void => {
    if ((count === 0 ? 0 : starts.code[count - 1]!) === code) return;
    if (count === starts.hi.length) {
      starts.hi = doubled(starts.hi);
      starts.lo = doubled(starts.lo);
      starts.code = doubled(starts.code);
    }
    starts.hi[count] = hi;
    starts.lo[count] = lo;
    starts.code[count] = code;
    count += 1;
  };
  // Where the range before ended, plus one: what lies between two ranges is nobody's.
  let nextHi = 0;
  let nextLo = 0;
  forEachRange(file, family, (startHi, startLo, endHi, endLo, asn) => {
    if (startHi !== nextHi || startLo !== nextLo) begin(nextHi, nextLo, 0);
    begin(startHi, startLo, codes.get(asn) ?? 0);
    const carries = family === 'ipv4' || endLo === 0xffffffff;
    nextHi = carries ? endHi + 1 : endHi;
    nextLo = carries ? 0 : endLo + 1;
  });
  begin(nextHi, nextLo, 0);
  const hi = starts.hi.slice(0, count);
  const lo = starts.lo.slice(0, count);
  const code = starts.code.slice(0, count);

  return {
    kindOf(address, city) {
      const [first, second] = upperBits(address);
      let from = 0;
      let to = count;
      while (from < to) {
        const middle = (from + to) >>> 1;
        const isAfter = hi[middle]! > first || (hi[middle] === first && lo[middle]! > second);
        if (isAfter) to = middle;
        else from = middle + 1;
      }
      const found = from === 0 ? 0 : code[from - 1]!;
      if (found === MOBILE) return 'mobile';
      if (found < FIRST_LINES) return 'unknown';
      const { country, heaps } = lines[found - FIRST_LINES]!;
      if (city.country !== country) return 'unknown';
      return heaps.some(({ lat, lon }) => lat === city.lat && lon === city.lon) ? 'unknown' : 'fixed';
    },
  };
}

function upperBits(address: ipaddr.IPv4 | ipaddr.IPv6): [number, number] {
  if ('octets' in address) {
    const [a, b, c, d] = address.octets as [number, number, number, number];
    return [((a << 24) | (b << 16) | (c << 8) | d) >>> 0, 0];
  }
  const [a, b, c, d] = address.parts as [number, number, number, number];
  return [a * 65536 + b, c * 65536 + d];
}

function doubled<T extends Uint32Array | Uint16Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2);
  larger.set(array);
  return larger;
}

/** Systems without heaps share the `Lines` of their country, so that their neighbouring ranges become one. */
function readKinds(table: NetworkKinds, family: Family) {
  const lines: Lines[] = [];
  const codes = new Map(numbers(table.mobile).map((entry) => [Number(entry), MOBILE]));
  for (const [country, entries] of Object.entries(table.fixed[family])) {
    const plain = lines.push({ country, heaps: [] }) - 1 + FIRST_LINES;
    for (const entry of numbers(entries)) {
      const [asn, ...places] = entry.split('@') as [string, ...string[]];
      const heaps = places.map((place) => {
        const [lat, lon] = place.split(',').map(Number) as [number, number];
        return { lat, lon };
      });
      codes.set(Number(asn), heaps.length === 0 ? plain : lines.push({ country, heaps }) - 1 + FIRST_LINES);
    }
  }
  return { codes, lines };
}

const numbers = (list: string): string[] => list.split(' ').filter((entry) => entry !== '');
