/**
 * Lots of recorded scans that name none. A lot is made, activated and shipped together, so units of the same markets that were
 * activated on one day stand for a lot, where the days tell lots apart at all. Where they do not (everything was activated at
 * once, or each unit when it was sold), all units of the same markets stand for it, and what is noise is learned country by
 * country from the units of other markets: who is behind a VPN or on a journey does not choose by a product's markets.
 */
import { NO_SIGHTINGS, othersOf, withSighting, type LotSightings } from './lot.ts';
import type { RiskProfile } from './types.ts';

const DAY_MS = 86_400_000;
/** Pairs of units with the same markets, before anything is said about their days. */
const LEAST_PAIRS = 30;
/** Such pairs fall on one day three times as often as they would by chance: a third of the days, at most, see a lot begin. */
const TIMES_CHANCE = 3;
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
  /** Markets and day of activation; null where the day is unknown. */
  day: string | null;
}

/** The sightings so far, of one organization. Memory: a row for each set of markets and day of activation. */
export class UnnamedLots {
  private readonly groups = new Map<string, LotSightings>();
  private everybody = NO_SIGHTINGS;
  private pairs = 0;
  private pairsOfOneDay = 0;
  private firstDay = Infinity;
  private lastDay = -Infinity;

  /**
   * @param least other units that a lot needs to have a say (`diversion.lotUnits`)
   * @param profile of the unit, which must not testify for itself
   * @returns the units that stand for this unit's lot, without it; null while nothing tells
   */
  othersOf(facts: UnitFacts, profile: RiskProfile | null, least: number): LotSightings | null {
    // Nothing is outside of everywhere.
    if (facts.markets.length === 0) return null;
    const { markets, day } = groupsOf(facts);
    if (day !== null && this.daysTell()) {
      const lot = othersOf(this.sightings(day), profile);
      if (lot.units >= least) return lot;
    }
    const peers = this.sightings(markets);
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
    if (day === null) return;
    const lot = this.sightings(day);
    this.groups.set(day, withSighting(lot, before, after));
    this.pairs += peers.units;
    this.pairsOfOneDay += lot.units;
    const date = dayOf(facts.activatedAt!);
    this.firstDay = Math.min(this.firstDay, date);
    this.lastDay = Math.max(this.lastDay, date);
  }

  private sightings(group: string): LotSightings {
    return this.groups.get(group) ?? NO_SIGHTINGS;
  }

  private daysTell(): boolean {
    const days = this.lastDay - this.firstDay + 1;
    return this.pairs >= LEAST_PAIRS && this.pairsOfOneDay * days >= TIMES_CHANCE * this.pairs;
  }

  private noiseIn(country: string, peers: LotSightings): number {
    const strangers = this.everybody.units - peers.units;
    const here = (this.everybody.outside[country] ?? 0) - (peers.outside[country] ?? 0);
    return Math.max(LEAST_NOISE, (here + NOISE_UNITS) / (strangers + NOISE_OF));
  }
}

const dayOf = (at: number) => Math.floor(at / DAY_MS);

function groupsOf({ markets, activatedAt }: UnitFacts): Groups {
  const together = markets.toSorted().join();
  return { markets: together, day: activatedAt === null ? null : `${together} ${dayOf(activatedAt)}` };
}
