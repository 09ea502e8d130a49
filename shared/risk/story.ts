/**
 * The cheapest honest story. One object is at one place at a time: it stands in a shop, is sold, lives in a household,
 * travels with it, may be given or sold on. Each new visitor is either where the object is, or has a wrong position
 * (VPN, roaming), or the object has moved there meanwhile. Each of these has a price: the logarithm of how much likelier
 * a random visitor of one of many copies makes what was seen than this step of an honest life does. For every known
 * place the profile keeps the cheapest story that ends there (Viterbi's algorithm), as a running sum that is not let
 * fall below a floor (Page's CUSUM test), so that years of honest scans cannot pay for the copies that come after.
 *
 * Sources of the idea: Lehtonen et al. 2009 and Zanetti et al. 2010 (probabilistic trace models of tagged goods that
 * tolerate missing reads); Viterbi 1967; Page 1954.
 */
import { distanceKm } from './geo.ts';
import type { RiskPolicy } from './policy.ts';
import type { Fix, KnownPlace } from './types.ts';

/** Places remembered per unit. */
export const MAX_PLACES = 8;
/** Evidence, in nats, at which the verdict turns: ln 100, the odds of an honest unit when one in a hundred is copied. */
export const FULL_EVIDENCE = 4.6;
/** How far honest scans may count in a unit's favour. */
const CREDIT_FLOOR = -5;
/** No position is trusted to better than this: one neighbourhood is one place. */
const MIN_ACCURACY_KM = 2;
/** A fix belongs to a place within this many times their joint radius. */
const SAME_PLACE_RADII = 3.5;
/** The error of a position: log-normal, its median this share of the radius that is stated for it. */
const ERROR_MEDIAN_SHARE = 0.85;
const ERROR_SIGMA = 0.85;
const ERROR_PEAK = 1 / (ERROR_SIGMA * Math.sqrt(2 * Math.PI));
/** Copies and wrong positions turn up at any scale of distance alike, from a city's (10 km) to the world's (15,000 km). */
const ANYWHERE = 1 / Math.log(15_000 / 10);
/** Share of a copied code's visitors who are right where an object was seen before, and in the same region. */
const COPIES_AT_PLACE = 0.2;
const COPIES_IN_REGION = 0.35;
const REGION_KM = 50;
const COPIES_ELSEWHERE = 1 - COPIES_AT_PLACE - COPIES_IN_REGION;
/** Few units ever meet more than a handful of people: what each of the visitors from the second to the eighth speaks for copies. */
const VISITOR_PRICE = 0.5;
const VISITORS_PRICED = 8;
/** Chance of the first move, from the shop to its buyer. */
const FIRST_MOVE_RATE = 0.5;
/** Most things move within a region (median 20 km), some anywhere. */
const MOVE_MEDIAN_KM = 20;
const MOVE_SIGMA = 1.3;
const MOVE_ANYWHERE_SHARE = 0.2;
const DAY_MINUTES = 24 * 60;

export interface Story {
  places: KnownPlace[];
  nextPlaceId: number;
  /** The place that this fix was taken for, -1 for none. */
  placeId: number;
}

/** Evidence against one object: that of the cheapest honest story. */
export function evidence(places: readonly KnownPlace[]): number {
  let least = Infinity;
  for (const place of places) least = Math.min(least, place.cost);
  return least === Infinity ? 0 : least;
}

/** The known place to which a fix belongs, if any. */
export function bestPlace(places: readonly KnownPlace[], fix: Fix): KnownPlace | null {
  let best: KnownPlace | null = null;
  let least = SAME_PLACE_RADII;
  for (const place of places) {
    const off = distanceKm(place.lat, place.lon, fix.lat, fix.lon) / jointRadius(place, fix);
    if (off <= least) {
      least = off;
      best = place;
    }
  }
  return best;
}

/**
 * A new visitor was here.
 * @param before places and stories so far
 * @param extra evidence from impossible travel, borne by every story in which the object is not where this visitor is
 */
export function newVisitor(
  before: { places: readonly KnownPlace[]; nextPlaceId: number; lastAt: number; visitors: number },
  fix: Fix,
  extra: number,
  policy: RiskPolicy,
): Story {
  const minute = Math.floor(fix.at / 60_000);
  const elapsedHours = Math.abs(fix.at - before.lastAt) / 3_600_000;
  const wrongPosition = wrongPositionPrice(policy);
  const home = bestPlace(before.places, fix);
  const crowd = before.visitors > 0 && before.visitors < VISITORS_PRICED ? VISITOR_PRICE : 0;

  const places: KnownPlace[] = before.places.map((to) => {
    const arrival = cheapestArrival(before.places, to, elapsedHours, minute, policy);
    const price = observationPrice(to, fix, policy);
    const hurried = extra * Math.max(0, price / wrongPosition);
    return { ...to, ...arrival, cost: arrival.cost + crowd + price + hurried };
  });
  let nextPlaceId = before.nextPlaceId;
  let placeId: number;
  if (home === null) {
    placeId = nextPlaceId++;
    const found = newPlace(placeId, fix, minute);
    const arrival =
      before.places.length === 0
        ? { cost: 0, moves: 0, since: minute }
        : cheapestArrival(before.places, found, elapsedHours, minute, policy, wrongPosition + extra);
    places.push({ ...found, ...arrival, cost: arrival.cost + crowd });
  } else {
    placeId = home.id;
    const index = places.findIndex((place) => place.id === placeId);
    places[index] = refine(places[index]!, fix, minute);
  }
  const least = evidence(places);
  const lift = least < CREDIT_FLOOR ? CREDIT_FLOOR - least : 0;
  return {
    places: forget(places, placeId).map((place) => ({ ...place, cost: round(place.cost + lift) })),
    nextPlaceId,
    placeId,
  };
}

/**
 * A visitor who was seen before turns up again: somebody who carries the object, or the page, about. That costs no
 * story anything; where the journey is possible, the object may now be there.
 */
export function knownVisitor(
  before: { places: readonly KnownPlace[]; nextPlaceId: number; lastAt: number },
  fix: Fix,
  seenAt: readonly number[],
  policy: RiskPolicy,
): Story {
  const minute = Math.floor(fix.at / 60_000);
  const elapsedHours = Math.abs(fix.at - before.lastAt) / 3_600_000;
  const here = bestPlace(before.places, fix);
  if (here !== null && seenAt.includes(here.id)) {
    return { places: [...before.places], nextPlaceId: before.nextPlaceId, placeId: here.id };
  }
  const target = here ?? newPlace(before.nextPlaceId, fix, minute);
  let carried: KnownPlace | null = null;
  for (const place of before.places) {
    if (!seenAt.includes(place.id) || !canTravel(place, target, elapsedHours, policy)) continue;
    if (carried === null || place.cost < carried.cost) carried = place;
  }
  if (carried === null) return { places: [...before.places], nextPlaceId: before.nextPlaceId, placeId: -1 };
  const { cost, moves, since } = carried;
  if (here !== null) {
    const places = before.places.map((place) =>
      place.id === here.id && place.cost > cost ? { ...place, cost, moves, since } : place,
    );
    return { places, nextPlaceId: before.nextPlaceId, placeId: here.id };
  }
  const places = forget([...before.places, { ...target, visitors: 0, cost, moves, since }], target.id);
  return { places, nextPlaceId: before.nextPlaceId + 1, placeId: target.id };
}

/** A person has looked and found no copy: every place seen so far is an honest one. */
export function forgive(places: readonly KnownPlace[]): KnownPlace[] {
  return places.map((place) => ({ ...place, cost: 0, moves: 0 }));
}

/** The cheapest way for the object to be at `to` now: it stayed, or it moved from somewhere. */
function cheapestArrival(
  places: readonly KnownPlace[],
  to: KnownPlace,
  elapsedHours: number,
  minute: number,
  policy: RiskPolicy,
  impossiblePrice = Infinity,
): { cost: number; moves: number; since: number } {
  let best = { cost: Infinity, moves: 0, since: minute };
  for (const from of places) {
    if (from.id === to.id) {
      if (from.cost < best.cost) best = { cost: from.cost, moves: from.moves, since: from.since };
      continue;
    }
    if (from.cost >= best.cost) continue;
    let cost = from.cost + movePrice(from, to, minute, policy);
    if (cost >= best.cost) continue;
    // When nothing can have come here in time, the earlier positions may be the wrong ones.
    if (!canTravel(from, to, elapsedHours, policy)) cost += impossiblePrice;
    if (cost < best.cost) best = { cost, moves: from.moves + 1, since: minute };
  }
  return best;
}

/** What a wrong position costs an honest story: it is rare, where a copy's visitor may well be elsewhere. */
export function wrongPositionPrice(policy: RiskPolicy): number {
  return Math.log(COPIES_ELSEWHERE / policy.clone.wrongPositionRate);
}

/** What it costs that the object changed hands and place since the last visitor. */
function movePrice(from: KnownPlace, to: KnownPlace, minute: number, policy: RiskPolicy): number {
  const km = Math.max(MOVE_MEDIAN_KM, distanceKm(from.lat, from.lon, to.lat, to.lon));
  const off = Math.log(km / MOVE_MEDIAN_KM) / MOVE_SIGMA;
  const peak = 1 / (MOVE_SIGMA * Math.sqrt(2 * Math.PI));
  const honest =
    (1 - MOVE_ANYWHERE_SHARE) * peak * Math.exp(-0.5 * off * off) + MOVE_ANYWHERE_SHARE * ANYWHERE;
  // Things are resold or given away after weeks, not hours: a week is the pivot.
  const days = (minute - from.since) / DAY_MINUTES;
  const haste = from.moves > 0 && days < 7 ? 1 - days / 7 : 0;
  const rate = from.moves === 0 ? FIRST_MOVE_RATE : policy.clone.moveRate;
  const copies = COPIES_IN_REGION * bell(km, REGION_KM) + COPIES_ELSEWHERE * ANYWHERE;
  return Math.max(0, Math.log(copies / (rate * honest))) + haste;
}

/** What it costs an honest story that the object is at this place and the visitor seems to be where the fix says. */
function observationPrice(place: KnownPlace, fix: Fix, policy: RiskPolicy): number {
  const median = ERROR_MEDIAN_SHARE * jointRadius(place, fix);
  const km = Math.max(median, distanceKm(place.lat, place.lon, fix.lat, fix.lon));
  const near = bell(km, median);
  const region = bell(km, Math.hypot(median, REGION_KM));
  const { wrongPositionRate } = policy.clone;
  const copies = COPIES_AT_PLACE * near + COPIES_IN_REGION * region + COPIES_ELSEWHERE * ANYWHERE;
  return Math.log(copies / ((1 - wrongPositionRate) * near + wrongPositionRate * ANYWHERE));
}

/** Density of the logarithm of a distance under a log-normal law, flat below its median. */
function bell(km: number, medianKm: number): number {
  const off = Math.log(Math.max(km, medianKm) / medianKm) / ERROR_SIGMA;
  return ERROR_PEAK * Math.exp(-0.5 * off * off);
}

function jointRadius(place: { accuracyKm: number }, fix: Fix): number {
  return Math.hypot(radius(place.accuracyKm), radius(fix.accuracyKm));
}

function canTravel(from: KnownPlace, to: KnownPlace, elapsedHours: number, policy: RiskPolicy): boolean {
  const km = distanceKm(from.lat, from.lon, to.lat, to.lon) - radius(from.accuracyKm) - radius(to.accuracyKm);
  return km <= policy.impossibleTravel.maxSpeedKmh * elapsedHours;
}

function newPlace(id: number, fix: Fix, minute: number): KnownPlace {
  const { lat, lon, accuracyKm, country } = fix;
  return {
    id,
    lat: round(lat),
    lon: round(lon),
    accuracyKm,
    country,
    visitors: 1,
    first: minute,
    last: minute,
    cost: 0,
    moves: 0,
    since: minute,
  };
}

/** The place with one more visitor: a far better fix replaces the position, a comparable one is averaged in. */
function refine(place: KnownPlace, fix: Fix, minute: number): KnownPlace {
  const seen = {
    ...place,
    visitors: place.visitors + 1,
    first: Math.min(place.first, minute),
    last: Math.max(place.last, minute),
  };
  if (fix.accuracyKm < place.accuracyKm / 2) {
    const { lat, lon, accuracyKm, country } = fix;
    return { ...seen, lat: round(lat), lon: round(lon), accuracyKm, country };
  }
  if (fix.accuracyKm > place.accuracyKm * 2) return seen;
  const share = 1 / Math.min(20, seen.visitors);
  const lonDifference = ((fix.lon - place.lon + 540) % 360) - 180;
  return {
    ...seen,
    lat: round(place.lat + share * (fix.lat - place.lat)),
    lon: round(((place.lon + share * lonDifference + 540) % 360) - 180),
  };
}

/** Drops the least plausible place when there are too many, never the one just seen. */
function forget(places: KnownPlace[], keepId: number): KnownPlace[] {
  if (places.length <= MAX_PLACES) return places;
  let worst: KnownPlace | null = null;
  for (const place of places) {
    if (place.id === keepId) continue;
    if (worst === null || place.cost > worst.cost || (place.cost === worst.cost && place.last < worst.last)) {
      worst = place;
    }
  }
  return places.filter((place) => place !== worst);
}

function radius(accuracyKm: number): number {
  return Math.max(MIN_ACCURACY_KM, accuracyKm);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
