/** What every life of a unit is made of: hours of the day, shops, one purchase, and looking again. */
import { kmBetween, placeIn } from './atlas.ts';
import { weighted } from './draws.ts';
import {
  DAY,
  HOUR,
  MINUTE,
  type Context,
  type Look,
  type Person,
  type Place,
  type Shop,
  type Town,
  type World,
} from './model.ts';
import { otherTown, resident, workOf } from './people.ts';

/** How likely each hour of the day is at home, in a shop and in a bar. */
export const AT_HOME = [
  0.4, 0.2, 0.1, 0.1, 0.1, 0.3, 1, 2, 3, 3, 3.5, 4, 5, 4.5, 4, 4, 4.5, 5.5, 7, 8, 8.5, 7.5, 5, 2,
];
export const IN_SHOPS = [0, 0, 0, 0, 0, 0, 0, 0, 0.5, 2, 5, 6, 7, 6, 6, 7, 8, 9, 8, 5, 2, 0.5, 0, 0];
export const IN_BARS = [3, 1, 0, 0, 0, 0, 0, 0, 0, 0.3, 0.5, 1, 2, 2, 1, 1, 2, 4, 6, 8, 9, 10, 9, 6];
const HOURS = AT_HOME.map((_, hour) => hour);

/** The local day of `at`, at a likely local hour; never before `after`. */
export function clock(
  { rng }: World,
  at: number,
  lon: number,
  law: readonly number[] = AT_HOME,
  after = -Infinity,
): number {
  const offset = Math.round(lon / 15) * HOUR;
  const midnight = Math.floor((at + offset) / DAY) * DAY - offset;
  const moment = midnight + (weighted(rng, HOURS, law) + rng.next()) * HOUR;
  if (moment >= after) return moment;
  return moment + DAY > after ? moment + DAY : after + rng.between(0.5, 12) * HOUR;
}

export const look = (at: number, who: Person, place: Place, context: Context): Look => ({
  at,
  who,
  place,
  context,
  fake: 0,
});

export function shopIn(world: World, town: Town): Shop {
  const { rng } = world;
  const shops = world.shops.get(town.name) ?? [];
  world.shops.set(town.name, shops);
  const mayOpen = shops.length < 3 + Math.floor(town.millions * 1.2) && rng.chance(0.6);
  if (shops.length > 0 && !mayOpen) return rng.pick(shops);
  const place = placeIn(world, town, 0.12);
  const staff = Array.from({ length: rng.int(1, 3) }, () => resident(world, town, {}, 0.2));
  shops.push({ place, staff });
  return shops.at(-1)!;
}

export interface Purchase {
  buyer?: Person;
  shop?: Shop;
  /** Chances of a look in the shop, of one at home, and of buying online. */
  inShop?: number;
  atHome?: number;
  online?: number;
}

/** One purchase. @returns who bought, and when the unit was at home */
export function buy(
  world: World,
  looks: Look[],
  town: Town,
  at: number,
  { inShop = 0.45, atHome = 0.65, online = 0.3, ...given }: Purchase = {},
): { buyer: Person; homeAt: number } {
  const { rng } = world;
  const shop = given.shop ?? shopIn(world, town);
  const buyer = given.buyer ?? resident(world, rng.chance(0.94) ? town : otherTown(world, town));
  const { home } = buyer;
  if (rng.chance(online)) {
    const homeAt = clock(world, at + rng.between(1, 6) * DAY, home.lon);
    looks.push(look(homeAt, buyer, home, 'home'));
    return { buyer, homeAt };
  }
  const boughtAt = clock(world, at, town.lon, IN_SHOPS);
  if (rng.chance(0.05))
    looks.push(look(boughtAt - rng.between(0.5, 20) * DAY, rng.pick(shop.staff), shop.place, 'staff'));
  // Somebody looked and left it on the shelf.
  for (let left = weighted(rng, [0, 1, 2], [0.9, 0.08, 0.02]); left > 0; left--) {
    const lookedAt = clock(world, boughtAt - rng.between(0, 15) * DAY, town.lon, IN_SHOPS);
    looks.push(look(lookedAt, resident(world, town), shop.place, 'shop'));
  }
  const looksInShop = rng.chance(inShop);
  if (looksInShop) looks.push(look(boughtAt, buyer, shop.place, 'shop'));
  const unpackedAt = rng.chance(0.6)
    ? boughtAt + rng.between(0.4, 5) * HOUR
    : clock(world, boughtAt + rng.exponential(2) * DAY, home.lon, AT_HOME, boughtAt + 40 * MINUTE);
  const km = kmBetween(home, shop.place);
  const hours = km < 500 ? 0.5 + km / 90 : 5 + km / 700;
  const homeAt = Math.max(unpackedAt, boughtAt + hours * HOUR);
  if (!looksInShop || rng.chance(atHome - 0.1)) looks.push(look(homeAt, buyer, home, 'home'));
  return { buyer, homeAt };
}

/** Looks of somebody who has looked before, on later days. */
export function again(
  world: World,
  looks: Look[],
  who: Person,
  since: number,
  chance = 0.13,
  meanDays = 25,
  atMost = 2,
): void {
  const { rng } = world;
  let at = since;
  for (let count = 0; count < atMost && rng.chance(chance); count++) {
    at += DAY / 2 + rng.exponential(meanDays) * DAY;
    const context = weighted(rng, ['home', 'work', 'out'] as const, [0.7, 0.15, 0.15]);
    const place = context === 'home' ? who.home : workOf(world, who);
    at = clock(world, at, place.lon, AT_HOME, at - 10 * HOUR);
    looks.push(look(at, who, place, context));
  }
}
