/**
 * Units of the same markets, of whatever lot: asked about a unit of whose own lot too few were seen to say anything, as of its first
 * ones. Of many lots a small share goes astray, so what is noise must be known better than for a lot: it is learned country by
 * country from the units of other markets. Who is behind a VPN or on a journey does not choose by a product's markets.
 */
import { othersOf, type LotSightings } from './lot.ts';
import type { RiskProfile } from './types.ts';
import { shortKey } from './visitors.ts';

/** Units of other markets from which noise is learned. */
const LEAST_STRANGERS = 30;
/** Noise that is assumed before anything is seen: half a unit in a hundred, and never below one in a thousand. */
const [NOISE_UNITS, NOISE_OF, LEAST_NOISE] = [0.5, 100, 0.001];

/** Units of an organization, whatever their markets, by where each was first seen. */
export interface OrganizationSightings {
  units: number;
  /** First seen outside their markets, by country. */
  outside: Readonly<Record<string, number>>;
  /** Those that are sold in a country. */
  soldIn: Readonly<Record<string, number>>;
}

/** Units of the same markets, without the one that asks. */
export interface Peers extends LotSightings {
  /**
   * The share of the units of other markets, which are not sold there either, that were first seen in a country; undefined where too few
   * are known.
   */
  noiseIn: (country: string) => number | undefined;
}

/** An organization of which nobody was seen yet. */
export const nobody = (): OrganizationCount => ({ units: 0, outside: {}, soldIn: {} });

// Units of one product share their list, and so do recorded scans: a name is made once for each.
const names = new WeakMap<readonly string[], string>();
const keys = new WeakMap<readonly string[], string>();

/** The same markets give the same name, in whatever order they are written, and however often. */
export function nameOfMarkets(markets: readonly string[]): string {
  if (markets.length === 1) return markets[0]!;
  let name = names.get(markets);
  if (name === undefined) {
    name = [...new Set(markets)].sort().join();
    names.set(markets, name);
  }
  return name;
}

/** @returns what a profile keeps of the markets' name; '' for everywhere. */
export function keyOfMarkets(markets: readonly string[]): string {
  if (markets.length === 0) return '';
  let key = keys.get(markets);
  if (key === undefined) {
    key = shortKey(nameOfMarkets(markets));
    keys.set(markets, key);
  }
  return key;
}

/**
 * @param same the units of the same markets, this one included
 * @param all the organization's, those included
 * @param profile of the unit, which must not testify for itself
 * @param least other units that are needed to have a say (`diversion.lotUnits`)
 * @returns the others of the same markets, and the noise; null while too few are known
 */
export function peersOf(
  same: LotSightings,
  all: OrganizationSightings,
  profile: RiskProfile | null,
  least: number,
): Peers | null {
  const others = othersOf(same, profile);
  if (others.units < least || all.units - same.units < LEAST_STRANGERS) return null;
  const { units, outside } = others;
  return { units, outside, noiseIn: (country) => noiseIn(country, same, all) };
}

/** Learned from those that are not sold there, for whom it would be no noise. */
function noiseIn(country: string, same: LotSightings, all: OrganizationSightings): number | undefined {
  const strangers = all.units - same.units - (all.soldIn[country] ?? 0);
  if (strangers < LEAST_STRANGERS) return undefined;
  const here = (all.outside[country] ?? 0) - (same.outside[country] ?? 0);
  return Math.max(LEAST_NOISE, (Math.max(0, here) + NOISE_UNITS) / (strangers + NOISE_OF));
}

/** An organization's sightings while they are counted. */
export interface OrganizationCount extends OrganizationSightings {
  outside: Record<string, number>;
  soldIn: Record<string, number>;
}

/**
 * Counts a unit where it was first seen, once. In place: with two hundred countries, copies of the counts were a twentieth of a replay.
 * @returns whether it was counted
 */
export function countUnit(
  all: OrganizationCount,
  markets: readonly string[],
  before: RiskProfile | null,
  { seenIn }: RiskProfile,
): boolean {
  if (seenIn === undefined || before?.seenIn !== undefined) return false;
  all.units += 1;
  if (seenIn !== null) all.outside[seenIn] = (all.outside[seenIn] ?? 0) + 1;
  for (const market of new Set(markets)) all.soldIn[market] = (all.soldIn[market] ?? 0) + 1;
  return true;
}
