/**
 * What the databases say of an address: fixed lines are put some kilometres off, mobile ones hundreds, by country, and a
 * VPN where it leaves. The stated radius is rounded to a few steps, as databases do, and knows only roughly how wrong it is.
 */
import type { Random } from '../../../../sample-data/random.ts';
import { countryAcross, exitNear, EXITS, offBy } from './atlas.ts';
import type { Line, Person, Place, Sighting } from './model.ts';

/** Median error of a fixed line in kilometres, by country. */
const FIXED_KM: Partial<Record<string, number>> = {
  NL: 3,
  BE: 4,
  CH: 4,
  SG: 3,
  DK: 4,
  DE: 5,
  GB: 6,
  AT: 6,
  KR: 5,
  JP: 6,
  US: 7,
  CA: 7,
  FR: 9,
  SE: 7,
  CZ: 6,
  PL: 9,
  ES: 9,
  IT: 10,
  PT: 8,
  HU: 8,
  RO: 9,
  AU: 8,
  GR: 10,
  AE: 8,
};
const OTHER_FIXED_KM = 14;
const FIXED_SIGMA = 0.7;

/** Median error of a mobile network, as a multiple of the world's. */
const MOBILE_SCALE: Partial<Record<string, number>> = {
  NL: 0.55,
  BE: 0.5,
  CH: 0.55,
  SG: 0.2,
  DK: 0.6,
  AT: 0.8,
  CZ: 0.7,
  HU: 0.7,
  PT: 0.8,
  AE: 0.6,
  KR: 0.7,
  GR: 0.9,
  US: 1.6,
  CA: 1.7,
  BR: 1.6,
  IN: 1.6,
  AU: 1.6,
  MX: 1.4,
  ID: 1.4,
  TR: 1.2,
  SA: 1.3,
  SE: 1.2,
};
const OTHER_MOBILE_SCALE = 1;
/** The world's median is 190 km; the scales, weighted by their buyers, are above 1, which the factor takes back. */
const MOBILE_KM = 0.915 * 190;
const MOBILE_SIGMA = 0.8;

/** Shares of the addresses that are put into another country. */
const WRONG_COUNTRY: Record<Line, number> = { fixed: 0.003, mobile: 0.03 };
const EXIT_WRONG_COUNTRY = 0.05;

/** Radii that a database states, in kilometres. */
const RADII = [1, 5, 10, 20, 50, 100, 200, 500, 1000];

/** Shares of the scans on a VPN that leave where they usually do, and of the exits that were chosen for being near. */
const USUAL_EXIT = 0.9;
const NEAR_EXIT = 0.3;

export function addressAt(rng: Random, line: Line, place: Place): Sighting {
  return line === 'fixed' ? fixedLine(rng, place) : mobileNetwork(rng, place);
}

export function fixedLine(rng: Random, place: Place): Sighting {
  const km = FIXED_KM[place.country] ?? OTHER_FIXED_KM;
  return {
    ...offBy(rng, place, rng.lognormal(km, FIXED_SIGMA)),
    accuracyKm: stated(rng.lognormal(km * 1.6, 0.4)),
    country: rng.chance(WRONG_COUNTRY.fixed) ? countryAcross(place) : place.country,
  };
}

function mobileNetwork(rng: Random, place: Place): Sighting {
  const km = MOBILE_KM * (MOBILE_SCALE[place.country] ?? OTHER_MOBILE_SCALE);
  return {
    ...offBy(rng, place, rng.lognormal(km, MOBILE_SIGMA)),
    accuracyKm: stated(rng.lognormal(km * 1.5, 0.35)),
    country: rng.chance(WRONG_COUNTRY.mobile) ? countryAcross(place) : place.country,
  };
}

export function vpnExit(rng: Random, who: Person): Sighting {
  const someExit = () => (rng.chance(NEAR_EXIT) ? exitNear(rng, who.home) : rng.pick(EXITS));
  who.exit ??= someExit();
  const exit = rng.chance(USUAL_EXIT) ? who.exit : someExit();
  return {
    ...offBy(rng, exit, rng.exponential(3)),
    accuracyKm: stated(rng.lognormal(18, 0.6)),
    country: rng.chance(EXIT_WRONG_COUNTRY) ? rng.pick(EXITS).country : exit.country,
  };
}

/** The step that is nearest by its ratio. */
function stated(km: number): number {
  return RADII.reduce((best, radius) =>
    Math.abs(Math.log(radius / km)) < Math.abs(Math.log(best / km)) ? radius : best,
  );
}
