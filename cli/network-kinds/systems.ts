/** The autonomous systems (AS) with their holders and addresses, and samples of these. */
import { readFileSync } from 'node:fs';
import { forEachRange, rangesPath, type Family } from '../../shared/places/asn-ranges.ts';
import type { CityDatabase } from '../../shared/places/city-database.ts';
import type { Sample, Spot } from './spread.ts';

/** From and to, in networks of /24 (IPv4) or /48 (IPv6). */
type Range = readonly [from: number, to: number];

export interface System {
  readonly asn: number;
  readonly holder: string;
  /** IPv4 addresses. */
  size: number;
  readonly ranges: Record<Family, Range[]>;
}

const FAMILIES = ['ipv4', 'ipv6'] as const;

export function readSystems(): Map<number, System> {
  const systems = new Map<number, System>();
  for (const family of FAMILIES) {
    const file = readFileSync(rangesPath(family));
    forEachRange(file, family, (startHi, startLo, endHi, endLo, asn, [from, to]) => {
      let system = systems.get(asn);
      if (!system) {
        const holder = file.toString('utf8', from, to).replace(/^"(.*)"$/, '$1');
        system = { asn, holder, size: 0, ranges: { ipv4: [], ipv6: [] } };
        systems.set(asn, system);
      }
      if (family === 'ipv4') system.size += endHi - startHi + 1;
      system.ranges[family].push([networkAt(family, startHi, startLo), networkAt(family, endHi, endLo)]);
    });
  }
  return systems;
}

const networkAt = (family: Family, hi: number, lo: number): number =>
  family === 'ipv4' ? Math.floor(hi / 256) : hi * 65536 + Math.floor(lo / 65536);

/** @returns at most so many places at even steps through the system's addresses, the same ones each time. */
export function sampleOf(system: System, family: Family, cities: CityDatabase, count = 512): Sample {
  const ranges = system.ranges[family];
  const total = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  const step = Math.max(1, total / count);
  const spotAt = (network: number): Spot | null => cities.find(addressOf(network, family));
  const sample: [Spot | null, Spot | null][] = [];
  let before = 0;
  let wanted = 0;
  for (const [from, to] of ranges) {
    const length = to - from + 1;
    for (; wanted < before + length; wanted += step) {
      const network = from + Math.floor(wanted - before);
      const neighbour = network < to ? network + 1 : network > from ? network - 1 : null;
      sample.push([spotAt(network), neighbour === null ? null : spotAt(neighbour)]);
    }
    before += length;
  }
  return sample;
}

/** An address in the middle of the network: the ends are often somebody's router. */
function addressOf(network: number, family: Family): string {
  if (family === 'ipv4')
    return [Math.floor(network / 65536), Math.floor(network / 256) % 256, network % 256, 37].join('.');
  const groups = [Math.floor(network / 2 ** 32), Math.floor(network / 65536) % 65536, network % 65536];
  return `${groups.map((group) => group.toString(16)).join(':')}:1::1`;
}
