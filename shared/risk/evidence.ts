/**
 * What a unit's visitors speak for copies, by the ways in which copies are sold: far and wide, in one region, or at a few outlets of one
 * country. Each is summed by itself against the cheapest honest story (see story.ts), in favour of the unit down to a floor (Page 1954).
 */
import { distanceKm } from './geo.ts';
import { atPlaceDensity, inRegionDensity } from './position-error.ts';
import { round } from './round.ts';
import type { Evidence, KnownPlace, Position } from './types.ts';

/** How far honest scans may count in a unit's favour. */
const CREDIT_FLOOR = -8;
/** Copies and wrong positions turn up at any scale of distance alike, from a city's (10 km) to the world's (15,000 km). */
export const ANYWHERE = 1 / Math.log(15_000 / 10);
/** How far apart buyers of copies are that are sold in one region. */
const REGION_KM = 50;
/** Where the visitors of copies are, near places already known: sold far and wide, or from one region. */
const COPIES = {
  far: { atPlace: 0.15, inRegion: 0.13, elsewhere: 0.75 },
  near: { atPlace: 0.3, inRegion: 0.67, elsewhere: 0.03 },
};
/**
 * One visitor speaks no louder than this for copies in one region: a fixed line may be off by as much. Three independent
 * ones at different corners of a region weigh as much as one that is far away.
 */
const NEAR_LIMIT = 1;
/**
 * The third way: at a few outlets in one country. Buyers come from around those that are known already, or from a new one
 * somewhere in the country or beyond: the more visitors there were, the less likely a new one (Chinese restaurant process, Blackwell and
 * MacQueen 1973). So many visitors at two towns, by turns, speak for copies, and a crowd at one place for nothing.
 */
const OUTLETS = { newAfter: 2, atPlace: 0.6, inCountry: 0.6, countryKm: 250 };
const OUTLETS_FLOOR = -2;
/** One visitor speaks no louder than this for it, and within half an hour of another in proportion: a line is filed under a wrong town at times. */
const OUTLETS_LIMIT = 2;
const NEW_OUTLET_SHARE = 0.75;
/** How the codes that are copied are sold. */
const WAYS = { far: 0.65, near: 0.15, outlets: 0.2 };
/** Visitors closer in time than this are rather a crowd at one place, in proportion. */
const BURST_HOURS = 4;
/** A visitor who is far away this soon after another speaks less for copies, in proportion. */
const HOP_HOURS = 0.5;
/** Density to which moves are compared: that of a visitor of copies sold far and wide, somewhere. */
export const SOMEWHERE = 0.75 * ANYWHERE;
/** Places in one region may be one place and bad positions: they speak half as loud. */
const NEW_PLACE_NEAR_SHARE = 0.5;

/** Where little speaks for copies, what qualifies it has as little to say: in proportion, up to so many nats. */
const WHOLE_FROM = 3;

/** @returns the share, from 0 to 1, of what qualifies the evidence: the unit's age, whether visitors are known again */
export const wholeness = (nats: number): number => Math.min(1, Math.max(0, nats) / WHOLE_FROM);

type Prices = Record<'far' | 'near' | 'outlets', number>;

/** Evidence for copies, in nats, however they are sold: the odds of all ways add up. Negative where it speaks for one object. */
export function ofAnyWay(evidence: Evidence): number {
  const { far, near } = evidence;
  const outlets = ofOutlets(evidence);
  const most = Math.max(far, near, outlets);
  return (
    most +
    Math.log(
      WAYS.far * Math.exp(far - most) +
        WAYS.near * Math.exp(near - most) +
        WAYS.outlets * Math.exp(outlets - most),
    )
  );
}

/** Profiles of before know nothing of outlets; a region is the nearest thing to them. */
const ofOutlets = ({ near, outlets }: Evidence): number => outlets ?? near;

/** The evidence with more of it, which speaks less when it comes this soon after another visitor (see HOP_HOURS). */
export function withEvidence(before: Evidence, nats: number, elapsedHours: number): Evidence {
  const added = nats > 0 ? nats * Math.min(1, elapsedHours / HOP_HOURS) : nats;
  return more(before, added, added, added);
}

/** What a new visitor's position says; prices in nats. */
interface NewVisitor {
  /** Of the cheapest story of one object. */
  honest: number;
  /** Of copies, by the way in which they are sold. */
  copies: Prices;
  /** What it speaks for copies that somebody new looks at all, and that nobody was there before. */
  crowd: number;
  found: number;
  elapsedHours: number;
  /** Whether the honest price has that of an impossible journey in it. */
  isHasty: boolean;
}

/** The evidence after a new visitor. */
export function withVisitor(
  before: Evidence,
  { honest, copies, crowd, found, elapsedHours, isHasty }: NewVisitor,
): Evidence {
  const far = crowd + found + honest - copies.far;
  // Buyers of copies come days apart; one person who hops from exit to exit of a VPN comes within minutes.
  const spaced = Math.min(1, elapsedHours / HOP_HOURS);
  const nearLimit = NEAR_LIMIT * Math.min(1, elapsedHours / BURST_HOURS);
  return more(
    before,
    far > 0 && !isHasty ? spaced * far : far,
    crowd + NEW_PLACE_NEAR_SHARE * found + Math.min(nearLimit, honest - copies.near),
    crowd + NEW_OUTLET_SHARE * found + Math.min(OUTLETS_LIMIT * spaced, honest - copies.outlets),
  );
}

/** Each way's evidence with more of it, not below the floor. */
const more = (before: Evidence, far: number, near: number, outlets: number): Evidence => ({
  far: round(Math.max(CREDIT_FLOOR, before.far + far)),
  near: round(Math.max(CREDIT_FLOOR, before.near + near)),
  outlets: round(Math.max(OUTLETS_FLOOR, ofOutlets(before) + outlets)),
});

/** What the same position costs if the code is on many objects, by the way in which they are sold. */
export function copiesPrice(places: readonly KnownPlace[], fix: Position): Prices {
  let atPlace = 0;
  let inRegion = 0;
  let inCountry = 0;
  let visitors = 0;
  for (const place of places) {
    const km = distanceKm(place.lat, place.lon, fix.lat, fix.lon);
    atPlace += place.visitors * atPlaceDensity(place, fix, km);
    inRegion += place.visitors * inRegionDensity(place, fix, km, REGION_KM);
    inCountry += place.visitors * inRegionDensity(place, fix, km, OUTLETS.countryKm);
    visitors += place.visitors;
  }
  const all = Math.max(1, visitors);
  atPlace /= all;
  inRegion /= all;
  inCountry /= all;
  const price = (kind: (typeof COPIES)['far']) =>
    -Math.log(kind.atPlace * atPlace + kind.inRegion * inRegion + kind.elsewhere * ANYWHERE);
  const known = visitors / (visitors + OUTLETS.newAfter);
  const atKnown = OUTLETS.atPlace * atPlace + (1 - OUTLETS.atPlace) * inRegion;
  const atNew = OUTLETS.inCountry * inCountry + (1 - OUTLETS.inCountry) * ANYWHERE;
  return {
    far: price(COPIES.far),
    near: price(COPIES.near),
    outlets: -Math.log(known * atKnown + (1 - known) * atNew),
  };
}
