/**
 * What it says that somebody new comes, and to somewhere new, apart from the distance between the places (see story.ts):
 * people find copies one by one and independently, a single object meets few, and in few places.
 */
import type { KnownPlace } from './types.ts';

/**
 * Few units ever meet more than a handful of people, copies hardly ever fewer. What each visitor from the third to the eighth
 * speaks for copies: their chance of one more, against that of the organization's own units (see audience.ts). A second visitor is
 * no news. Families and shoppers come in bursts; a stranger days after everybody else is the rarer thing, less so where most of the
 * others were: a display draws somebody each week.
 */
const COPIES_MEET_ANOTHER = 0.77;
const LATE_VISITOR_PRICE = 0.3;
const LATE_HOURS = 12;
/** After so long a silence the next one is no later. */
const LATE_UNTIL_HOURS = 96;
/** Twelve weeks on, a stranger is rather the next owner, or the owner's new telephone: what it takes off, up to a year. */
const NEXT_OWNER_PRICE = 0.6;
const NEXT_OWNER_AFTER_HOURS = 2_000;
const NEXT_OWNER_UNTIL_HOURS = 8_760;
const LATE_AMONG_OTHERS_SHARE = 0.6;
/** A traveller's companion comes late and to a new place as well: one visitor alone says no more than this. */
const MAX_VISITOR_PRICE = 1.3;
const VISITORS_PRICED = 8;
/** Whoever meets more is on display or copied. Displays last for weeks, copies for years: a little each, to the thirtieth. */
const CROWD_PRICE = 0.1;
const CROWD_PRICED = 30;
/**
 * What a place not seen before speaks beyond its distance. A second one is home after the shop, a friend's, or the same VPN each
 * time: common. A third is hardly rarer than two steps of one life say; a fourth needs a fourth reason, or another object.
 */
const NEW_PLACE_PRICES = [-0.9, 0.1, 1];

/**
 * What it speaks for copies that somebody new looks at all, wherever they are.
 * @param visitorsBefore of this unit
 * @param place where the visitor is, null where nobody was seen before
 * @param elapsedHours since the last visitor
 * @param meetsAnother chance that a unit of the organization which met a few people meets one more
 * @returns nats; negative where the organization's units meet crowds
 */
export function visitorPrice(
  visitorsBefore: number,
  place: KnownPlace | null,
  elapsedHours: number,
  meetsAnother: number,
): number {
  if (visitorsBefore >= CROWD_PRICED) return 0;
  if (visitorsBefore >= VISITORS_PRICED) return CROWD_PRICE;
  const another = visitorsBefore < 2 ? 0 : Math.log(COPIES_MEET_ANOTHER / meetsAnother);
  const isAmongOthers = place !== null && 2 * place.visitors > visitorsBefore;
  const share = isAmongOthers ? LATE_AMONG_OTHERS_SHARE : 1;
  const silence = Math.min(LATE_UNTIL_HOURS, elapsedHours);
  const late = share * LATE_VISITOR_PRICE * Math.log1p(silence / LATE_HOURS);
  return Math.min(MAX_VISITOR_PRICE, another + late - nextOwnerPrice(elapsedHours));
}

function nextOwnerPrice(elapsedHours: number): number {
  if (elapsedHours <= NEXT_OWNER_AFTER_HOURS) return 0;
  const silence = Math.min(NEXT_OWNER_UNTIL_HOURS, elapsedHours);
  return NEXT_OWNER_PRICE * Math.log(silence / NEXT_OWNER_AFTER_HOURS);
}

/**
 * What it speaks for copies that a visitor is where none was before. A place to which only a known visitor went does not count.
 * @param forgivenUntil minutes since the epoch: places first seen before count as one, for a person found no copy among them
 */
export function newPlacePrice(places: readonly KnownPlace[], forgivenUntil = 0): number {
  let known = 0;
  let isAnyForgiven = false;
  for (const { visitors, first } of places) {
    if (visitors === 0) continue;
    if (first < forgivenUntil) isAnyForgiven = true;
    else known += 1;
  }
  if (isAnyForgiven) known += 1;
  return NEW_PLACE_PRICES[Math.min(known, NEW_PLACE_PRICES.length) - 1] ?? 0;
}
