/** Where a position lies with respect to a unit's markets: borders from @rapideditor/country-coder (OpenStreetMap, ISC). */
import { iso1A2Code } from '@rapideditor/country-coder';
import { destination } from './geo.ts';
import type { RiskPlace } from './types.ts';

export type MarketPosition = 'inside' | 'near-border' | 'outside' | 'unknown';

/** Directions in which the surroundings are searched for a market. */
const BEARINGS = 12;
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
  if (markets.includes(country)) return 'inside';
  const { lat, lon, accuracyKm } = place;
  if (lat === null || lon === null) return 'outside';
  // An overseas territory belongs to its state's market where the state is one.
  const state = iso1A2Code([lon, lat], { level: 'country' });
  const territory = iso1A2Code([lon, lat], { level: 'territory' });
  if (territory === country && state !== territory && state !== null && markets.includes(state))
    return 'inside';
  const searchKm = Math.min(MAX_SEARCH_KM, (accuracyKm ?? 0) * borderRadii);
  if (searchKm <= 0) return 'outside';
  for (const ring of RINGS) {
    for (let step = 0; step < BEARINGS; step++) {
      const near = destination(lat, lon, (360 / BEARINGS) * step, searchKm * ring);
      const code = iso1A2Code([near.lon, near.lat], { level: 'territory' });
      if (code !== null && markets.includes(code)) return 'near-border';
    }
  }
  return 'outside';
}

/** The place's country, from its coordinates where it came without one. */
export function countryOf(place: RiskPlace): string | null {
  if (place.country !== null) return place.country.toUpperCase();
  if (place.lat === null || place.lon === null) return null;
  return iso1A2Code([place.lon, place.lat], { level: 'territory' });
}
