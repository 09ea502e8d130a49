/**
 * Towns, distances and borders. A position's country is that of the nearest town in the table, which makes borders
 * rough, and as rough for those who scan as for the databases of addresses.
 */
import { destination, distanceKm } from '../../../../shared/risk/geo.ts';
import { GAZETTEER } from './gazetteer.ts';
import type { Place, Spot, Town, World } from './model.ts';
import { BORDER_PAIRS, BUYING_POWER, HOSTING_TOWNS } from './tables.ts';

export const TOWNS: readonly Town[] = GAZETTEER.trim()
  .split(/\n {2}(?=[A-Z]{2}:)/)
  .flatMap((row) => {
    const [country, towns] = row.split(':') as [string, string];
    return towns.split(';').map((each) => {
      const words = each.trim().split(/\s+/);
      const [lat, lon, millions] = words.splice(-3).map(Number) as [number, number, number];
      return { name: words.join(' '), country, lat, lon, millions };
    });
  });

export const COUNTRIES: readonly string[] = [...new Set(TOWNS.map((town) => town.country))];
const BY_COUNTRY = new Map(
  COUNTRIES.map((country) => [country, TOWNS.filter((town) => town.country === country)]),
);
const BY_NAME = new Map(TOWNS.map((town) => [town.name, town]));

export const townsIn = (country: string): readonly Town[] => BY_COUNTRY.get(country)!;
const townNamed = (name: string): Town => BY_NAME.get(name)!;

export const EXITS: readonly Town[] = HOSTING_TOWNS.map(([name]) => townNamed(name));
export const EXIT_WEIGHTS: readonly number[] = HOSTING_TOWNS.map(([, weight]) => weight);

const ACROSS = new Map<string, Town[]>();
for (const [here, there] of BORDER_PAIRS.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]))
  ACROSS.set(here, [...(ACROSS.get(here) ?? []), townNamed(there)]);
/** Towns across the border, none for most. */
export const neighbours = (town: Town): readonly Town[] => ACROSS.get(town.name) ?? [];

/** How much of the brand is bought in each of the towns. */
export const demandOf = (towns: readonly Town[]): number[] =>
  towns.map((town) => town.millions ** 0.85 * (BUYING_POWER[town.country] ?? 0.5));

export const kmBetween = (a: Spot, b: Spot): number => distanceKm(a.lat, a.lon, b.lat, b.lon);

export function nearest(towns: readonly Town[], spot: Spot): Town {
  let [found, foundKm] = [towns[0]!, Infinity];
  for (const town of towns) {
    const km = kmBetween(town, spot);
    if (km < foundKm) [found, foundKm] = [town, km];
  }
  return found;
}

const RADIANS = Math.PI / 180;
const unit = ({ lat, lon }: Spot): readonly [number, number, number] => [
  Math.cos(lat * RADIANS) * Math.cos(lon * RADIANS),
  Math.cos(lat * RADIANS) * Math.sin(lon * RADIANS),
  Math.sin(lat * RADIANS),
];
const UNITS = TOWNS.map((town) => ({ country: town.country, vector: unit(town) }));
const asked = new Map<number, string>();

/** The country of a position, on a grid of a tenth of a degree. */
export function countryAt({ lat, lon }: Spot): string {
  const [row, column] = [Math.round(lat * 10), Math.round(lon * 10)];
  const key = row * 10_000 + column;
  const known = asked.get(key);
  if (known !== undefined) return known;
  const [x, y, z] = unit({ lat: row / 10, lon: column / 10 });
  let [found, best] = ['', -2];
  for (const { country, vector } of UNITS) {
    const cosine = x * vector[0] + y * vector[1] + z * vector[2];
    if (cosine > best) [found, best] = [country, cosine];
  }
  asked.set(key, found);
  return found;
}

/** A spot at this distance in any direction; never at a pole. */
export function moved({ rng }: World, spot: Spot, km: number): Spot {
  const { lat, lon } = destination(spot.lat, spot.lon, rng.between(0, 360), km);
  return { lat: Math.max(-84, Math.min(84, lat)), lon };
}

/** The same, within the country, which databases keep right nearly always. */
export function movedWithin(world: World, spot: Spot, km: number, country: string, leaving = 0.004): Spot {
  const leaves = world.rng.chance(leaving);
  for (let tries = 0; tries < 8; tries++) {
    const there = moved(world, spot, km * 0.75 ** tries);
    if (leaves || countryAt(there) === country) return there;
  }
  const { lat, lon } = nearest(townsIn(country), spot);
  return { lat, lon };
}

/** A true place: in the town, or in the country around it. */
export function placeIn(world: World, town: Town, rural = 0.25): Place {
  const { rng } = world;
  const { country } = town;
  for (let tries = 0; tries < 12; tries++) {
    const km = rng.chance(rural)
      ? Math.min(160, rng.lognormal(38, 0.6))
      : Math.abs(rng.normal()) * (3 + 2.2 * Math.sqrt(town.millions));
    const spot = moved(world, town, km);
    if (countryAt(spot) === country) return { ...spot, country, town, line: null };
  }
  return { lat: town.lat, lon: town.lon, country, town, line: null };
}
