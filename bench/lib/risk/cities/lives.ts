/** The honest lives of a unit, and how many of the units lead each. */
import type { Random } from '../../../../sample-data/random.ts';
import { anyCountry, cityIn, homeNear, neighbourOf, offBy, seatOf } from './atlas.ts';
import { geometric } from './draws.ts';
import { DAY, MINUTE, type Person, type Place, type Unit } from './model.ts';
import { fixedLine } from './networks.ts';
import { buyerAt, daytime, isVpnOn, personAt, staffAt, visit, visits } from './people.ts';

type Life = (rng: Random, unit: Unit) => void;
type LifeKind = 'quiet' | 'retail' | 'household' | 'gift' | 'resale' | 'traveller' | 'display';

export const LIFE_SHARES: readonly (readonly [LifeKind, number])[] = [
  ['quiet', 0.565],
  ['retail', 0.348],
  ['household', 0.042],
  ['gift', 0.018],
  ['resale', 0.013],
  ['traveller', 0.007],
  ['display', 0.0018],
];

/** Chances of a scan in the warehouse, by the shop's staff, and by a shopper who does not buy. */
const IN_WAREHOUSE = 0.035;
const BY_STAFF = 0.1;
const BY_BROWSER = 0.06;
/** How near a country is to which people move, send and travel. */
const TRAVEL_REACH_KM = 1200;
/** So many shoppers scan a display at least and at most. */
const FEWEST_SHOPPERS = 8;
const MOST_SHOPPERS = 600;

/** Nobody scans it, neither the trade nor who buys it. */
const quiet: Life = () => undefined;

const retail: Life = (rng, unit) => {
  const { shop, soldAt } = sell(rng, unit);
  const buyer = buyerAt(rng, shop);
  if (rng.chance(0.42))
    visit(rng, unit, buyer, soldAt - rng.between(10, 45) * MINUTE, { place: shop, network: 'mobile' });
  visits(rng, unit, buyer, soldAt, 1 + geometric(rng, 0.8));
};

/** Several people and devices, on the mobile network and the same Wi-Fi. */
const household: Life = (rng, unit) => {
  const { shop, soldAt } = sell(rng, unit);
  const buyer = buyerAt(rng, shop);
  const wifi = { place: buyer.home, at: soldAt, seen: fixedLine(rng, buyer.home) };
  const members = rng.int(2, 4);
  for (let n = 0; n < members; n++) {
    const member = n === 0 ? buyer : personAt(rng, buyer.home);
    member.lines.fixed = wifi;
    const at = rng.chance(0.5)
      ? soldAt + rng.exponential(40) * MINUTE
      : daytime(rng, soldAt + rng.exponential(30) * DAY, shop.lon);
    visits(rng, unit, member, at, 1 + geometric(rng, 0.6));
  }
};

const gift: Life = (rng, unit) => {
  const { shop, soldAt } = sell(rng, unit);
  const giver = buyerAt(rng, shop);
  const where = rng.next();
  visits(rng, unit, giver, soldAt, 1);
  // To a neighbouring country, to someone near by, or elsewhere in the country.
  const country = where < 0.12 ? neighbourOf(rng, unit.soldIn, TRAVEL_REACH_KM) : unit.soldIn;
  const isNear = where >= 0.12 && where < 0.6;
  const home = isNear ? offBy(rng, giver.home, rng.exponential(15)) : homeNear(rng, cityIn(rng, country));
  const taker = personAt(rng, home);
  noteAbroad(unit, country);
  const givenAt = daytime(rng, soldAt + (2 + rng.exponential(20)) * DAY, home.lon);
  visits(rng, unit, taker, givenAt, 1 + geometric(rng, 0.6));
};

/** A chain of owners. */
const resale: Life = (rng, unit) => {
  const { shop, soldAt } = sell(rng, unit);
  let owner = buyerAt(rng, shop);
  let at = soldAt;
  visits(rng, unit, owner, at, 1 + geometric(rng, 0.7));
  const furtherOwners = 1 + geometric(rng, 0.8);
  for (let n = 0; n < furtherOwners; n++) {
    const before = owner.home;
    const country = rng.chance(0.1) ? neighbourOf(rng, before.country, TRAVEL_REACH_KM) : before.country;
    const isNear = rng.chance(0.7);
    const home = isNear ? offBy(rng, before, rng.exponential(25)) : homeNear(rng, cityIn(rng, country));
    owner = personAt(rng, home);
    at = daytime(rng, at + (10 + rng.lognormal(90, 0.9)) * DAY, home.lon);
    noteAbroad(unit, country);
    visits(rng, unit, owner, at, 1 + geometric(rng, 0.65));
  }
};

/** A tourist who takes the unit home, or an owner who takes it on a trip or two. */
const traveller: Life = (rng, unit) => {
  const { shop, soldAt } = sell(rng, unit);
  if (rng.chance(0.35)) buyAsTourist(rng, unit, shop, soldAt);
  else travelWithIt(rng, unit, buyerAt(rng, shop), soldAt);
};

function buyAsTourist(rng: Random, unit: Unit, shop: Place, soldAt: number): void {
  const country = rng.chance(0.6) ? neighbourOf(rng, unit.soldIn, TRAVEL_REACH_KM) : anyCountry(rng);
  const tourist = personAt(rng, homeNear(rng, cityIn(rng, country)));
  visits(rng, unit, tourist, soldAt, 1, { place: shop, network: rng.chance(0.7) ? 'mobile' : 'fixed' });
  noteAbroad(unit, country);
  const backAt = daytime(rng, soldAt + (2 + rng.exponential(25)) * DAY, tourist.home.lon);
  visits(rng, unit, tourist, backAt, 1 + geometric(rng, 0.7));
}

function travelWithIt(rng: Random, unit: Unit, owner: Person, soldAt: number): void {
  if (rng.chance(0.8)) visits(rng, unit, owner, soldAt, 1 + geometric(rng, 0.8));
  let day = soldAt + (2 + rng.exponential(25)) * DAY;
  const trips = rng.chance(0.12) ? 2 : 1;
  for (let n = 0; n < trips; n++) {
    const country = destinationFrom(rng, unit.soldIn);
    const place = homeNear(rng, cityIn(rng, country));
    noteAbroad(unit, country);
    const at = daytime(rng, day, place.lon);
    const times = 1 + geometric(rng, 0.75);
    visits(rng, unit, owner, at, times, { place, network: rng.chance(0.5) ? 'mobile' : 'fixed' });
    day += (3 + rng.exponential(6)) * DAY;
    if (rng.chance(0.3)) visits(rng, unit, owner, daytime(rng, day, owner.home.lon), 1);
    day += (20 + rng.exponential(90)) * DAY;
  }
}

function destinationFrom(rng: Random, country: string): string {
  if (rng.chance(0.4)) return country;
  return rng.chance(0.65) ? neighbourOf(rng, country, TRAVEL_REACH_KM) : anyCountry(rng);
}

/** On show in one shop: dozens or hundreds of shoppers, on their own telephones' networks or on the shop's Wi-Fi. */
const display: Life = (rng, unit) => {
  const { shop, soldAt: shownAt } = sell(rng, unit);
  const wifi = fixedLine(rng, shop);
  const days = rng.between(30, 240);
  const mobileShare = rng.between(0.3, 0.9);
  const shoppers = Math.min(MOST_SHOPPERS, Math.round(rng.lognormal(60, 0.9)) + FEWEST_SHOPPERS);
  for (let n = 0; n < shoppers; n++) {
    const shopper = personAt(rng, homeNear(rng, rng.chance(0.9) ? shop : cityIn(rng, shop.country)));
    const at = daytime(rng, shownAt + rng.between(0, days) * DAY, shop.lon);
    shopper.lines.fixed = { place: shop, at, seen: wifi };
    const network = isVpnOn(rng, shopper) ? 'vpn' : rng.chance(mobileShare) ? 'mobile' : 'fixed';
    visit(rng, unit, shopper, at, { place: shop, network });
  }
};

export const LIVES: Record<LifeKind, Life> = {
  quiet,
  retail,
  household,
  gift,
  resale,
  traveller,
  display,
};

/** The way to the shop and on its shelf, with the scans before the sale. */
function sell(rng: Random, unit: Unit): { shop: Place; soldAt: number } {
  const { lot, soldIn } = unit;
  const shop = offBy(rng, cityIn(rng, soldIn), rng.exponential(8));
  let at = lot.activatedAt + rng.between(5, 60) * DAY;
  if (rng.chance(IN_WAREHOUSE)) {
    const warehouse = offBy(rng, seatOf(rng.chance(0.8) ? soldIn : lot.factory), 15);
    visit(rng, unit, staffAt(warehouse), daytime(rng, at, shop.lon), { network: 'fixed' });
  }
  at += rng.between(3, 60) * DAY;
  if (rng.chance(BY_STAFF)) visit(rng, unit, staffAt(shop), daytime(rng, at, shop.lon), { network: 'fixed' });
  at += rng.exponential(40) * DAY;
  if (rng.chance(BY_BROWSER)) {
    const browser = personAt(rng, homeNear(rng, shop));
    visit(rng, unit, browser, daytime(rng, at, shop.lon), { place: shop, network: 'mobile' });
  }
  return { shop, soldAt: daytime(rng, at + rng.exponential(15) * DAY, shop.lon) };
}

/** The country of the sale does not count, even of a unit that was diverted to it. */
function noteAbroad({ trace, soldIn }: Unit, country: string): void {
  const { markets } = trace;
  if (markets.length > 0 && country !== soldIn && !markets.includes(country)) trace.abroad = true;
}
