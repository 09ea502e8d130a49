/**
 * Whose visitors are where: an object has one home. Most units are seen inside their markets for life, but for a wrong position or
 * a journey now and then; a few are sold abroad and then seen there. Copies are sold wherever somebody buys them, so their visitors are
 * inside and outside in any proportion. One visitor abroad is therefore no news, a second and a third one beside visitors at
 * home are; and each visitor at home makes the one abroad a traveller again. Where a unit has no markets, or within
 * them, the country with most of its visitors is its home.
 *
 * The chance that the next one is abroad is known for none of these lives, only what it usually is: beta-binomial, as in lot.ts.
 */
import { lnBeta } from './beta.ts';
import { lotOdds, sinceSoldIn, type LotSightings } from './lot.ts';
import type { KnownPlace, RiskProfile, UnitContext } from './types.ts';

/** Law of a unit's share of visitors abroad: Beta(abroad, home). */
interface Life {
  chance: number;
  abroad: number;
  home: number;
}

type Tally = Pick<RiskProfile, 'inside' | 'outside'>;

/** At home 1 visitor in 11 is abroad or seems so: VPN, roaming, a journey. A unit sold abroad is mostly one of a diverted lot, which has its say. */
const AT_HOME = { abroad: 1, home: 10 };
const HONEST: readonly Life[] = [
  { chance: 0.965, ...AT_HOME },
  { chance: 0.015, abroad: 8, home: 1 },
  // Sold on abroad, or the other way round, at any time of its life.
  { chance: 0.02, abroad: 1, home: 1 },
];
/** Sold near the place of the genuine unit, or anywhere: two thirds of the world are abroad. */
const COPIES: readonly Life[] = [
  { chance: 0.4, ...AT_HOME },
  { chance: 0.6, abroad: 1, home: 0.5 },
];
/** A country that is not the usual one says less: in the next country one may be at home. */
const COUNTRY_SHARE = 0.6;
const COUNTRY_SHARE_WITHIN_MARKETS = 0.3;
/** The tally tells more than the lives above: copies on sale in a country bring several of its people, a VPN or a journey one. */
const TALLY_SHARE = 1.2;
/** The first one abroad beside visitors at home was paid for by the story of the places, as a wrong position or a journey. A second takes it back. */
const PAID_BY_STORY = 1;
/** Two abroad and nobody at home, of a lot that is sold at home: lots are diverted, not single units. Somebody at home takes back what counted. */
const ALONE_ABROAD = 1.5;
/** More visitors than these say nothing new; a visitor near a border counts a third. */
const MOST_COUNTED = 60;
const PARTS = 3;

/** Worked out once for each tally: a logarithm of sums of gamma functions takes longer than the rest of a visit. */
const known = new Float64Array((MOST_COUNTED + 1) * (MOST_COUNTED * PARTS + 1)).fill(Number.NaN);

/** @returns nats for copies, from how many visitors were at home and how many abroad (in thirds) */
export function abroadEvidence(home: number, abroad: number): number {
  const h = Math.min(MOST_COUNTED, Math.round(home));
  const a = Math.min(MOST_COUNTED * PARTS, Math.round(abroad * PARTS));
  const key = h * (MOST_COUNTED * PARTS + 1) + a;
  const before = known[key]!;
  if (!Number.isNaN(before)) return before;
  const nats = Math.log(likelihood(COPIES, h, a / PARTS) / likelihood(HONEST, h, a / PARTS));
  known[key] = nats;
  return nats;
}

function likelihood(lives: readonly Life[], home: number, abroad: number): number {
  return lives.reduce(
    (sum, life) =>
      sum +
      life.chance * Math.exp(lnBeta(life.abroad + abroad, life.home + home) - lnBeta(life.abroad, life.home)),
    0,
  );
}

/**
 * What it speaks for copies that a new visitor is at home or abroad. The first one has nobody to be compared with.
 * @param after the tally with this visitor
 * @param country where the visitor seems to be, null where unknown
 */
export function abroadPrice(
  before: RiskProfile,
  after: Tally,
  country: string | null,
  context: UnitContext,
): number {
  const { markets } = context;
  if (country === null) return 0;
  if (markets.length === 0) return COUNTRY_SHARE * countryPrice(before, country);
  const { forgiven } = before;
  const then = forgiven && { home: forgiven.inside, abroad: forgiven.outside };
  const added = (evidence: Spoken) =>
    since(evidence, sidesOf(after), then) - since(evidence, sidesOf(before), then);
  const price = TALLY_SHARE * added(ofTally);
  const alone = TALLY_SHARE * added(aloneAbroad);
  const byCountry = COUNTRY_SHARE_WITHIN_MARKETS * countryPrice(before, country);
  // A lot is counted up when it is asked for, and few visitors make it matter.
  const seen = price > 0 || alone !== 0 ? (context.lot ?? null) : null;
  if (seen === null) return price + byCountry;
  const lot = sinceSoldIn(seen, markets);
  if (alone < 0) return price + byCountry + (isSoldIn(lot, before.seenIn ?? country) ? 0 : alone);
  if (!isSoldIn(lot, country)) return price + alone + byCountry;
  // A unit whose lot was diverted to this country is at home there.
  return price > 0 ? 0 : price + byCountry;
}

/** Whether the lot was rather diverted to this country than seen there by chance. */
const isSoldIn = (lot: LotSightings, country: string): boolean => lotOdds(lot, country) > 0;

/** How many visitors were at home, and how many abroad. */
interface Sides {
  home: number;
  abroad: number;
}

type Spoken = (sides: Sides) => number;

const sidesOf = ({ inside, outside }: Tally): Sides => ({ home: inside, abroad: outside });

/**
 * What visitors speak for copies, without what they did at a dismissal: as if those abroad had not been, or what came to it since then,
 * whichever is less. So nobody is the second one abroad because of them, and nothing is told a second time.
 */
function since(spoken: Spoken, now: Sides, then: Sides | undefined): number {
  if (then === undefined) return spoken(now);
  const anew = { home: now.home, abroad: Math.max(0, now.abroad - then.abroad) };
  const more = spoken(now) - spoken(then);
  return Math.min(spoken(anew) - spoken({ home: then.home, abroad: 0 }), more);
}

function ofTally({ home, abroad }: Sides): number {
  const paid = home < 0.5 ? 0 : PAID_BY_STORY * Math.max(0, Math.min(abroad, 2 - abroad));
  return abroadEvidence(home, abroad) - paid;
}

const aloneAbroad: Spoken = ({ home, abroad }) =>
  home < 0.5 ? ALONE_ABROAD * Math.min(1, Math.max(0, abroad - 1)) : 0;

/** The same, where the country with most visitors is home. */
function countryPrice({ places, forgiven }: RiskProfile, country: string): number {
  const { all, here, most } = countriesOf(places, country);
  if (all === 0) return 0;
  const then = forgiven && { home: forgiven.most, abroad: forgiven.elsewhere };
  const spoken = (home: number, visitors: number) =>
    since(ofCountries, { home, abroad: visitors - home }, then);
  return spoken(Math.max(most, here + 1), all + 1) - spoken(Math.max(most, here), all);
}

const ofCountries: Spoken = ({ home, abroad }) => abroadEvidence(home, abroad);

/** Visitors of a known country, those in this one, and those in the country with most. */
function countriesOf(
  places: readonly KnownPlace[],
  country: string | null,
): { all: number; here: number; most: number } {
  let all = 0;
  let here = 0;
  let most = 0;
  for (const { country: theirs, visitors } of places) {
    if (theirs === null) continue;
    all += visitors;
    if (theirs === country) here += visitors;
    // At most eight places: looking again is faster than a map.
    most = Math.max(most, visitorsIn(places, theirs));
  }
  return { all, here, most };
}

function visitorsIn(places: readonly KnownPlace[], country: string): number {
  let all = 0;
  for (const place of places) if (place.country === country) all += place.visitors;
  return all;
}

/** The tallies as they are when a person finds no copy. */
export function tallies({ inside, outside, places }: RiskProfile): NonNullable<RiskProfile['forgiven']> {
  const { all, most } = countriesOf(places, null);
  return { inside, outside, most, elsewhere: all - most };
}
