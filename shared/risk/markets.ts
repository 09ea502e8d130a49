/** Where a position lies with respect to a unit's markets: borders from @rapideditor/country-coder (OpenStreetMap, ISC). */
import { featuresIn, iso1A2Code } from '@rapideditor/country-coder';
import { destination, distanceKm, UNTOLD_ACCURACY_KM } from './geo.ts';
import type { RiskPlace } from './types.ts';

export type MarketPosition = 'inside' | 'near-border' | 'outside' | 'unknown';

/**
 * Territories with a code of their own that are sold to as their state is (ADR 0126): of the European Union's market (its outermost regions by article 349
 * of the Treaty on its Functioning, Åland, and Ceuta and Melilla, which are `EA` on the map), of the United Kingdom's customs union, of the
 * United States' domestic trade. All others, such as Hong Kong, are markets of their own.
 */
const OF_MARKET: Readonly<Record<string, string>> = {
  GF: 'FR',
  GP: 'FR',
  MF: 'FR',
  MQ: 'FR',
  RE: 'FR',
  YT: 'FR',
  AX: 'FI',
  EA: 'ES',
  GG: 'GB',
  IM: 'GB',
  JE: 'GB',
  GU: 'US',
  PR: 'US',
  VI: 'US',
};

/** Directions in which the surroundings are searched for a market. */
const BEARINGS = 8;
const RINGS = [1, 0.5];
/** Beyond this a position says nothing about a border; a bigger radius is cut here. */
const MAX_SEARCH_KM = 500;

/**
 * @param markets ISO alpha-2 codes, upper-case; empty means everywhere
 * @param borderRadii how many accuracy radii around the position are searched for a market
 * @returns `near-border` when the country is outside but a market lies within those radii
 */
export function marketPosition(
  place: RiskPlace | null,
  markets: readonly string[],
  borderRadii: number,
): MarketPosition {
  if (place === null) return 'unknown';
  if (markets.length === 0) return 'inside';
  const country = countryOf(place);
  if (country === null) return 'unknown';
  if (isOfMarkets(country, markets)) return 'inside';
  const { lat, lon, accuracyKm } = place;
  if (lat === null || lon === null) return 'outside';
  const searchKm = Math.min(MAX_SEARCH_KM, (accuracyKm ?? UNTOLD_ACCURACY_KM) * borderRadii);
  const areas = areasOf(markets);
  if (searchKm <= 0 || !areas.some((area) => mayLieWithin(area, lat, lon, searchKm))) return 'outside';
  for (const ring of RINGS) {
    for (let step = 0; step < BEARINGS; step++) {
      const near = destination(lat, lon, (360 / BEARINGS) * step, searchKm * ring);
      if (!areas.some((area) => mayLieWithin(area, near.lat, near.lon, 0))) continue;
      if (isInMarkets(near.lat, near.lon, markets)) return 'near-border';
    }
  }
  return areas.some((area) => hasMiddleWithin(area, lat, lon, searchKm, markets)) ? 'near-border' : 'outside';
}

/** Whether the middle of a part of the area is so near: one as small as Luxembourg or Singapore lies between the points of the rings. */
function hasMiddleWithin(
  area: string,
  lat: number,
  lon: number,
  km: number,
  markets: readonly string[],
): boolean {
  const middles = boxesOf(area)?.map(([s, w, n, e]) => ({ lat: (s + n) / 2, lon: (w + e) / 2 })) ?? [];
  return middles.some(
    (middle) =>
      distanceKm(lat, lon, middle.lat, middle.lon) <= km && isInMarkets(middle.lat, middle.lon, markets),
  );
}

function isInMarkets(lat: number, lon: number, markets: readonly string[]): boolean {
  const code = codeAt(lat, lon);
  return code !== null && isOfMarkets(code, markets);
}

/** Whether what is sold for these markets is sold in this country or territory. */
export const isOfMarkets = (country: string, markets: readonly string[]): boolean =>
  markets.includes(country) || markets.includes(OF_MARKET[country] ?? '');

/** The markets with their territories. */
const areasOf = (markets: readonly string[]): string[] => [
  ...markets,
  ...Object.keys(OF_MARKET).filter((territory) => markets.includes(OF_MARKET[territory]!)),
];

/** The place's country, from its coordinates where it came without one. */
export function countryOf(place: RiskPlace): string | null {
  if (place.country !== null) return place.country.toUpperCase();
  if (place.lat === null || place.lon === null) return null;
  return codeAt(place.lat, place.lon);
}

/** What the map says; Ceuta and Melilla have a code there that ISO 3166-1 does not, so that nobody could ask for their scans. */
function codeAt(lat: number, lon: number): string | null {
  const code = iso1A2Code([lon, lat], { level: 'territory' });
  return code === 'EA' ? 'ES' : code;
}

/** South, west, north and east of each part of a country; null where its outline is unknown. */
type Boxes = [south: number, west: number, north: number, east: number][] | null;

const boxes = new Map<string, Boxes>();
const KM_PER_DEGREE = 111.2;

/** A rough test that spares most positions the search along their surroundings, and most of these a look at the map. */
function mayLieWithin(market: string, lat: number, lon: number, km: number): boolean {
  const parts = boxesOf(market);
  if (parts === null) return true;
  const north = km / KM_PER_DEGREE;
  const east = north / Math.max(0.05, Math.cos((lat * Math.PI) / 180));
  return parts.some(
    ([s, w, n, e]) =>
      lat >= s - north &&
      lat <= n + north &&
      (between(lon, w - east, e + east) || e + east > 180 || w - east < -180),
  );
}

function boxesOf(market: string): Boxes {
  let known = boxes.get(market);
  if (known === undefined) {
    known = findBoxes(market);
    boxes.set(market, known);
  }
  return known;
}

function findBoxes(market: string): Boxes {
  const found: NonNullable<Boxes> = [];
  for (const { geometry } of featuresIn(market)) {
    if (geometry?.type !== 'MultiPolygon') continue;
    for (const polygon of geometry.coordinates as [lon: number, lat: number][][][]) {
      const points = polygon.flat();
      const lats = points.map(([, lat]) => lat);
      const lons = points.map(([lon]) => lon);
      found.push([Math.min(...lats), Math.min(...lons), Math.max(...lats), Math.max(...lons)]);
    }
  }
  return found.length > 0 ? found : null;
}

function between(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}
