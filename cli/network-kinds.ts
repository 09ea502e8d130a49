/**
 * `npm run networks`: from the ranges of the autonomous systems (AS), the tables and words beside this file and the city
 * database, the numbers of those whose visitors are on telephones or on lines of a known place, as
 * shared/places/network-kinds.json. Run it when either package is renewed; it takes a minute.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../shared/package-root.ts';
import type { Family } from '../shared/places/asn-ranges.ts';
import { cityDatabasePath, openCityDatabase } from '../shared/places/city-database.ts';
import type { NetworkKinds } from '../shared/places/networks.ts';
import { FIXED, MIXED, MOBILE, readTable } from './network-kinds/curated.ts';
import { useByName, type Use } from './network-kinds/holders.ts';
import {
  isLocal,
  knownPlaces,
  mayBeRegional,
  placeKey,
  spreadOf,
  type Spread,
} from './network-kinds/spread.ts';
import { readSystems, sampleOf, type System } from './network-kinds/systems.ts';

const tables: [Use, Map<number, string>][] = [
  ['mobile', readTable(MOBILE)],
  ['fixed', readTable(FIXED)],
  ['unknown', readTable(MIXED)],
];
const useOf = ({ asn, holder }: System): Use =>
  tables.find(([, table]) => table.has(asn))?.[0] ?? useByName(holder);

/** @returns the spreads of the systems that may be of lines, by AS number */
function spreadsOf(systems: readonly [System, Use][], family: Family): Map<number, Spread> {
  const cities = openCityDatabase(readFileSync(cityDatabasePath(family)));
  const spreads = new Map<number, Spread>();
  for (const [system, use] of systems) {
    if (use !== 'fixed' && use !== 'provider') continue;
    const country = sampleOf(system, family, cities, 1)[0]?.[0]?.country;
    if (use === 'provider' && !mayBeRegional(country, system.size)) continue;
    const spread = spreadOf(sampleOf(system, family, cities));
    if (spread !== null) spreads.set(system.asn, spread);
  }
  return spreads;
}

/** @returns `20115 7922@41.92,-87.9`: systems by country, each with the heaps in which the database has what it does not know */
function linesByCountry(
  systems: readonly [System, Use][],
  spreads: ReadonlyMap<number, Spread>,
  ipv4?: ReadonlyMap<number, Spread>,
): Record<string, string> {
  const byCountry = new Map<string, string[]>();
  for (const [{ asn, size }, use] of systems) {
    const spread = spreads.get(asn);
    const heaps = spread && knownPlaces(spread, size, ipv4?.get(asn));
    // A provider in many places is no regional one.
    if (!spread || !heaps || (use === 'provider' && !isLocal(spread))) continue;
    const entry = [asn, ...heaps.map(placeKey)].join('@');
    byCountry.set(spread.country, [...(byCountry.get(spread.country) ?? []), entry]);
  }
  const countries = [...byCountry.keys()].sort();
  return Object.fromEntries(countries.map((country) => [country, byCountry.get(country)!.join(' ')]));
}

const systems = [...readSystems().values()]
  .sort((a, b) => a.asn - b.asn)
  .map((system): [System, Use] => [system, useOf(system)]);
const ipv4 = spreadsOf(systems, 'ipv4');
const ipv6 = spreadsOf(systems, 'ipv6');
const kinds: NetworkKinds = {
  mobile: systems
    .filter(([, use]) => use === 'mobile')
    .map(([{ asn }]) => asn)
    .join(' '),
  fixed: { ipv4: linesByCountry(systems, ipv4), ipv6: linesByCountry(systems, ipv6, ipv4) },
};
const file = path.join(packageRoot, 'shared/places/network-kinds.json');
writeFileSync(file, `${JSON.stringify(kinds, null, 2)}\n`);
