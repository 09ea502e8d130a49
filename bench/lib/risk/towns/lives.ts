/** The honest lives of a unit, each a list of looks from the day on which it is sold. Shares are of the honest units. */
import { kmBetween, neighbours, placeIn } from './atlas.ts';
import { weighted } from './draws.ts';
import { DAY, HOUR, MINUTE, type Look, type Person, type Place, type Town, type World } from './model.ts';
import { otherTown, personAt, relatives, resident, travelTown, visitorTo, workOf } from './people.ts';
import { again, AT_HOME, buy, clock, IN_BARS, IN_SHOPS, look, shopIn } from './purchases.ts';

export type Life = (world: World, town: Town, soldAt: number) => Look[];

const retail: Life = (world, town, soldAt) => {
  const looks: Look[] = [];
  const { buyer, homeAt } = buy(world, looks, town, soldAt);
  again(world, looks, buyer, homeAt);
  return looks;
};

const household: Life = (world, town, soldAt) => {
  const { rng } = world;
  const looks: Look[] = [];
  const { buyer, homeAt } = buy(world, looks, town, soldAt, { inShop: 0.4, atHome: 0.9 });
  const { home } = buyer;
  const members = relatives(world, buyer, weighted(rng, [1, 2, 3, 4], [0.42, 0.3, 0.2, 0.08]));
  for (const member of members) {
    if (!rng.chance(0.85)) continue;
    const at = rng.chance(0.45)
      ? homeAt + rng.between(1, 90) * MINUTE
      : clock(world, homeAt + rng.exponential(9) * DAY, home.lon, AT_HOME, homeAt);
    looks.push(
      rng.chance(0.85) ? look(at, member, home, 'home') : look(at, member, workOf(world, member), 'work'),
    );
    again(world, looks, member, at, 0.2, 18);
  }
  again(world, looks, buyer, homeAt, 0.3, 20, 3);
  if (rng.chance(0.15)) {
    const guestAt = clock(world, homeAt + rng.exponential(20) * DAY, home.lon, AT_HOME, homeAt);
    looks.push(look(guestAt, resident(world, town), home, 'home'));
  }
  return looks;
};

const gift: Life = (world, town, soldAt) => {
  const { rng } = world;
  const looks: Look[] = [];
  const bought = buy(world, looks, town, soldAt, { inShop: 0.45, atHome: 0.4, online: 0.15 });
  const where = rng.next();
  const receiver = resident(world, where < 0.45 ? town : otherTown(world, town, where > 0.88));
  const days = 1 + rng.exponential(12) + kmBetween(bought.buyer.home, receiver.home) / 2000;
  const at = clock(world, bought.homeAt + days * DAY, receiver.home.lon);
  looks.push(look(at, receiver, receiver.home, 'home'));
  again(world, looks, receiver, at, 0.2);
  if (rng.chance(0.15))
    for (const relative of relatives(world, receiver, 1))
      looks.push(look(at + rng.between(2, 60) * MINUTE, relative, receiver.home, 'home'));
  return looks;
};

/** One to three further owners, perhaps by a second-hand shop. */
const reseller: Life = (world, town, soldAt) => {
  const { rng } = world;
  const looks: Look[] = [];
  let { buyer: owner, homeAt } = buy(world, looks, town, soldAt);
  again(world, looks, owner, homeAt, 0.15);
  for (let sales = weighted(rng, [1, 2, 3], [0.82, 0.15, 0.03]); sales > 0; sales--) {
    const { home } = owner;
    let at = clock(world, homeAt + (10 + rng.exponential(110)) * DAY, home.lon, AT_HOME, homeAt);
    let seller = home.town;
    // Listing it.
    if (rng.chance(0.45)) looks.push(look(at, owner, home, 'home'));
    if (rng.chance(0.4)) {
      const shop = shopIn(world, rng.chance(0.6) ? seller : otherTown(world, seller));
      const { place } = shop;
      at = clock(world, at + (2 + rng.exponential(4)) * DAY, place.lon, IN_SHOPS, at);
      looks.push(look(at, rng.pick(shop.staff), place, 'staff'));
      for (let seen = weighted(rng, [0, 1, 2, 3], [0.5, 0.3, 0.13, 0.07]); seen > 0; seen--) {
        at = clock(world, at + rng.exponential(7) * DAY, place.lon, IN_SHOPS, at);
        looks.push(look(at, resident(world, place.town), place, 'shop'));
      }
      seller = place.town;
    }
    const where = rng.next();
    const buyerTown = where < 0.42 ? seller : otherTown(world, seller, where > 0.88);
    const next = resident(world, buyerTown);
    const { lon } = next.home;
    if (buyerTown === seller && rng.chance(0.5)) {
      // Checked at the handing over.
      at = clock(world, at + (1 + rng.exponential(6)) * DAY, lon, AT_HOME, at);
      looks.push(look(at, next, home, 'out'));
      homeAt = at + rng.between(1, 6) * HOUR;
    } else {
      homeAt = clock(world, at + (3 + rng.exponential(9)) * DAY, lon, AT_HOME, at + 2 * DAY);
    }
    looks.push(look(homeAt, next, next.home, 'home'));
    again(world, looks, next, homeAt, 0.2);
    owner = next;
  }
  return looks;
};

/** A tourist buys here and goes home, or an owner makes journeys with the unit. */
const traveller: Life = (world, town, soldAt) => {
  if (world.rng.chance(0.45)) return tourist(world, town, soldAt);
  const { rng } = world;
  const looks: Look[] = [];
  const { buyer, homeAt } = buy(world, looks, town, soldAt);
  const { home } = buyer;
  let leftAt = homeAt;
  for (let journeys = weighted(rng, [1, 2, 3], [0.76, 0.19, 0.05]); journeys > 0; journeys--) {
    const wishedAt = leftAt + (2 + rng.exponential(30)) * DAY;
    const there = travelTown(world, home.town, rng.chance(0.6));
    const place = placeIn(world, there, 0.2);
    const onTheWay = (4 + kmBetween(there, home) / 750) * HOUR;
    const arrivedAt = leftAt + onTheWay;
    let at = Math.max(arrivedAt, clock(world, wishedAt, there.lon, AT_HOME, arrivedAt));
    looks.push(look(at, buyer, place, rng.pick(['hotel', 'out'])));
    for (let more = weighted(rng, [0, 1, 2], [0.6, 0.3, 0.1]); more > 0; more--) {
      at += rng.between(0.05, 2.5) * DAY;
      const who = rng.chance(0.7) ? buyer : personAt(world, home);
      const where = rng.chance(0.6) ? place : placeIn(world, there, 0.3);
      looks.push(look(at, who, where, rng.pick(['hotel', 'out'])));
    }
    leftAt = at + onTheWay + rng.between(0.2, 6) * DAY;
    if (rng.chance(0.35)) looks.push(look(leftAt, buyer, home, 'home'));
  }
  return looks;
};

const tourist: Life = (world, town, soldAt) => {
  const { rng } = world;
  const looks: Look[] = [];
  const across = neighbours(town)[0];
  const from = across !== undefined && rng.chance(0.2) ? across : otherTown(world, town, rng.chance(0.75));
  const buyer = resident(world, from);
  const shop = shopIn(world, town);
  const at = clock(world, soldAt, town.lon, IN_SHOPS);
  if (rng.chance(0.65)) looks.push(look(at, buyer, shop.place, 'shop'));
  if (rng.chance(0.55))
    looks.push(look(at + rng.between(1, 9) * HOUR, buyer, placeIn(world, town, 0.05), 'hotel'));
  const homeAt = clock(world, at + (1 + rng.exponential(4)) * DAY, buyer.home.lon, AT_HOME, at + DAY);
  if (rng.chance(0.8) || looks.length === 0) looks.push(look(homeAt, buyer, buyer.home, 'home'));
  again(world, looks, buyer, homeAt, 0.25);
  return looks;
};

/** Shown in a shop for weeks; everybody may look. */
const display: Life = (world, town, soldAt) => {
  const { rng } = world;
  const looks: Look[] = [];
  const shop = shopIn(world, town);
  const { place, staff } = shop;
  const visitors = Math.floor(Math.max(4, Math.min(150, rng.lognormal(13, 0.75))));
  const days = rng.between(10, 150);
  const sometime = () => clock(world, soldAt + rng.between(0, days) * DAY, town.lon, IN_SHOPS);
  for (let count = 0; count < visitors; count++) {
    const at = sometime();
    const visitor = visitorTo(world, town);
    looks.push(look(at, visitor, place, 'shop'));
    if (rng.chance(0.1)) looks.push(look(at + rng.between(0.3, 12) * MINUTE, visitor, place, 'shop'));
    // The page left open.
    if (rng.chance(0.03)) looks.push(look(at + rng.between(1, 30) * HOUR, visitor, visitor.home, 'home'));
    if (rng.chance(0.08))
      looks.push(look(at + rng.between(0.2, 8) * MINUTE, resident(world, town), place, 'shop'));
  }
  if (rng.chance(0.5))
    for (let count = rng.int(1, 10); count > 0; count--)
      looks.push(look(sometime(), rng.pick(staff), place, 'staff'));
  if (rng.chance(0.3))
    buy(world, looks, town, soldAt + (days + rng.between(1, 20)) * DAY, { shop, online: 0 });
  return looks;
};

/** A bottle in a bar, a box in a pharmacy: people look, and those beside them. */
const venue: Life = (world, town, soldAt) => {
  const { rng } = world;
  const looks: Look[] = [];
  const { place, staff } = shopIn(world, town);
  const visitors = Math.floor(Math.max(2, Math.min(60, rng.lognormal(5, 0.7))));
  const days = rng.lognormal(12, 0.9);
  const isBar = rng.chance(0.6);
  const law = isBar ? IN_BARS : IN_SHOPS;
  for (let count = weighted(rng, [0, 1, 2], [0.4, 0.4, 0.2]); count > 0; count--)
    looks.push(look(clock(world, soldAt, town.lon, law), rng.pick(staff), place, 'staff'));
  for (let count = 0; count < visitors; count++) {
    const at = clock(world, soldAt + rng.between(0, days) * DAY, town.lon, law);
    looks.push(look(at, visitorTo(world, town), place, 'shop'));
    if (isBar && rng.chance(0.3))
      looks.push(look(at + rng.between(0.2, 15) * MINUTE, visitorTo(world, town), place, 'shop'));
  }
  return looks;
};

/** An owner without a fixed line who looks often. */
const mobile: Life = (world, town, soldAt) => {
  const { rng } = world;
  const looks: Look[] = [];
  const buyer = resident(world, town, { isMobileOnly: true });
  const { homeAt } = buy(world, looks, town, soldAt, { buyer, atHome: 0.8 });
  again(world, looks, buyer, homeAt, 0.6, 12, 4);
  if (rng.chance(0.3)) {
    const other = personAt(world, buyer.home, { isMobileOnly: true });
    const at = homeAt + rng.between(2, 300) * MINUTE;
    looks.push(look(at, other, buyer.home, 'home'));
    again(world, looks, other, at, 0.3);
  }
  return looks;
};

/** An owner who lives on a VPN and looks often. */
const vpn: Life = (world, town, soldAt) => {
  const { rng } = world;
  const looks: Look[] = [];
  const buyer = resident(world, town, { vpn: rng.pick([0.5, 0.8, 0.95]) });
  const { home } = buyer;
  const { homeAt } = buy(world, looks, town, soldAt, { buyer, atHome: 0.9 });
  again(world, looks, buyer, homeAt, 0.6, 14, 5);
  if (rng.chance(0.4)) looks.push(look(homeAt + rng.between(1, 240) * MINUTE, buyer, home, 'home'));
  if (rng.chance(0.35))
    looks.push(look(homeAt + rng.between(1, 600) * MINUTE, personAt(world, home), home, 'home'));
  return looks;
};

/** The link is forwarded to relatives and friends, who open it within minutes. */
const shared: Life = (world, town, soldAt) => {
  const { rng } = world;
  const looks: Look[] = [];
  const { buyer, homeAt } = buy(world, looks, town, soldAt, { atHome: 0.95 });
  for (let count = weighted(rng, [1, 2, 3, 4], [0.5, 0.3, 0.13, 0.07]); count > 0; count--) {
    const where = rng.next();
    const friend = resident(world, where < 0.45 ? town : otherTown(world, town, where > 0.86));
    const at = homeAt + rng.lognormal(35, 1.5) * MINUTE;
    looks.push(look(at, friend, friend.home, rng.pick(['home', 'home', 'out'])));
  }
  again(world, looks, buyer, homeAt);
  return looks;
};

const returned: Life = (world, town, soldAt) => {
  const { rng } = world;
  const looks: Look[] = [];
  const shop = shopIn(world, town);
  const here = { shop, online: 0, atHome: 0.9 };
  const first = buy(world, looks, town, soldAt, here);
  if (rng.chance(0.7)) {
    const at = clock(world, first.homeAt + rng.between(1, 14) * DAY, town.lon, IN_SHOPS, first.homeAt);
    looks.push(look(at, rng.pick(shop.staff), shop.place, 'staff'));
  }
  const second = buy(world, looks, town, first.homeAt + (15 + rng.exponential(25)) * DAY, here);
  again(world, looks, second.buyer, second.homeAt);
  return looks;
};

/** The buyer lives across the border. */
const border: Life = (world, town, soldAt) => {
  const across = neighbours(town);
  if (across.length === 0) return retail(world, town, soldAt);
  const looks: Look[] = [];
  const buyer = resident(world, world.rng.pick(across), {}, 0.1);
  const { homeAt } = buy(world, looks, town, soldAt, { buyer, atHome: 0.85, online: 0.05 });
  again(world, looks, buyer, homeAt, 0.2);
  return looks;
};

/** Passed around among colleagues. */
const office: Life = (world, town, soldAt) => {
  const { rng } = world;
  const looks: Look[] = [];
  const { buyer, homeAt } = buy(world, looks, town, soldAt, { atHome: 0.5 });
  const work: Place = workOf(world, buyer);
  const at = clock(world, homeAt + (1 + rng.exponential(5)) * DAY, town.lon, IN_SHOPS, homeAt);
  looks.push(look(at, buyer, work, 'work'));
  for (let count = weighted(rng, [1, 2, 3, 5, 7], [0.3, 0.3, 0.2, 0.12, 0.08]); count > 0; count--) {
    const then = rng.chance(0.7)
      ? at + rng.exponential(50) * MINUTE
      : clock(world, at + rng.exponential(4) * DAY, town.lon, IN_SHOPS, at);
    looks.push(look(then, resident(world, town), work, 'work'));
  }
  return looks;
};

/** The code itself is shown in a post or a video: nothing can tell this from copies. */
const posted: Life = (world, town, soldAt) => {
  const { rng } = world;
  const looks: Look[] = [];
  const { homeAt } = buy(world, looks, town, soldAt, { atHome: 1 });
  for (let count = rng.int(6, 45); count > 0; count--) {
    const viewer: Person = resident(world, otherTown(world, town, rng.chance(0.3)));
    const at = homeAt + rng.exponential(3) * DAY;
    looks.push(look(at, viewer, viewer.home, rng.pick(['home', 'out'])));
  }
  return looks;
};

const KINDS: readonly { kind: string; share: number; life: Life }[] = [
  { kind: 'retail', share: 0.7003, life: retail },
  { kind: 'household', share: 0.125, life: household },
  { kind: 'gift', share: 0.05, life: gift },
  { kind: 'mobile', share: 0.05, life: mobile },
  { kind: 'reseller', share: 0.016, life: reseller },
  { kind: 'traveller', share: 0.014, life: traveller },
  { kind: 'returned', share: 0.012, life: returned },
  { kind: 'office', share: 0.01, life: office },
  { kind: 'vpn', share: 0.0085, life: vpn },
  { kind: 'display', share: 0.0055, life: display },
  { kind: 'venue', share: 0.005, life: venue },
  { kind: 'shared', share: 0.0035, life: shared },
  { kind: 'posted', share: 0.0002, life: posted },
];
/** Of the units sold in a town of a border region. */
const BORDER_SHARE = 0.1;

export const someLife = ({ rng }: World) => rng.weighted(KINDS, ({ share }) => share);

/** The same, with those who shop across the border. */
export function someLifeIn(world: World, town: Town): { kind: string; life: Life } {
  const drawn = someLife(world);
  const isBorder = neighbours(town).length > 0 && world.rng.chance(BORDER_SHARE);
  return isBorder ? { kind: 'border', life: border } : drawn;
}
