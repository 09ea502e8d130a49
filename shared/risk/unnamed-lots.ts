/**
 * Lots of recorded scans that name none. A lot is made, activated and shipped together, so units of the same markets that were
 * activated on one day stand for a lot, where the days tell lots apart at all. Where they do not (everything was activated at
 * once, or each unit when it was sold), all units of the same markets stand for it, and what is noise is learned country by
 * country from the units of other markets: who is behind a VPN or on a journey does not choose by a product's markets.
 */
import { NO_SIGHTINGS, othersOf, withSighting, type LotSightings } from './lot.ts';
import type { RiskProfile } from './types.ts';

const DAY_MS = 86_400_000;
/** Pairs of units of the same markets and day, before anything is said about days. */
const LEAST_PAIRS = 30;
/** As many pairs of one day as three times those of days that are up to a week apart: a third of the days, at most, see a lot begin. */
const TIMES_CHANCE = 3;
const NEAR_DAYS = 7;
/** A day with more than this share of its markets' units, and more than so many, is no lot of them: they were activated at once. */
const MOST_OF_ALL = { share: 0.6, units: 200 };
/** Units of other markets from which noise is learned. */
const LEAST_STRANGERS = 30;
/** Noise that is assumed before anything is seen: half a unit in a hundred, and never below one in a thousand. */
const [NOISE_UNITS, NOISE_OF, LEAST_NOISE] = [0.5, 100, 0.001];

/** What a line says of its unit. */
export interface UnitFacts {
  /** Upper-case; empty means everywhere. */
  markets: readonly string[];
  activatedAt: number | null;
}

interface Groups {
  markets: string;
  /** Of activation, in UTC; null where it is unknown. */
  day: number | null;
}

/**
 * The sightings so far, of one organization. A unit counts where its first line with a place puts it; a later line with other markets
 * or another day does not move it. Memory: a row for each set of markets and day of activation.
 */
export class UnnamedLots {
  private readonly groups = new Map<string, LotSightings>();
  private everybody = NO_SIGHTINGS;
  /** Units that are sold in a country. */
  private readonly soldIn = new Map<string, number>();
  private pairsOfOneDay = 0;
  private pairsOfNearDays = 0;

  /**
   * @param least other units that a lot needs to have a say (`diversion.lotUnits`)
   * @param profile of the unit, which must not testify for itself
   * @returns the units that stand for this unit's lot, without it; null while nothing tells
   */
  othersOf(facts: UnitFacts, profile: RiskProfile | null, least: number): LotSightings | null {
    // Nothing is outside of everywhere.
    if (facts.markets.length === 0) return null;
    const { markets, day } = groupsOf(facts);
    const peers = this.sightings(markets);
    if (day !== null && this.daysTell()) {
      const lot = this.sightings(lotName(markets, day));
      const others = othersOf(lot, profile);
      const isLot = lot.units <= MOST_OF_ALL.units || lot.units <= MOST_OF_ALL.share * peers.units;
      if (others.units >= least && isLot) return others;
    }
    const others = othersOf(peers, profile);
    if (others.units < least || this.everybody.units - peers.units < LEAST_STRANGERS) return null;
    return { ...others, noiseIn: (country) => this.noiseIn(country, peers) };
  }

  /** Notes where a unit was seen: each counts once. */
  note(facts: UnitFacts, before: RiskProfile | null, after: RiskProfile): void {
    const everybody = withSighting(this.everybody, before, after);
    if (everybody === this.everybody) return;
    this.everybody = everybody;
    const { markets, day } = groupsOf(facts);
    const peers = this.sightings(markets);
    this.groups.set(markets, withSighting(peers, before, after));
    for (const market of new Set(facts.markets)) this.soldIn.set(market, (this.soldIn.get(market) ?? 0) + 1);
    if (day === null) return;
    const lot = this.sightings(lotName(markets, day));
    this.groups.set(lotName(markets, day), withSighting(lot, before, after));
    this.pairsOfOneDay += lot.units;
    for (let days = 1; days <= NEAR_DAYS; days += 1) {
      this.pairsOfNearDays += this.sightings(lotName(markets, day - days)).units;
      this.pairsOfNearDays += this.sightings(lotName(markets, day + days)).units;
    }
  }

  private sightings(group: string): LotSightings {
    return this.groups.get(group) ?? NO_SIGHTINGS;
  }

  private daysTell(): boolean {
    const byChance = this.pairsOfNearDays / (2 * NEAR_DAYS);
    return this.pairsOfOneDay >= LEAST_PAIRS && this.pairsOfOneDay >= TIMES_CHANCE * byChance;
  }

  /** Learned from those that are not sold there, for whom it would be no noise. */
  private noiseIn(country: string, peers: LotSightings): number | undefined {
    const strangers = this.everybody.units - peers.units - (this.soldIn.get(country) ?? 0);
    if (strangers < LEAST_STRANGERS) return undefined;
    const here = (this.everybody.outside[country] ?? 0) - (peers.outside[country] ?? 0);
    return Math.max(LEAST_NOISE, (here + NOISE_UNITS) / (strangers + NOISE_OF));
  }
}

const lotName = (markets: string, day: number): string => `${markets} ${day}`;

function groupsOf({ markets, activatedAt }: UnitFacts): Groups {
  return {
    markets: [...new Set(markets)].sort().join(),
    day: activatedAt === null ? null : Math.floor(activatedAt / DAY_MS),
  };
}
