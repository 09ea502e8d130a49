/**
 * The first generator: lives of units told person by person. A unit is made for its markets, stands in a shop (perhaps
 * on display), is bought, lives in a household, travels, is sold on; people scan it with phones whose positions are
 * as wrong as measured (arXiv 2605.21937: median 190 km on mobile networks, 3–16 km on fixed lines) and sometimes hide
 * behind a VPN. A copied code is put on 20–2,000 fakes, sold near or far, slowly or fast, of which 1–10% are scanned.
 */
import { iso1A2Code } from '@rapideditor/country-coder';
import { destination } from '../../../shared/risk/geo.ts';
import { CITIES, type City } from '../../../sample-data/cities.ts';
import { random, type Random } from '../../../sample-data/random.ts';
import { fakesScanned, finish, outside, type Trace } from './trace.ts';

const DAY = 86_400_000;
const START = Date.UTC(2025, 0, 1);

interface Spot {
  lat: number;
  lon: number;
  country: string;
}

interface Person {
  session: string;
  /** How often a visit comes with a fresh session (private window, cookies cleared). */
  forgetful: number;
  vpn: City | null;
  line: 'fixed' | 'mobile' | 'mixed';
  givesPosition: boolean;
}

interface World {
  rng: Random;
  sessions: number;
}

/** A lot is made for some markets and activated at once; what is diverted of it goes to one other country. */
interface Lot {
  markets: string[];
  activatedAt: number;
  /** Units of it that are ever scanned. */
  size: number;
  diverted: { share: number; country: string } | null;
}

/** Share of copied codes made, so that about 1% of units end up with three fakes scanned or more. */
const COPIED_SHARE = 0.0125;
/** Of the lots with markets; of each two thirds are diverted in the mean, so that 1.5% of all units are. */
const DIVERTED_LOTS = 0.033;

/** @returns `units` units that were scanned at least once. */
export function journeys(seed: number, units: number): Trace[] {
  const world: World = { rng: random(seed), sessions: 0 };
  const { rng } = world;
  const traces: Trace[] = [];
  for (let lots = 0; traces.length < units; lots++) {
    const lot = someLot(rng);
    const end = Math.min(units, traces.length + lot.size);
    while (traces.length < end) {
      const trace = makeUnit(world, lot, `j${traces.length}`, `jl${lots}`);
      if (trace.scans.length > 0) traces.push(finish(trace));
    }
  }
  return traces;
}

function someLot(rng: Random): Lot {
  const markets = someMarkets(rng);
  const isDiverted = markets.length > 0 && rng.chance(DIVERTED_LOTS);
  return {
    markets,
    activatedAt: START + rng.between(0, 90) * DAY,
    // A few hundred to some ten thousand units, of which some percent are scanned.
    size: Math.round(Math.exp(rng.between(Math.log(8), Math.log(400)))),
    diverted: isDiverted ? { share: rng.between(0.3, 1), country: abroad(rng, markets).country } : null,
  };
}

function makeUnit(world: World, lot: Lot, unitId: string, lotId: string): Trace {
  const { rng } = world;
  const { markets, activatedAt } = lot;
  const destination = lot.diverted !== null && rng.chance(lot.diverted.share) ? lot.diverted.country : null;
  const trace: Trace = {
    unitId,
    lotId,
    markets,
    activatedAt,
    scans: [],
    copied: false,
    abroad: false,
    diverted: destination !== null,
    kind: 'honest',
  };
  liveHonestly(world, trace, cityIn(rng, destination === null ? markets : [destination]));
  if (destination === null && rng.chance(COPIED_SHARE)) copy(world, trace, markets);
  return trace;
}

function someMarkets(rng: Random): string[] {
  if (rng.chance(0.3)) return [];
  const seat = rng.weighted(CITIES, (city) => city.millions);
  const near = [...CITIES].sort(
    (a, b) => Math.hypot(a.lat - seat.lat, a.lon - seat.lon) - Math.hypot(b.lat - seat.lat, b.lon - seat.lon),
  );
  const countries = [...new Set(near.map((city) => city.country))];
  return countries.slice(0, rng.pick([1, 1, 2, 3, 5, 8]));
}

function cityIn(rng: Random, markets: readonly string[]): City {
  return rng.weighted(
    CITIES.filter((city) => markets.length === 0 || markets.includes(city.country)),
    (city) => city.millions,
  );
}

function abroad(rng: Random, markets: readonly string[]): City {
  return rng.weighted(
    CITIES.filter((city) => !markets.includes(city.country)),
    (city) => city.millions,
  );
}

function around(rng: Random, spot: Spot, medianKm: number, sigma = 0.8): Spot {
  const moved = destination(spot.lat, spot.lon, rng.between(0, 360), rng.lognormal(medianKm, sigma));
  return { ...moved, country: iso1A2Code([moved.lon, moved.lat], { level: 'territory' }) ?? spot.country };
}

function person(world: World): Person {
  const { rng } = world;
  return {
    session: `s${world.sessions++}`,
    forgetful: rng.chance(0.2) ? 0.8 : 0.1,
    vpn: rng.chance(0.015) ? rng.weighted(CITIES, (city) => city.millions) : null,
    line: rng.pick(['fixed', 'fixed', 'mobile', 'mixed'] as const),
    givesPosition: rng.chance(0.1),
  };
}

function scan(
  world: World,
  trace: Trace,
  who: Person,
  where: Spot,
  at: number,
  atHome: boolean,
  fake = 0,
): void {
  const { rng } = world;
  const sessionId = rng.chance(0.03)
    ? null
    : rng.chance(who.forgetful)
      ? `s${world.sessions++}`
      : who.session;
  if (fake === 0 && outside(trace.markets, where.country)) trace.abroad = true;
  trace.scans.push({
    scanId: '',
    at: Math.round(at),
    sessionId,
    networkId: null,
    place: position(rng, who, where, atHome),
    fake,
  });
}

function position(rng: Random, who: Person, where: Spot, atHome: boolean): TracePlace {
  if (rng.chance(0.02)) return null;
  if (who.givesPosition) {
    const seen = around(rng, where, 0.05, 0.5);
    return { ...seen, accuracyKm: 0.1, source: 'gps' };
  }
  if (who.vpn !== null && rng.chance(0.7)) {
    return { ...around(rng, who.vpn, 5), accuracyKm: 15, source: 'ip-fixed' };
  }
  const mobile =
    who.line === 'mobile' || !atHome
      ? !rng.chance(0.1)
      : who.line === 'mixed'
        ? rng.chance(0.5)
        : rng.chance(0.05);
  if (mobile) {
    const seen = around(rng, where, 190, 0.9);
    // The country of a mobile network's address is nearly always right, its position hardly ever.
    return {
      ...seen,
      country: rng.chance(0.97) ? where.country : seen.country,
      accuracyKm: 200,
      source: 'ip-mobile',
    };
  }
  if (rng.chance(0.01)) return { ...around(rng, where, 250, 0.7), accuracyKm: 20, source: 'ip-fixed' };
  return { ...around(rng, where, rng.between(3, 16), 0.8), accuracyKm: 20, source: 'ip-fixed' };
}

type TracePlace = Trace['scans'][number]['place'];

function liveHonestly(world: World, trace: Trace, city: City): void {
  const { rng } = world;
  let at = trace.activatedAt + rng.between(1, 30) * DAY;
  if (rng.chance(0.02)) scan(world, trace, person(world), around(rng, city, 60), at, true);
  const shop = around(rng, city, 10);
  const shelfDays = rng.lognormal(25, 0.8);
  const opening = at + rng.between(1, 15) * DAY;
  const lookers = rng.chance(0.006) ? rng.int(8, 150) : rng.poisson(0.15);
  if (lookers >= 8) trace.kind = 'display';
  for (let i = 0; i < lookers; i++) {
    const who = person(world);
    const moment = opening + rng.between(0, shelfDays) * DAY;
    for (let n = 0; n < 1 + rng.poisson(0.3); n++)
      scan(world, trace, who, shop, moment + n * rng.between(0.2, 20) * 60_000, false);
  }
  at = opening + shelfDays * DAY;
  const tourist = rng.chance(0.02);
  const home = tourist
    ? around(
        rng,
        rng.weighted(CITIES, (other) => other.millions),
        15,
      )
    : around(rng, shop, 12, 1);
  if (tourist) trace.kind = 'tourist';
  const buyer = person(world);
  if (rng.chance(0.25)) scan(world, trace, buyer, shop, at, false);
  at += (tourist ? rng.between(1, 8) : rng.exponential(1.5)) * DAY;
  household(world, trace, buyer, home, at);
  if (rng.chance(0.04)) travel(world, trace, buyer, home, at + rng.exponential(90) * DAY);
  let owner = home;
  let since = at;
  while (rng.chance(0.03)) {
    trace.kind = 'resold';
    since += rng.lognormal(150, 0.8) * DAY;
    owner = rng.chance(0.4)
      ? around(rng, owner, 25, 1)
      : rng.chance(0.85)
        ? around(rng, cityIn(rng, [city.country]), 15)
        : around(rng, cityIn(rng, trace.markets), 15);
    household(world, trace, person(world), owner, since);
  }
}

function household(world: World, trace: Trace, head: Person, home: Spot, since: number): void {
  const { rng } = world;
  const members = [head, ...Array.from({ length: rng.poisson(0.4) }, () => person(world))];
  for (const [index, member] of members.entries()) {
    if (!rng.chance(index === 0 ? 0.6 : 0.3)) continue;
    const times = 1 + rng.poisson(0.25);
    for (let n = 0; n < times; n++) {
      // The family looks together on the first evening, or each when the thing is used.
      const moment = rng.chance(0.4)
        ? since + rng.exponential(0.5) * 3_600_000
        : since + rng.exponential(40) * DAY;
      scan(world, trace, member, rng.chance(0.85) ? home : around(rng, home, 20, 1), moment, true);
    }
  }
}

function travel(world: World, trace: Trace, owner: Person, home: Spot, at: number): void {
  const { rng } = world;
  if (trace.kind === 'honest') trace.kind = 'traveller';
  const far = rng.chance(0.5)
    ? around(rng, home, 250, 0.6)
    : around(
        rng,
        rng.weighted(CITIES, (city) => city.millions),
        20,
      );
  const who = rng.chance(0.8) ? owner : person(world);
  for (let n = 0; n < 1 + rng.poisson(0.5); n++)
    scan(world, trace, who, far, at + rng.between(0, 10) * DAY, false);
  if (rng.chance(0.3)) scan(world, trace, owner, home, at + rng.between(12, 40) * DAY, true);
}

function copy(world: World, trace: Trace, markets: readonly string[]): void {
  const { rng } = world;
  const fakes = Math.round(Math.exp(rng.between(Math.log(20), Math.log(2000))));
  const scannedShare = rng.between(0.01, 0.1);
  const start = trace.activatedAt + rng.between(20, 300) * DAY;
  const fast = rng.chance(0.6);
  const spanDays = fast ? rng.between(7, 45) : rng.between(150, 700);
  const reach = rng.pick(['city', 'country', 'country', 'world', 'world', 'world'] as const);
  const hub = rng.chance(0.5) ? cityIn(rng, markets) : rng.weighted(CITIES, (city) => city.millions);
  const countries = [
    hub.country,
    ...Array.from({ length: rng.int(1, 5) }, () => rng.weighted(CITIES, (city) => city.millions).country),
  ];
  for (let fake = 1; fake <= fakes; fake++) {
    if (!rng.chance(scannedShare)) continue;
    const sold =
      reach === 'city'
        ? around(rng, hub, 30, 0.8)
        : around(rng, cityIn(rng, reach === 'country' ? [hub.country] : countries), 20, 1);
    const at = start + rng.between(0, spanDays) * DAY;
    const owner = person(world);
    scan(world, trace, owner, sold, at, rng.chance(0.6), fake);
    if (rng.chance(0.3)) scan(world, trace, owner, sold, at + rng.exponential(5) * DAY, true, fake);
    if (rng.chance(0.15)) scan(world, trace, person(world), sold, at + rng.exponential(5) * DAY, true, fake);
  }
  trace.copied = fakesScanned(trace) > 0;
  if (trace.copied) trace.kind = `copied-${reach}-${fast ? 'fast' : 'slow'}`;
}
