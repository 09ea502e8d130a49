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

/** Units of the same markets: all of them, and those of each day of activation (UTC, in days since the epoch). */
interface Group {
  all: LotSightings;
  days: Map<number, LotSightings>;
}

/**
 * The sightings so far. A unit counts where its first scan with a place puts it; a later one with other markets or another day does not
 * move it. Memory: a row for each lot, or each set of markets and day of activation.
 */
export class Sightings {
  private readonly named = new Map<string | number, LotSightings>();
  private readonly groups = new Map<string, Group>();
  /** The same by the list itself, for callers that have one list for all units of the same markets. */
  private readonly groupOfList = new WeakMap<readonly string[], Group>();
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
    const lot = this.lotOf(facts, profile);
    // Nothing is outside of everywhere.
    if (facts.markets.length === 0 || (lot !== null && lot.units >= least)) return { lot, peers: null };
    return { lot, peers: peersOf(this.group(facts.markets).all, this.everybody, profile, least) };
  }

  othersOfLot(lotId: string | number, profile: RiskProfile | null): LotSightings {
    return othersOf(this.named.get(lotId) ?? NO_SIGHTINGS, profile);
  }

  /** Notes where a unit was seen: each counts once. */
  note({ lotId, markets, activatedAt }: UnitFacts, before: RiskProfile | null, after: RiskProfile): void {
    if (!countUnit(this.everybody, markets, before, after)) return;
    const group = this.group(markets);
    group.all = withSighting(group.all, before, after);
    if (lotId !== null)
      this.named.set(lotId, withSighting(this.named.get(lotId) ?? NO_SIGHTINGS, before, after));
    else if (activatedAt !== null) this.noteDay(group, dayOf(activatedAt), before, after);
  }

  private noteDay({ days }: Group, day: number, before: RiskProfile | null, after: RiskProfile): void {
    const lot = days.get(day) ?? NO_SIGHTINGS;
    days.set(day, withSighting(lot, before, after));
    this.pairsOfOneDay += lot.units;
    for (let off = 1; off <= NEAR_DAYS; off += 1) {
      this.pairsOfNearDays += days.get(day - off)?.units ?? 0;
      this.pairsOfNearDays += days.get(day + off)?.units ?? 0;
    }
  }

  private lotOf(
    { lotId, markets, activatedAt }: UnitFacts,
    profile: RiskProfile | null,
  ): LotSightings | null {
    if (lotId !== null) return this.othersOfLot(lotId, profile);
    if (activatedAt === null || !this.daysTell()) return null;
    const { all, days } = this.group(markets);
    const lot = days.get(dayOf(activatedAt)) ?? NO_SIGHTINGS;
    const isLot = lot.units <= MOST_OF_ALL.units || lot.units <= MOST_OF_ALL.share * all.units;
    return isLot ? othersOf(lot, profile) : null;
  }

  private group(markets: readonly string[]): Group {
    let group = this.groupOfList.get(markets);
    if (group !== undefined) return group;
    const name = nameOfMarkets(markets);
    group = this.groups.get(name) ?? { all: NO_SIGHTINGS, days: new Map() };
    this.groups.set(name, group);
    this.groupOfList.set(markets, group);
    return group;
  }

  private daysTell(): boolean {
    const byChance = this.pairsOfNearDays / (2 * NEAR_DAYS);
    return this.pairsOfOneDay >= LEAST_PAIRS && this.pairsOfOneDay >= TIMES_CHANCE * byChance;
  }
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS);
