/**
 * What the databases of addresses say of those who scan, wrong in the ways of the networks themselves: fixed lines put at
 * the provider's pool, carriers whose towns share a few pools that surface at gateways, roaming that goes home, travellers'
 * SIMs that leave in a third country, VPNs, private relays and companies' gateways.
 */
import {
  countryAt,
  EXIT_WEIGHTS,
  EXITS,
  kmBetween,
  moved,
  movedWithin,
  nearest,
  townsIn,
  TOWNS,
} from './atlas.ts';
import { weighted } from './draws.ts';
import {
  DAY,
  HOUR,
  MINUTE,
  type Carrier,
  type Context,
  type Person,
  type Place,
  type Report,
  type Sighting,
  type Spot,
  type World,
} from './model.ts';
import { BUYING_POWER, FIXED_ERROR_KM } from './tables.ts';
import type { PlaceSource } from '../../../../shared/risk/types.ts';

/** Of a mobile address that is not put at a gateway: median error and sigma. */
const MOBILE_ERROR_KM = 240;
const MOBILE_ERROR_SIGMA = 0.7;

const POPULATIONS = TOWNS.map((town) => town.millions);
/** Chance of going by the place's fixed line, for somebody who has one at home. */
const BY_LINE: Record<Context, number> = {
  home: 0.74,
  shop: 0.12,
  staff: 0.75,
  out: 0.15,
  hotel: 0.7,
  work: 0.5,
};

/** One of a country's four carriers, by size. */
export function carrierIn(world: World, country: string): Carrier {
  const known = world.carriers.get(country);
  const carriers = known ?? Array.from({ length: 4 }, () => makeCarrier(world, country));
  if (known === undefined) world.carriers.set(country, carriers);
  return weighted(world.rng, carriers, [0.4, 0.3, 0.2, 0.1]);
}

function makeCarrier({ rng }: World, country: string): Carrier {
  const ranked = townsIn(country)
    .map((town) => ({ town, rank: town.millions * (0.3 + rng.next()) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ town }) => town);
  const gateways = ranked.slice(0, rng.pick([1, 2, 3, 4, 6]));
  return { country, gateways, atGateway: rng.between(0.15, 0.5), pools: new Map() };
}

/** The network of minutes ago is nearly always still the one. */
export function reportOf(world: World, who: Person, at: number, place: Place, context: Context): Report {
  const { last } = who;
  const isStill =
    last !== null && last.place === place && Math.abs(at - last.at) < 20 * MINUTE && world.rng.chance(0.92);
  const report = isStill ? last.report : connect(world, who, at, place, context);
  who.last = { at, place, report };
  return report;
}

function connect(world: World, who: Person, at: number, place: Place, context: Context): Report {
  const { rng } = world;
  if (who.gps > 0 && rng.chance(who.gps)) return browserPosition(world, place);
  const tunnel = who.vpn > 0 ? throughTunnel(world, who, at) : null;
  if (tunnel !== null) return tunnel;
  const isAbroad = place.country !== who.home.country;
  if (who.hasRelay && !isAbroad) {
    const spot = movedWithin(world, place, rng.lognormal(35, 0.8), place.country);
    return reported({ ...spot, accuracyKm: rng.pick([20, 50, 50, 100]) }, 'ip');
  }
  let byLine = BY_LINE[context];
  if (who.isMobileOnly) byLine *= 0.08;
  if (isAbroad && context !== 'home') byLine = Math.min(0.9, byLine * 1.4 + 0.1);
  if (!rng.chance(byLine)) return reported(mobileAddress(world, who, at, place), 'ip-mobile');
  if (context === 'work' && rng.chance(0.06)) {
    who.headquarters ??= weighted(rng, EXITS, EXIT_WEIGHTS);
    const { lat, lon, country } = who.headquarters;
    return {
      lat: lat + 0.03 * rng.normal(),
      lon: lon + 0.03 * rng.normal(),
      accuracyKm: 20,
      country,
      source: 'ip',
    };
  }
  return reported(lineOf(world, place, at), 'ip-fixed');
}

const reported = (seen: Sighting, source: PlaceSource): Report => ({
  ...seen,
  country: countryAt(seen),
  source,
});

function browserPosition(world: World, place: Place): Report {
  const { rng } = world;
  const isCoarse = rng.chance(0.1);
  const km = Math.abs(rng.normal()) * (isCoarse ? 2 : 0.03);
  const accuracyKm = isCoarse
    ? Math.round(1000 * rng.between(1, 5)) / 1000
    : rng.pick([0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.05, 0.08, 0.1, 0.2]);
  return { ...moved(world, place, km), accuracyKm, country: place.country, source: 'gps' };
}

/** Switched on and off by the hour; null while it is off. */
function throughTunnel(world: World, who: Person, at: number): Report | null {
  const { rng } = world;
  if (who.tunnel === null || Math.abs(at - who.tunnel.at) > 4 * HOUR || rng.chance(0.12))
    who.tunnel = { at, isOn: rng.chance(who.vpn), report: null };
  if (who.tunnel.isOn) who.tunnel.report ??= leave(world, who);
  return who.tunnel.report;
}

/** Each person has a few exits, in their own country if there are any, and often the last one. */
function leave(world: World, who: Person): Report {
  const { rng } = world;
  if (who.exits === null) {
    const own = EXITS.filter((exit) => exit.country === who.home.country);
    const [first, second] = [weighted(rng, EXITS, EXIT_WEIGHTS), weighted(rng, EXITS, EXIT_WEIGHTS)];
    who.exits =
      own.length === 0 || rng.chance(0.45) ? [first, second] : [rng.pick(own), rng.pick(own), first];
  }
  if (who.exit === null || rng.chance(0.45))
    who.exit = rng.chance(0.8) ? rng.pick(who.exits) : weighted(rng, EXITS, EXIT_WEIGHTS);
  const accuracyKm = weighted(rng, [5, 10, 20, 50, 100, 1000], [0.15, 0.25, 0.35, 0.12, 0.08, 0.05]);
  const spot = moved(world, who.exit, rng.lognormal(4, 1));
  return { ...spot, accuracyKm, country: who.exit.country, source: 'ip' };
}

/** A line keeps its position for months. */
function lineOf(world: World, place: Place, at: number): Sighting {
  const { rng } = world;
  const { line } = place;
  if (line !== null && line.from <= at && at < line.until) return line.seen;
  const seen = line === null || rng.chance(0.6) ? lineSighting(world, place) : line.seen;
  place.line = { seen, from: at - 2 * DAY, until: at + rng.exponential(150) * DAY };
  return seen;
}

function lineSighting(world: World, place: Place): Sighting {
  const { rng } = world;
  const { country } = place;
  const medianKm = FIXED_ERROR_KM[country] ?? ((BUYING_POWER[country] ?? 0.5) > 0.55 ? 13 : 16);
  const what = rng.next();
  if (what < 0.003) {
    // A block of addresses that was sold to another country.
    const { lat, lon } = weighted(rng, TOWNS, POPULATIONS);
    return { lat, lon, accuracyKm: rng.pick([20, 50, 100]) };
  }
  if (what < 0.045) {
    // Put at the provider's pool, in another town.
    const spot = movedWithin(world, place, rng.lognormal(130, 0.9), country);
    return { ...spot, accuracyKm: rng.pick([10, 20, 50, 50, 100, 200]) };
  }
  const shares =
    medianKm < 7 ? [0.05, 0.3, 0.25, 0.2, 0.09, 0.08, 0.03] : [0.02, 0.12, 0.22, 0.3, 0.18, 0.11, 0.05];
  return {
    ...movedWithin(world, place, rng.lognormal(medianKm, 1), country, 0.006),
    accuracyKm: weighted(rng, [1, 5, 10, 20, 25, 50, 100], shares),
  };
}

function mobileAddress(world: World, who: Person, at: number, place: Place): Sighting {
  const { rng } = world;
  const { carrier, isRoaming } = subscription(world, who, place);
  const { lease } = who;
  const holds =
    lease !== null &&
    lease.carrier === carrier &&
    lease.from <= at &&
    at < lease.until &&
    (isRoaming || kmBetween(lease.spot, place) <= 300);
  if (holds) return lease.seen;
  const seen = isRoaming ? atHomeGateway(world, carrier) : fromPool(world, carrier, place);
  who.lease = { carrier, from: at - HOUR, until: at + rng.exponential(14) * HOUR, seen, spot: place };
  return seen;
}

/** Abroad: roaming that is routed home, a local SIM, or a traveller's that leaves in a third country. */
function subscription(
  world: World,
  who: Person,
  { country }: Place,
): { carrier: Carrier; isRoaming: boolean } {
  if (country === who.home.country) return { carrier: who.carrier, isRoaming: false };
  if (who.trip?.country !== country) {
    const { rng } = world;
    const what = rng.next();
    if (what < 0.55) who.trip = { country, carrier: who.carrier, isRoaming: true };
    else if (what < 0.82) who.trip = { country, carrier: carrierIn(world, country), isRoaming: false };
    else {
      const third = rng.pick(['HK', 'SG', 'PL', 'GB', 'FR', 'NL', 'US']);
      who.trip = { country, carrier: carrierIn(world, third), isRoaming: true };
    }
  }
  return who.trip!;
}

/** The addresses that a carrier hands out in one town: a few pools, shared by its clients. */
function fromPool(world: World, carrier: Carrier, place: Place): Sighting {
  const { rng } = world;
  const { town } = place;
  let pools = carrier.pools.get(town.name);
  if (pools === undefined) {
    pools = Array.from({ length: rng.int(1, 4) }, () => mobileSighting(world, carrier, town));
    carrier.pools.set(town.name, pools);
  }
  if (rng.chance(0.12)) return mobileSighting(world, carrier, place);
  let index = 0;
  while (index < pools.length - 1 && rng.chance(0.4)) index++;
  // Now and then a database puts one somewhere else.
  if (rng.chance(0.02)) pools[index] = mobileSighting(world, carrier, town);
  const { lat, lon, accuracyKm } = pools[index]!;
  return { lat: lat + 0.01 * rng.normal(), lon: lon + 0.01 * rng.normal(), accuracyKm };
}

function mobileSighting(world: World, carrier: Carrier, spot: Spot): Sighting {
  const { rng } = world;
  if (rng.chance(0.02)) return countryOnly(world, carrier);
  if (rng.chance(carrier.atGateway)) {
    const gateway = rng.chance(0.8) ? nearest(carrier.gateways, spot) : someGateway(world, carrier);
    const seen = movedWithin(world, gateway, rng.lognormal(4, 1), carrier.country);
    return { ...seen, accuracyKm: mobileRadiusKm(world, kmBetween(seen, spot)) };
  }
  const km = rng.lognormal(MOBILE_ERROR_KM, MOBILE_ERROR_SIGMA);
  return { ...movedWithin(world, spot, km, carrier.country), accuracyKm: mobileRadiusKm(world, km) };
}

function atHomeGateway(world: World, carrier: Carrier): Sighting {
  const { rng } = world;
  if (rng.chance(0.02)) return countryOnly(world, carrier);
  const seen = movedWithin(world, someGateway(world, carrier), rng.lognormal(4, 1), carrier.country);
  return { ...seen, accuracyKm: mobileRadiusKm(world, 0) };
}

const someGateway = ({ rng }: World, { gateways }: Carrier) =>
  rng.weighted(gateways, (gateway) => Math.sqrt(gateway.millions));

/** Databases that know no more than the country say its middle. */
function countryOnly({ rng }: World, { country }: Carrier): Sighting {
  const towns = townsIn(country);
  const mean = (of: (town: Spot) => number) => towns.reduce((sum, town) => sum + of(town), 0) / towns.length;
  const middle = { lat: mean(({ lat }) => lat), lon: mean(({ lon }) => lon) };
  const { lat, lon } = countryAt(middle) === country ? middle : towns[0]!;
  return { lat, lon, accuracyKm: rng.pick([500, 1000]) };
}

/** The databases know some of their bad positions. */
function mobileRadiusKm({ rng }: World, errorKm: number): number {
  if (errorKm < 400) return rng.chance(0.75) ? 200 : rng.pick([100, 150, 250, 300, 500]);
  return rng.chance(0.45) ? 200 : rng.pick([300, 500, 500, 1000]);
}
