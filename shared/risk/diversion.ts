/**
 * Diversion: a genuine unit outside its markets. Said only when the unit itself is not in doubt (a copy says nothing
 * about the way the genuine one took), when no market lies within the position's own uncertainty, and when it is not
 * plainly a customer abroad: visitors seen inside the markets outweigh a single one outside.
 */
import { lotOdds, SECOND_VISITOR_NATS, sinceSoldIn, type LotSightings } from './lot.ts';
import { countryOf, marketPosition, type MarketPosition } from './markets.ts';
import { keyOfMarkets } from './peers.ts';
import type { RiskPolicy } from './policy.ts';
import type { DiversionSignal, RiskPlace, RiskProfile, UnitContext } from './types.ts';

/** What a visitor near a border adds to those outside: three of them make one. */
const NEAR_BORDER_SHARE = 1 / 3;
/** Points of score of a diverted unit: below any suspicion of a copy. */
const DIVERSION_SCORE = 40;
/** Where the lot has a say, diversion is told from these odds on: the word is for people who then ask a distributor. */
const LEAST_ODDS = Math.log(3);
/** Near a border it takes a lot that is likely to be there: 19 to 1. */
const SURE_ODDS = Math.log(19);

/** Whether a lot's other units alone say that one seen in this country was sold there. */
export const isSoldIn = (others: LotSightings, country: string, policy: RiskPolicy): boolean =>
  others.units >= policy.diversion.lotUnits && lotOdds(others, country) >= LEAST_ODDS;

/** The tally of visitors inside and outside after a new one. */
export function tally(
  { inside, outside }: Pick<RiskProfile, 'inside' | 'outside'>,
  position: MarketPosition,
): { inside: number; outside: number } {
  if (position === 'inside') return { inside: inside + 1, outside };
  if (position === 'outside') return { inside, outside: outside + 1 };
  if (position === 'near-border') return { inside, outside: outside + NEAR_BORDER_SHARE };
  return { inside, outside };
}

/**
 * The profile of a unit that was sold without markets and has some since, or has others: who came before is counted by the places. What
 * an older release counted as inside, as everything is without markets, does not count. In its lot the unit stays counted as it is.
 */
export function countedByMarkets(
  profile: RiskProfile,
  markets: readonly string[],
  { diversion: { borderRadii } }: RiskPolicy,
): RiskProfile {
  if (markets.length === 0 || profile.visitors === 0) return profile;
  const countedBy = keyOfMarkets(markets);
  const isCounted = profile.seenIn !== undefined || (profile.inside === 0 && profile.outside > 0);
  if (isCounted && (profile.countedBy ?? countedBy) === countedBy) return profile;
  const counted: RiskProfile = { ...profile, inside: 0, outside: 0, countedBy };
  const forgivenUntil = (profile.dismissedAt ?? 0) / 60_000;
  const forgiven = { inside: 0, outside: 0 };
  let first = Infinity;
  for (const place of profile.places) {
    if (place.visitors === 0) continue;
    const position = marketPosition(place, markets, borderRadii);
    const { inside, outside } = tally({ inside: 0, outside: 0 }, position);
    counted.inside += inside * place.visitors;
    counted.outside += outside * place.visitors;
    if (place.first < forgivenUntil) {
      forgiven.inside += inside * place.visitors;
      forgiven.outside += outside * place.visitors;
    }
    if (
      profile.seenIn !== undefined ||
      place.first >= first ||
      (position !== 'inside' && position !== 'outside')
    )
      continue;
    first = place.first;
    counted.seenIn = position === 'inside' ? null : countryOf(place);
  }
  if (profile.forgiven !== undefined) counted.forgiven = { ...profile.forgiven, ...forgiven };
  return counted;
}

/**
 * @param profile with this visitor counted already
 * @param traveller whether this same visitor was seen inside the markets before
 * @param doubtful whether the unit is itself under suspicion
 */
export function diversion(
  profile: RiskProfile,
  place: RiskPlace,
  position: MarketPosition,
  context: UnitContext,
  traveller: boolean,
  doubtful: boolean,
  policy: RiskPolicy,
): DiversionSignal | null {
  const country = countryOf(place);
  if (country === null || (position !== 'outside' && position !== 'near-border')) return null;
  const { inside } = profile;
  const outside = outsideSinceDecision(profile, position);
  const word = wordOfOthers(context, country, policy.diversion.lotUnits);
  const odds =
    word.odds === null ? null : word.odds + Math.max(0, Math.floor(outside) - 1) * SECOND_VISITOR_NATS;
  // As many visitors at home as abroad: a unit has one home, and that is where it should be unless its lot says otherwise.
  const enough = outside > 0.99 && (odds === null ? outside > inside : outside >= inside);
  let reason: DiversionSignal['reason'] = 'outside-markets';
  if (doubtful) reason = 'unit-doubtful';
  else if (traveller) reason = 'seen-inside';
  else if (position === 'near-border' && !enough) {
    if (inside >= 1 || odds === null || odds < SURE_ODDS) reason = 'near-border';
  } else if (!enough) reason = 'seen-inside';
  else if (odds !== null && odds < LEAST_ODDS) reason = 'lot-inside';
  // Where the rule weighs nothing it is told, and decides nothing.
  const counted = reason === 'outside-markets' && policy.diversion.weight > 0;
  const most = policy.thresholds.suspicious - 1;
  return {
    type: 'diversion',
    country,
    markets: [...context.markets],
    counted,
    reason,
    visitorsInside: inside,
    visitorsOutside: Math.round(outside * 100) / 100,
    lot: word.lot,
    weight: counted ? Math.round(Math.min(most, DIVERSION_SCORE * policy.diversion.weight)) : 0,
  };
}

/** Visitors abroad. Of those among whom a person found no copy only this one counts, whoever came first. */
function outsideSinceDecision({ outside, forgiven }: RiskProfile, position: MarketPosition): number {
  if (forgiven === undefined) return outside;
  return Math.max(position === 'outside' ? 1 : NEAR_BORDER_SHARE, outside - forgiven.outside);
}

/** What other units say, in nats, and which of them; null where too few are known. */
function wordOfOthers(
  { lot: seen = null, peers = null, markets }: UnitContext,
  country: string,
  least: number,
): { odds: number | null } & Pick<DiversionSignal, 'lot'> {
  const lot = seen && sinceSoldIn(seen, markets);
  const counts = (among: 'lot' | 'markets', { units, outside }: LotSightings) => ({
    among,
    units,
    sameCountry: outside[country] ?? 0,
  });
  const few = lot !== null && lot.units > 0 ? counts('lot', lot) : null;
  if (lot !== null && lot.units >= least) return { odds: lotOdds(lot, country), lot: few };
  if (peers === null) return { odds: null, lot: few };
  const noise = peers.noiseIn(country);
  const ofMarkets = lotOdds(peers, country, noise);
  if (lot === null) return { odds: ofMarkets, lot: counts('markets', peers) };
  // Where next to nobody is seen by chance, a second unit of the lot tells more than the many of other lots.
  const ofLot = lotOdds(lot, country, noise);
  const decides = ofLot > ofMarkets && few !== null && few.sameCountry > 0;
  return { odds: Math.max(ofMarkets, ofLot), lot: decides ? few : counts('markets', peers) };
}
