/**
 * Where the units of one organization were first seen, by lot and by markets: whose word there is about a unit outside its markets.
 * A line of recorded scans may name no lot. A lot is made, activated and shipped together, so units of the same markets that were
 * activated on one day stand for one, where the days tell lots apart at all: not where everything was activated at once, nor each
 * unit when it was sold.
 */
import { NO_SIGHTINGS, othersOf, withSighting, type LotSightings } from './lot.ts';
import { countUnit, nameOfMarkets, nobody, peersOf, type Peers } from './peers.ts';
import type { RiskProfile } from './types.ts';

const DAY_MS = 86_400_000;
/** Pairs of units of the same markets and day, before anything is said about days. */
const LEAST_PAIRS = 30;
/** As many pairs of one day as three times those of days that are up to a week apart: a third of the days, at most, see a lot begin. */
const TIMES_CHANCE = 3;
const NEAR_DAYS = 7;
/** A day with more than this share of its markets' units, and more than so many, is no lot of them: they were activated at once. */
const MOST_OF_ALL = { share: 0.6, units: 200 };

/** What is said of a unit. */
export interface UnitFacts {
  /** Null where none is named. */
  lotId: string | number | null;
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
 * The sightings so far. A unit counts where its first scan with a place puts it; a later one with other markets or another day does not
 * move it. Memory: a row for each lot, or each set of markets and day of activation.
 */
export class Sightings {
  private readonly named = new Map<string | number, LotSightings>();
  private readonly groups = new Map<string, LotSightings>();
  private readonly everybody = nobody();
  private pairsOfOneDay = 0;
  private pairsOfNearDays = 0;

  /**
   * @param profile of the unit, which must not testify for itself
   * @param least other units that are needed to have a say (`diversion.lotUnits`)
   * @returns the other units of its lot; and those of its markets, where there are too few of the lot and these tell anything
   */
  about(
    facts: UnitFacts,
    profile: RiskProfile | null,
    least: number,
  ): { lot: LotSightings | null; peers: Peers | null } {
    const lot = facts.lotId === null ? this.lotOfDay(facts, profile) : this.othersOfLot(facts.lotId, profile);
    // Nothing is outside of everywhere.
    if (facts.markets.length === 0 || (lot !== null && lot.units >= least)) return { lot, peers: null };
    const same = this.group(nameOfMarkets(facts.markets));
    return { lot, peers: peersOf(same, this.everybody, profile, least) };
  }

  othersOfLot(lotId: string | number, profile: RiskProfile | null): LotSightings {
    return othersOf(this.named.get(lotId) ?? NO_SIGHTINGS, profile);
  }

  /** Notes where a unit was seen: each counts once. */
  note(facts: UnitFacts, before: RiskProfile | null, after: RiskProfile): void {
    if (!countUnit(this.everybody, facts.markets, before, after)) return;
    const { markets, day } = groupsOf(facts);
    this.groups.set(markets, withSighting(this.group(markets), before, after));
    const { lotId } = facts;
    if (lotId !== null)
      this.named.set(lotId, withSighting(this.named.get(lotId) ?? NO_SIGHTINGS, before, after));
    else if (day !== null) this.noteDay(markets, day, before, after);
  }

  private noteDay(markets: string, day: number, before: RiskProfile | null, after: RiskProfile): void {
    const lot = this.group(lotName(markets, day));
    this.groups.set(lotName(markets, day), withSighting(lot, before, after));
    this.pairsOfOneDay += lot.units;
    for (let days = 1; days <= NEAR_DAYS; days += 1) {
      this.pairsOfNearDays += this.group(lotName(markets, day - days)).units;
      this.pairsOfNearDays += this.group(lotName(markets, day + days)).units;
    }
  }

  private lotOfDay(facts: UnitFacts, profile: RiskProfile | null): LotSightings | null {
    const { markets, day } = groupsOf(facts);
    if (day === null || !this.daysTell()) return null;
    const lot = this.group(lotName(markets, day));
    const isLot =
      lot.units <= MOST_OF_ALL.units || lot.units <= MOST_OF_ALL.share * this.group(markets).units;
    return isLot ? othersOf(lot, profile) : null;
  }

  private group(name: string): LotSightings {
    return this.groups.get(name) ?? NO_SIGHTINGS;
  }

  private daysTell(): boolean {
    const byChance = this.pairsOfNearDays / (2 * NEAR_DAYS);
    return this.pairsOfOneDay >= LEAST_PAIRS && this.pairsOfOneDay >= TIMES_CHANCE * byChance;
  }
}

const lotName = (markets: string, day: number): string => `${markets} ${day}`;

function groupsOf({ markets, activatedAt }: UnitFacts): Groups {
  return {
    markets: nameOfMarkets(markets),
    day: activatedAt === null ? null : Math.floor(activatedAt / DAY_MS),
  };
}
