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
import { ANYWHERE, copiesPrice, SOMEWHERE, withVisitor } from './evidence.ts';
import { distanceKm } from './geo.ts';
import { newPlacePrice, visitorPrice } from './newcomers.ts';
import type { RiskPolicy } from './policy.ts';
import { atPlaceDensity, jointRadius, radius } from './position-error.ts';
import { round } from './round.ts';
import type { Evidence, KnownPlace, Position } from './types.ts';

/** Places remembered per unit. */
const MAX_PLACES = 8;
/** Evidence, in nats, at which the verdict turns: ln(9 × 99), nine chances in ten when one unit in a hundred is copied. */
export const FULL_EVIDENCE = 6.8;
/** A fix belongs to a place within this many times their joint radius. */
const SAME_PLACE_RADII = 3.5;
/** Chance of the first move, from the shop to its buyer. */
const FIRST_MOVE_RATE = 0.4;
/** Most things move within a region (median 20 km), some anywhere. */
const MOVE_MEDIAN_KM = 20;
const MOVE_SIGMA = 1.3;
const MOVE_PEAK = 1 / (MOVE_SIGMA * Math.sqrt(2 * Math.PI));
const MOVE_ANYWHERE_SHARE = 0.15;
/** An excursion ends at home within so many days, more often than not. */
const EXCURSION_DAYS = 45;
const RETURN_PRICE = 0.5;
const DAY_MINUTES = 24 * 60;

/** What a profile keeps of the stories. */
export interface Stories {
  places: readonly KnownPlace[];
  nextPlaceId: number;
  /** When the last new visitor came: who looks again is no news, and takes no time from the next one's journey. */
  newestAt: number;
  /** When anybody looked last: who comes within minutes of that may be the same person, by another browser and a VPN. */
  lastAt: number;
  visitors: number;
  /** Places first seen before this minute count as one: a person found no copy among them. */
  forgivenUntil: number;
  evidence: Evidence;
}

export interface StoryUpdate {
  places: KnownPlace[];
  nextPlaceId: number;
  evidence: Evidence;
  /** The place that this fix was taken for, -1 for none. */
  placeId: number;
}

/** The known place to which a fix belongs, if any. */
export function bestPlace(places: readonly KnownPlace[], fix: Position): KnownPlace | null {
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
 * @param haste evidence from impossible travel, borne by every story in which this position is a wrong one; with it, the
 *   answer is what the scan itself says at its worst, without it, what is kept of it
 * @param meetsAnother chance that a unit of the organization which met a few people meets one more
 */
export function newVisitor(
  before: Stories,
  fix: Position,
  haste: number,
  meetsAnother: number,
  policy: RiskPolicy,
): StoryUpdate {
  const minute = Math.floor(fix.at / 60_000);
  if (before.places.length === 0) {
    const first = newPlace(before.nextPlaceId, fix, minute);
    return { places: [first], nextPlaceId: first.id + 1, evidence: before.evidence, placeId: first.id };
  }
  const elapsedHours = Math.abs(fix.at - before.newestAt) / 3_600_000;
  const home = bestPlace(before.places, fix);
  const places: KnownPlace[] = before.places.map((to) => {
    const place = { ...to };
    arrive(place, cheapestArrival(before.places, to, elapsedHours, minute, policy));
    place.cost += observationPrice(to, fix, haste, policy);
    return place;
  });
  let nextPlaceId = before.nextPlaceId;
  let placeId: number;
  if (home === null) {
    placeId = nextPlaceId++;
    const place = newPlace(placeId, fix, minute);
    // When nothing can have come here in time, the earlier position may be the wrong one.
    const wrongBefore = haste - Math.log(policy.clone.wrongPositionRate);
    arrive(place, cheapestArrival(before.places, place, elapsedHours, minute, policy, wrongBefore));
    place.cost -= Math.log(SOMEWHERE);
    places.push(place);
  } else {
    placeId = home.id;
    const index = places.findIndex((place) => place.id === placeId);
    refine(places[index]!, fix, minute);
  }
  let least = Infinity;
  for (const place of places) least = Math.min(least, place.cost);
  for (const place of places) place.cost = round(place.cost - least);
  return {
    places: forget(places, placeId),
    nextPlaceId,
    placeId,
    evidence: withVisitor(before.evidence, {
      honest: least,
      copies: copiesPrice(before.places, fix),
      crowd: visitorPrice(before.visitors, home, elapsedHours, meetsAnother),
      found: home === null ? newPlacePrice(before.places, before.forgivenUntil) : 0,
      elapsedHours: Math.abs(fix.at - before.lastAt) / 3_600_000,
      isHasty: haste > 0,
    }),
  };
}

/**
 * A visitor who was seen before turns up again: somebody who carries the object, or the page, about. That costs no
 * story anything; where the journey is possible, the object may now be there.
 * @param seenAt ids of the places where the visitor was, and `lastSeenAt` when: whoever else looks in between takes no time from them
 */
export function knownVisitor(
  before: Stories,
  fix: Position,
  seenAt: readonly number[],
  lastSeenAt: number,
  policy: RiskPolicy,
): StoryUpdate {
  const { evidence, nextPlaceId } = before;
  const minute = Math.floor(fix.at / 60_000);
  const elapsedHours = Math.abs(fix.at - lastSeenAt) / 3_600_000;
  const here = bestPlace(before.places, fix);
  if (here !== null && seenAt.includes(here.id)) {
    return { places: [...before.places], nextPlaceId, evidence, placeId: here.id };
  }
  const target = here ?? newPlace(before.nextPlaceId, fix, minute);
  let carried: KnownPlace | null = null;
  for (const place of before.places) {
    if (!seenAt.includes(place.id) || !canTravel(place, target, elapsedHours, policy)) continue;
    if (carried === null || place.cost < carried.cost) carried = place;
  }
  if (carried === null) return { places: [...before.places], nextPlaceId, evidence, placeId: -1 };
  const { cost, moves, since, id: via } = carried;
  if (here !== null) {
    const places = before.places.map((place) =>
      // The others' own way here stays what the next step is priced by.
      place.id === here.id && place.cost > cost ? { ...place, cost } : place,
    );
    return { places, nextPlaceId, evidence, placeId: here.id };
  }
  const places = forget([...before.places, { ...target, visitors: 0, cost, moves, since, via }], target.id);
  if (!places.some(({ id }) => id === target.id))
    return { places: [...before.places], nextPlaceId, evidence, placeId: -1 };
  return { places, nextPlaceId: nextPlaceId + 1, evidence, placeId: target.id };
}

/** A person has looked and found no copy: every place seen so far is an honest one. */
export function forgive(places: readonly KnownPlace[]): KnownPlace[] {
  return places.map((place) => ({ ...place, cost: 0, moves: 0 }));
}

type Arrival = Pick<KnownPlace, 'cost' | 'moves' | 'since' | 'via'>;

/** The cheapest way for the object to be at `to` now: it stayed, or it moved from somewhere. */
function cheapestArrival(
  places: readonly KnownPlace[],
  to: KnownPlace,
  elapsedHours: number,
  minute: number,
  policy: RiskPolicy,
  impossiblePrice = Infinity,
): Arrival {
  let best: Arrival = { cost: Infinity, moves: 0, since: minute, via: -1 };
  for (const from of places) if (from.id === to.id) best = from;
  for (const from of places) {
    if (from.id === to.id) continue;
    if (from.cost >= best.cost) continue;
    const returns = from.via === to.id && minute - from.since < EXCURSION_DAYS * DAY_MINUTES;
    let cost = from.cost + (returns ? RETURN_PRICE : movePrice(from, to, minute, policy));
    if (cost >= best.cost) continue;
    // When nothing can have come here in time, the earlier positions may be the wrong ones.
    if (!canTravel(from, to, elapsedHours, policy)) cost += impossiblePrice;
    if (cost >= best.cost) continue;
    best = { cost, moves: from.moves + 1, since: minute, via: returns ? -1 : from.id };
  }
  return best;
}

function arrive(place: KnownPlace, arrival: Arrival): void {
  place.cost = arrival.cost;
  place.moves = arrival.moves;
  place.since = arrival.since;
  place.via = arrival.via;
}

/** What it costs an honest story that the object changed hands and place since the last visitor. */
function movePrice(from: KnownPlace, to: KnownPlace, minute: number, policy: RiskPolicy): number {
  const km = Math.max(MOVE_MEDIAN_KM, distanceKm(from.lat, from.lon, to.lat, to.lon));
  const off = Math.log(km / MOVE_MEDIAN_KM) / MOVE_SIGMA;
  const honest =
    (1 - MOVE_ANYWHERE_SHARE) * MOVE_PEAK * Math.exp(-0.5 * off * off) + MOVE_ANYWHERE_SHARE * ANYWHERE;
  // Things are resold or given away after weeks, not hours: a week is the pivot.
  const days = (minute - from.since) / DAY_MINUTES;
  const haste = from.moves > 0 && days < 7 ? 1 - days / 7 : 0;
  const rate = from.moves === 0 ? FIRST_MOVE_RATE : policy.clone.moveRate;
  return Math.max(0, Math.log(SOMEWHERE / (rate * honest))) + haste;
}

/** What it costs an honest story that the object is at this place and the visitor seems to be where the fix says. */
function observationPrice(place: KnownPlace, fix: Position, haste: number, policy: RiskPolicy): number {
  const { wrongPositionRate } = policy.clone;
  const km = distanceKm(place.lat, place.lon, fix.lat, fix.lon);
  const right = (1 - wrongPositionRate) * atPlaceDensity(place, fix, km);
  const wrong = wrongPositionRate * ANYWHERE;
  return (haste * wrong) / (right + wrong) - Math.log(right + wrong);
}

function canTravel(from: KnownPlace, to: KnownPlace, elapsedHours: number, policy: RiskPolicy): boolean {
  const km = distanceKm(from.lat, from.lon, to.lat, to.lon) - radius(from.accuracyKm) - radius(to.accuracyKm);
  return km <= policy.impossibleTravel.maxSpeedKmh * elapsedHours;
}

function newPlace(id: number, fix: Position, minute: number): KnownPlace {
  const { lat, lon, accuracyKm, country, ofUnknownKind } = fix;
  const place: KnownPlace = {
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
    via: -1,
  };
  if (ofUnknownKind) place.ofUnknownKind = true;
  return place;
}

/** Adds a visitor to a place: positions are averaged by how exact they are, and many know a place better than one does. */
function refine(place: KnownPlace, fix: Position, minute: number): void {
  place.visitors++;
  place.first = Math.min(place.first, minute);
  place.last = Math.max(place.last, minute);
  if (fix.accuracyKm < place.accuracyKm) {
    place.country = fix.country;
    // Not deleted: objects that lose a field are slow from then on.
    if (place.ofUnknownKind === true && !fix.ofUnknownKind) place.ofUnknownKind = undefined;
  }
  const known = radius(place.accuracyKm) ** 2;
  const seen = radius(fix.accuracyKm) ** 2;
  const share = known / (known + seen);
  const east = ((fix.lon - place.lon + 540) % 360) - 180;
  place.lat = round(place.lat + share * (fix.lat - place.lat));
  place.lon = round(((place.lon + share * east + 540) % 360) - 180);
  place.accuracyKm = round(Math.sqrt(share * seen));
}

/**
 * Drops the least plausible place when there are too many, never that of a visitor just seen. Those to which only a known visitor went
 * come first: one stranger with many exits is not to make the places of the others forgotten.
 */
function forget(places: KnownPlace[], keepId: number): KnownPlace[] {
  if (places.length <= MAX_PLACES) return places;
  const others = places.filter(({ id }) => id !== keepId);
  const empty = others.filter(({ visitors }) => visitors === 0);
  const isEmpty = places.some(({ id, visitors }) => id === keepId && visitors === 0);
  if (isEmpty && empty.length === 0) return others;
  let worst: KnownPlace | null = null;
  for (const place of empty.length > 0 ? empty : others) {
    if (worst === null || place.cost > worst.cost || (place.cost === worst.cost && place.last < worst.last)) {
      worst = place;
    }
  }
  return places.filter((place) => place !== worst);
}
