/**
 * What a unit's lot says about a scan outside the markets. A lot is diverted together, by the pallet, to one country;
 * visitors behind a VPN and customers abroad come one by one, from everywhere. So where the other units of the lot were
 * first seen tells the two apart, which no single scan can: a two-part model of the share q of the lot that is in the
 * scan's country. Either q is nought, and whoever is seen there is noise; or q is anything between nought and one alike
 * (beta-binomial, the rule of succession: Laplace 1814).
 */
import { lnBeta } from './beta.ts';
import { isOfMarkets } from './markets.ts';
import type { RiskProfile } from './types.ts';

/** Units of a lot by where each was first seen, those inside the markets told by their number only. */
export interface LotSightings {
  units: number;
  /** First seen outside the markets, by country. */
  outside: Readonly<Record<string, number>>;
}

export const NO_SIGHTINGS: LotSightings = { units: 0, outside: {} };

/**
 * Share of an honest lot's units first seen outside its markets: 2% of first visitors have a wrong position
 * (an estimate of its own, whatever the policy says of copies) and about as many have taken their purchase abroad; no single country has more than a quarter.
 */
const NOISE = { anywhere: 0.04, oneCountry: 0.01 };
/** One lot in thirty is diverted in part, to one of ten likely countries. */
const DIVERTED = { anywhere: 1 / 30, oneCountry: 1 / 300 };

/**
 * A unit seen in a country was sold there, or it was sold where it should be and is seen there by chance. Lots are sold on
 * in one country, or here and there: then what counts is how many units are outside at all, and this country's part of them.
 * @param lot the other units
 * @param noise share of an honest organization's units that are first seen in this country, where it is known
 * @returns natural logarithm of the odds that the unit was sold outside the markets
 */
export function lotOdds(lot: LotSightings, country: string, noise?: number): number {
  const n = lot.units;
  const here = lot.outside[country] ?? 0;
  if (noise !== undefined) {
    // A small share of many units is as good a sign as it is above the noise.
    const sold = soldShare(n, here, DIVERTED.oneCountry, noise);
    return Math.log(sold / ((1 - sold) * noise));
  }
  let away = 0;
  for (const units of Object.values(lot.outside)) away += units;
  const inOne = soldShare(n, here, DIVERTED.oneCountry, NOISE.oneCountry);
  const inAny = soldShare(n, away, DIVERTED.anywhere, NOISE.anywhere);
  const sold = Math.max(inOne, (inAny * (here + 0.5)) / (away + 1));
  const atHome = Math.max(1 / (n + 2), 1 - Math.max(inOne, inAny));
  return Math.log(sold / (atHome * NOISE.oneCountry));
}

/** The share of `n` units that is expected to have been sold where `k` of them were first seen. */
function soldShare(n: number, k: number, prior: number, noiseRate: number): number {
  const noise = Math.log(1 - prior) + k * Math.log(noiseRate) + (n - k) * Math.log(1 - noiseRate);
  const sold = Math.log(prior) + lnBeta(k + 1, n - k + 1);
  return (k + 1) / (n + 2) / (1 + Math.exp(noise - sold));
}

/** The lot where a country has become a market since units were first seen there: they are where they should be. */
export function sinceSoldIn(lot: LotSightings, markets: readonly string[]): LotSightings {
  const countries = Object.keys(lot.outside);
  if (!countries.some((country) => isOfMarkets(country, markets))) return lot;
  const outside = Object.entries(lot.outside).filter(([country]) => !isOfMarkets(country, markets));
  return { units: lot.units, outside: Object.fromEntries(outside) };
}

/** Evidence, in nats, of one more visitor at the same unit outside the markets: each would have to be noise as well. */
export const SECOND_VISITOR_NATS = -Math.log(NOISE.oneCountry);

/** The lot without one of its units, which must not testify for itself. */
export function othersOf(lot: LotSightings, profile: RiskProfile | null): LotSightings {
  const seenIn = profile?.seenIn;
  if (seenIn === undefined) return lot;
  const outside =
    seenIn === null ? lot.outside : { ...lot.outside, [seenIn]: Math.max(0, (lot.outside[seenIn] ?? 0) - 1) };
  return { ...lot, units: Math.max(0, lot.units - 1), outside };
}

/** The lot after a unit's scan: a unit counts once, where it was first seen. */
export function withSighting(
  lot: LotSightings,
  before: RiskProfile | null,
  after: RiskProfile,
): LotSightings {
  const { seenIn } = after;
  if (seenIn === undefined || before?.seenIn !== undefined) return lot;
  const outside =
    seenIn === null ? lot.outside : { ...lot.outside, [seenIn]: (lot.outside[seenIn] ?? 0) + 1 };
  return { units: lot.units + 1, outside };
}
