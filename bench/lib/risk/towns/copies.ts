/**
 * Campaigns of copies: some codes of one lot, put on fakes that one to eight sellers sell, each for a time of their own, in
 * a city, a country, a region or all over the world. Every fake has a buyer like any other, who looks like any other.
 */
import { COUNTRIES, kmBetween, placeIn, townsIn, TOWNS } from './atlas.ts';
import { sample, weighted } from './draws.ts';
import {
  DAY,
  HOUR,
  MINUTE,
  type Look,
  type Lot,
  type Person,
  type Place,
  type Town,
  type World,
} from './model.ts';
import { DEMAND, otherTown, relatives, resident } from './people.ts';
import { again, clock, IN_SHOPS, look } from './purchases.ts';
import { FAKES_BOUGHT } from './tables.ts';

export type Spread = 'city' | 'country' | 'region' | 'world';
export type Pace = 'fast' | 'medium' | 'slow';

export interface Campaign {
  lot: Lot;
  spread: Spread;
  pace: Pace;
  /** Where the codes were taken from. */
  source: Town;
  startsAt: number;
  sellers: readonly Seller[];
  /** Who buys units to copy them. */
  copier: Person;
  /** How many codes, about how many fakes of each, and what share of them is ever scanned. */
  codes: number;
  fakes: number;
  scannedShare: number;
}

type Trade = 'stall' | 'country' | 'region' | 'world';

interface Seller {
  trade: Trade;
  town: Town;
  weight: number;
  startsAt: number;
  days: number;
  stall: Place;
  person: Person;
  /** Chance of showing a buyer with the seller's own telephone that the code scans. */
  demonstrates: number;
  /** Towns of the buyers of those who send. */
  towns: readonly Town[];
  weights: readonly number[];
}

/** How well fakes sell in each town. */
const MARKET = TOWNS.map((town, index) => DEMAND[index]! * (FAKES_BOUGHT[town.country] ?? 0.8));

export function makeCampaign(world: World, lots: readonly Lot[]): Campaign {
  const { rng } = world;
  const lot = rng.weighted(lots, ({ left }) => Math.max(1, left));
  const spread = weighted(rng, ['city', 'country', 'region', 'world'] as const, [0.1, 0.24, 0.24, 0.42]);
  const pace = weighted(rng, ['fast', 'medium', 'slow'] as const, [0.28, 0.4, 0.32]);
  const days = { fast: rng.between(2, 14), medium: rng.between(14, 90), slow: rng.between(90, 330) }[pace];
  const source = weighted(rng, lot.towns, lot.demand);
  // Two in a hundred leaked at the printer's.
  const sinceActivation = rng.chance(0.02) ? -rng.between(0, 10) : 12 + rng.lognormal(55, 0.7);
  const startsAt = lot.activatedAt + sinceActivation * DAY;
  const sellers = sellersOf(world, spread, source, startsAt, days);
  return {
    lot,
    spread,
    pace,
    source,
    startsAt,
    sellers,
    copier: resident(world, sellers[0]!.town),
    codes: weighted(rng, [1, 2, 3, 5, 8], [0.52, 0.2, 0.13, 0.1, 0.05]),
    fakes: 20 * 100 ** rng.next(),
    scannedShare: 0.01 * 10 ** rng.next(),
  };
}

function sellersOf(
  world: World,
  spread: Spread,
  source: Town,
  startsAt: number,
  days: number,
): readonly Seller[] {
  const { rng } = world;
  const anywhere = () => weighted(rng, TOWNS, MARKET);
  const some = (count: number, seller: () => readonly [Trade, Town]) =>
    Array.from({ length: count }, () => makeSeller(world, ...seller(), startsAt, days));
  if (spread === 'city') {
    const town = rng.chance(0.6) ? source : anywhere();
    return some(rng.pick([1, 1, 2]), () => ['stall', town]);
  }
  if (spread === 'country') {
    const towns = townsIn((rng.chance(0.6) ? source : anywhere()).country);
    return some(rng.int(1, 4), () => [
      rng.pick(['stall', 'country', 'country']),
      rng.weighted(towns, (town) => town.millions ** 0.8),
    ]);
  }
  if (spread === 'region') {
    const weights = around(rng.chance(0.5) ? source : anywhere(), 0.6, 900);
    return some(rng.int(1, 5), () => [
      rng.pick(['stall', 'region', 'region', 'country']),
      weighted(rng, TOWNS, weights),
    ]);
  }
  return [
    ...some(weighted(rng, [1, 2, 3], [0.6, 0.25, 0.15]), () => ['world', anywhere()]),
    ...some(weighted(rng, [0, 1, 2], [0.6, 0.25, 0.15]), () => ['stall', anywhere()]),
  ];
}

/** The market's weights, flattened and falling with the distance. */
const around = (hub: Town, flattening: number, reachKm: number): number[] =>
  TOWNS.map((town, index) => MARKET[index]! ** flattening * Math.exp(-kmBetween(town, hub) / reachKm));

function makeSeller(world: World, trade: Trade, town: Town, startsAt: number, days: number): Seller {
  const { rng } = world;
  return {
    trade,
    town,
    weight: rng.lognormal(1, 0.8),
    startsAt: startsAt + rng.next() * days * 0.35 * DAY,
    days: Math.max(1.5, days * rng.between(0.5, 1)),
    stall: placeIn(world, town, 0.1),
    person: resident(world, town, {}, 0.1),
    demonstrates: trade === 'stall' && rng.chance(0.3) ? 0.25 : 0,
    ...reachOf(world, trade, town),
  };
}

function reachOf({ rng }: World, trade: Trade, town: Town): Pick<Seller, 'towns' | 'weights'> {
  if (trade === 'stall') return { towns: [], weights: [] };
  if (trade === 'country') {
    const towns = townsIn(town.country);
    return { towns, weights: towns.map(({ millions }) => millions ** 0.85) };
  }
  if (trade === 'region') return { towns: TOWNS, weights: around(town, 0.7, 700) };
  // Online, with favourite countries.
  const favourites = new Set(sample(rng, COUNTRIES, 12));
  const weights = TOWNS.map(
    ({ country }, index) =>
      MARKET[index]! * (favourites.has(country) ? 5 : 1) * (country === town.country ? 4 : 1),
  );
  return { towns: TOWNS, weights };
}

/** Looks at the fakes of one more code of the campaign. */
export function looksAtFakes(world: World, campaign: Campaign): Look[] {
  const { rng } = world;
  const { sellers, scannedShare } = campaign;
  const made = Math.floor(Math.max(20, Math.min(2000, campaign.fakes * rng.lognormal(1, 0.4))));
  const looks: Look[] = [];
  let fake = 0;
  for (let count = 0; count < made; count++) {
    if (!rng.chance(scannedShare)) continue;
    fake++;
    const seller = rng.weighted(sellers, ({ weight }) => weight);
    const soldAt = seller.startsAt + rng.next() ** 1.3 * seller.days * DAY;
    for (const each of looksAtFake(world, seller, soldAt)) looks.push({ ...each, fake });
  }
  return looks;
}

function looksAtFake(world: World, seller: Seller, soldAt: number): Look[] {
  const { rng } = world;
  const sell = seller.trade === 'stall' ? atStall : sent;
  const { looks, buyer, homeAt } = sell(world, seller, soldAt);
  const { home } = buyer;
  if (looks.length === 0 || rng.chance(0.6))
    looks.push(look(homeAt, buyer, home, weighted(rng, ['home', 'work', 'out'], [0.85, 0.05, 0.1])));
  again(world, looks, buyer, homeAt, 0.28, 9);
  if (rng.chance(0.14))
    for (const relative of relatives(world, buyer, rng.pick([1, 1, 2])))
      looks.push(look(homeAt + rng.exponential(20) * HOUR, relative, home, 'home'));
  if (rng.chance(0.05)) {
    // Given or sold on.
    const next = resident(world, rng.chance(0.6) ? home.town : otherTown(world, home.town));
    const at = clock(world, homeAt + (2 + rng.exponential(15)) * DAY, next.home.lon);
    looks.push(look(at, next, next.home, 'home'));
  }
  if (rng.chance(0.02)) {
    // A friend is asked.
    const friend = resident(world, otherTown(world, home.town));
    looks.push(look(homeAt + rng.between(5, 300) * MINUTE, friend, friend.home, 'home'));
  }
  return looks;
}

interface Sale {
  looks: Look[];
  buyer: Person;
  homeAt: number;
}

function atStall(world: World, seller: Seller, soldAt: number): Sale {
  const { rng } = world;
  const looks: Look[] = [];
  const { town, stall } = seller;
  const from = rng.next();
  const buyer = resident(world, from < 0.85 ? town : otherTown(world, town, from > 0.94));
  const at = clock(world, soldAt, town.lon, IN_SHOPS);
  if (rng.chance(seller.demonstrates))
    looks.push(look(at - rng.between(0.2, 8) * MINUTE, seller.person, stall, 'out'));
  const km = kmBetween(buyer.home, stall);
  if (rng.chance(0.35)) looks.push(look(at, buyer, stall, 'shop'));
  const hours = km < 400 ? 0.5 + km / 90 : 24 + km / 300;
  return { looks, buyer, homeAt: at + Math.max(rng.between(0.5, 40), hours) * HOUR };
}

function sent(world: World, seller: Seller, soldAt: number): Sale {
  const { rng } = world;
  const buyer = resident(world, weighted(rng, seller.towns, seller.weights));
  const days = seller.trade === 'country' ? rng.between(1, 5) : 1 + rng.lognormal(4, 0.6);
  return { looks: [], buyer, homeAt: clock(world, soldAt + days * DAY, buyer.home.lon) };
}
