/**
 * The hold-out generator, written before the rules were tuned. Its parameters are not fitted by any rule; see docs/risk.md for
 * how far it was looked at. It knows no cities, shops
 * or families: people live in towns scattered by a heavy-tailed law over twelve regions; a unit's life is a renewal
 * process over holders with heavy-tailed gaps; mobile networks surface at a few gateways per region, so that their
 * error is systematic; radii are reported per network, not per source; copies spread outward from fronts at a logistic pace.
 */
import { iso1A2Code } from '@rapideditor/country-coder';
import { destination, distanceKm } from '../../../shared/risk/geo.ts';
import { random, type Random } from '../../../sample-data/random.ts';
import { fakesScanned, finish, outside, type Trace, type TraceScan } from './trace.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 5, 1);
/** Middle of a region and how far its towns reach. */
const REGIONS: readonly [lat: number, lon: number, reachKm: number, weight: number][] = [
  [50, 8, 600, 5],
  [41, -2, 400, 2],
  [43, 13, 400, 2],
  [52, 20, 400, 2],
  [40, -83, 900, 5],
  [35, -115, 700, 2],
  [-15, -47, 900, 3],
  [22, 78, 800, 5],
  [32, 114, 900, 5],
  [36, 138, 300, 3],
  [8, 6, 400, 2],
  [-30, 28, 300, 1],
];

interface Town {
  region: number;
  lat: number;
  lon: number;
  country: string;
  size: number;
}

interface Phone {
  id: string;
  /** Probability that one visit goes by the mobile network. */
  mobile: number;
  gateway: Town;
  mobileRadius: number;
  fixedRadius: number;
  fresh: number;
}

/** @returns `units` units that were scanned at least once. */
export function renewals(seed: number, units: number): Trace[] {
  const rng = random(seed ^ 0x5bd1e995);
  const towns = makeTowns(rng);
  const byCountry = new Map<string, Town[]>();
  for (const town of towns) byCountry.set(town.country, [...(byCountry.get(town.country) ?? []), town]);
  let phones = 0;
  const phone = (town: Town): Phone => {
    // A network surfaces in one of the bigger towns near by; towns are in order of size.
    const gateways = byCountry
      .get(town.country)!
      .slice(0, 15)
      .sort(
        (a, b) => distanceKm(a.lat, a.lon, town.lat, town.lon) - distanceKm(b.lat, b.lon, town.lat, town.lon),
      )
      .slice(0, 2);
    return {
      id: `p${phones++}`,
      mobile: Math.min(1, Math.max(0, 0.4 + 0.4 * rng.normal())),
      gateway: rng.pick(gateways),
      mobileRadius: rng.between(100, 300),
      fixedRadius: rng.between(5, 40),
      fresh: rng.chance(0.15) ? 1 : 0.05,
    };
  };
  const record = (
    trace: Trace,
    who: Phone,
    at: number,
    lat: number,
    lon: number,
    country: string,
    fake: number,
  ): void => {
    const sessionId = rng.chance(who.fresh) ? `p${phones++}` : who.id;
    const seen: TraceScan = { scanId: '', at: Math.round(at), sessionId, networkId: null, place: null, fake };
    if (rng.chance(0.012)) {
      const exit = rng.pick(towns);
      seen.place = { lat: exit.lat, lon: exit.lon, accuracyKm: 25, country: exit.country };
    } else if (rng.chance(who.mobile)) {
      // Either a gateway of the operator, or a range pooled over the neighbourhood: median error near 190 km over all.
      const from = rng.chance(0.5) ? who.gateway : { lat, lon };
      const seenAt = destination(from.lat, from.lon, rng.between(0, 360), rng.exponential(150));
      seen.place = {
        ...seenAt,
        accuracyKm: who.mobileRadius,
        country: rng.chance(0.97) ? country : countryAt(seenAt, country),
      };
    } else if (!rng.chance(0.03)) {
      const error = (who.fixedRadius * Math.abs(rng.normal())) / Math.max(0.25, Math.sqrt(rng.next()));
      const seenAt = destination(lat, lon, rng.between(0, 360), Math.min(400, error));
      seen.place = { ...seenAt, accuracyKm: who.fixedRadius, country: countryAt(seenAt, country) };
    }
    if (fake === 0 && outside(trace.markets, country)) trace.abroad = true;
    trace.scans.push(seen);
  };

  const traces: Trace[] = [];
  const makeLot = () => {
    const origin = rng.weighted(towns, (town) => town.size);
    const restricted = rng.chance(0.6);
    const markets = restricted
      ? [
          ...new Set([
            origin.country,
            ...Array.from({ length: rng.int(0, 6) }, () => rng.pick(towns).country),
          ]),
        ]
      : [];
    const elsewhere = towns.filter((town) => !markets.includes(town.country));
    const sold = [...new Set(elsewhere.map((town) => town.country))];
    return {
      id: 'rl0',
      markets,
      elsewhere,
      home: towns.filter((town) => (restricted ? markets.includes(town.country) : true)),
      activatedAt: START + rng.between(0, 4000) * HOUR,
      // Heavy-tailed: many small lots, few big ones. What goes astray is a pallet or all of it, to one or two countries.
      left: Math.min(1500, Math.floor(12 / Math.pow(rng.next(), 0.8))),
      diverted: restricted && rng.chance(0.05) ? (rng.chance(0.3) ? 1 : rng.between(0.1, 0.6)) : 0,
      soldIn: rng.chance(0.7) ? [rng.pick(sold)] : [rng.pick(sold), rng.pick(sold)],
    };
  };
  let lots = 0;
  let lot = makeLot();
  while (traces.length < units) {
    if (lot.left === 0) lot = { ...makeLot(), id: `rl${++lots}` };
    const { markets, elsewhere } = lot;
    const diverted = rng.chance(lot.diverted);
    const trace: Trace = {
      unitId: `r${traces.length}`,
      lotId: lot.id,
      markets,
      activatedAt: lot.activatedAt,
      scans: [],
      copied: false,
      abroad: false,
      diverted,
      kind: 'honest',
    };
    let town = diverted
      ? rng.pick(byCountry.get(rng.pick(lot.soldIn))!)
      : rng.weighted(lot.home, (each) => each.size);
    let at = trace.activatedAt + rng.exponential(400) * HOUR;
    const holders = 1 + (rng.chance(0.7) ? 1 : 0) + (rng.chance(0.08) ? 1 : 0) + (rng.chance(0.02) ? 1 : 0);
    for (let holder = 0; holder < holders; holder++) {
      const spot = destination(town.lat, town.lon, rng.between(0, 360), rng.exponential(10));
      // A holder is a crowd (a counter, a fair), a family or one person; heavy-tailed, as crowds are.
      const crowd =
        holder === 0
          ? Math.min(300, Math.floor(0.15 / Math.pow(rng.next(), 0.75)))
          : Math.min(6, Math.floor(0.6 / Math.pow(rng.next(), 0.4)));
      if (crowd > 7) trace.kind = 'crowd';
      const stay = Math.min(20_000, 300 / Math.pow(rng.next(), 0.7));
      for (let i = 0; i < crowd; i++) {
        const who = phone(town);
        let moment = at + stay * rng.next() ** 2 * HOUR;
        do {
          const away = rng.chance(holder === 0 ? 0 : 0.02);
          const there = away
            ? rng.pick(rng.chance(0.6) ? byCountry.get(town.country)! : towns)
            : { ...spot, country: town.country };
          record(trace, who, moment, there.lat, there.lon, there.country, 0);
          moment += (away ? 48 : 0.05 + rng.exponential(60)) * HOUR;
        } while (rng.chance(0.25));
      }
      at += stay * HOUR;
      const next = rng.weighted(
        byCountry.get(town.country)!,
        (other) => other.size / (80 + distanceKm(town.lat, town.lon, other.lat, other.lon)),
      );
      town = rng.chance(0.04)
        ? diverted
          ? rng.pick(elsewhere)
          : rng.pick(towns)
        : holder === 0 && rng.chance(0.6)
          ? town
          : next;
    }
    if (!diverted && rng.chance(0.0042)) spread(rng, trace, towns, phone, record);
    if (trace.scans.length === 0) continue;
    lot.left--;
    traces.push(finish(trace));
  }
  return traces;
}

/** Copies sold from one to six fronts; sales at each front start slowly, peak and die away. */
function spread(
  rng: Random,
  trace: Trace,
  towns: readonly Town[],
  phone: (town: Town) => Phone,
  record: (
    trace: Trace,
    who: Phone,
    at: number,
    lat: number,
    lon: number,
    country: string,
    fake: number,
  ) => void,
): void {
  const scanned = Math.round(20 * Math.pow(100, rng.next()) * rng.between(0.01, 0.1));
  const fronts = Array.from({ length: rng.int(1, 6) }, () => ({
    town: rng.weighted(towns, (town) => town.size),
    reach: rng.lognormal(120, 0.9),
    peak: trace.activatedAt + rng.between(500, 6000) * HOUR,
    pace: rng.lognormal(600, 0.9),
  }));
  for (let fake = 1; fake <= scanned; fake++) {
    const front = rng.pick(fronts);
    const spot = destination(
      front.town.lat,
      front.town.lon,
      rng.between(0, 360),
      rng.exponential(front.reach),
    );
    // From the activation on: nobody copies a code that is not yet out.
    const least = 1 / (1 + Math.exp((front.peak - trace.activatedAt) / (front.pace * HOUR)));
    const uniform = rng.between(Math.max(0.01, least), 0.99);
    const at = front.peak + front.pace * Math.log(uniform / (1 - uniform)) * HOUR;
    const country = countryAt(spot, front.town.country);
    const who = phone(front.town);
    record(trace, who, at, spot.lat, spot.lon, country, fake);
    while (rng.chance(0.3))
      record(
        trace,
        rng.chance(0.7) ? who : phone(front.town),
        at + rng.exponential(100) * HOUR,
        spot.lat,
        spot.lon,
        country,
        fake,
      );
  }
  trace.copied = fakesScanned(trace) > 0;
  if (trace.copied) trace.kind = `copied-${fronts.length}-fronts`;
}

function makeTowns(rng: Random): Town[] {
  const towns: Town[] = [];
  while (towns.length < 900) {
    const region = rng.weighted(
      REGIONS.map((_, index) => index),
      (index) => REGIONS[index]![3],
    );
    const [lat, lon, reachKm] = REGIONS[region]!;
    const spot = destination(lat, lon, rng.between(0, 360), reachKm * Math.sqrt(rng.next()));
    const country = iso1A2Code([spot.lon, spot.lat], { level: 'territory' });
    if (country !== null) towns.push({ region, ...spot, country, size: Math.pow(rng.next(), -0.8) });
  }
  return towns.sort((a, b) => b.size - a.size);
}

function countryAt(spot: { lat: number; lon: number }, otherwise: string): string {
  return iso1A2Code([spot.lon, spot.lat], { level: 'territory' }) ?? otherwise;
}
