/** People: where they live, by what networks they go, what becomes of their sessions, and whom one meets in a town. */
import { demandOf, kmBetween, placeIn, townsIn, TOWNS } from './atlas.ts';
import { weighted } from './draws.ts';
import { DAY, type Context, type Person, type Place, type Town, type World } from './model.ts';
import { carrierIn } from './networks.ts';
import { BUYING_POWER, MOBILE_ONLY, TOURISM, VPN_USE } from './tables.ts';

interface Habits {
  isMobileOnly?: boolean | undefined;
  /** Share of the scans through a VPN. */
  vpn?: number | undefined;
}

export function personAt(world: World, home: Place, habits: Habits = {}): Person {
  const { rng } = world;
  const { country } = home;
  const hidden = rng.next();
  const hiding = 0.75 * (VPN_USE[country] ?? 0.04);
  return {
    home,
    work: null,
    carrier: carrierIn(world, country),
    gps: rng.chance(0.13) ? rng.between(0.5, 1) : 0,
    vpn: habits.vpn ?? (hidden < 0.4 * hiding ? 0.95 : hidden < hiding ? 0.35 : 0),
    exits: null,
    exit: null,
    tunnel: null,
    hasRelay: rng.chance((BUYING_POWER[country] ?? 0) > 1.5 ? 0.05 : 0.02),
    isMobileOnly: habits.isMobileOnly ?? rng.chance(MOBILE_ONLY[country] ?? 0.07),
    isPrivate: rng.chance(0.04),
    refusesCookies: rng.chance(0.012),
    hasSecondDevice: rng.chance(0.25),
    churn: rng.chance(0.4) ? 0.35 : 0.1,
    sessions: new Map(),
    lease: null,
    trip: null,
    headquarters: null,
    last: null,
  };
}

/** Somebody who lives in the town or in the country around it. */
export const resident = (world: World, town: Town, habits: Habits = {}, rural = 0.25): Person =>
  personAt(world, placeIn(world, town, rural), habits);

/** So many others of the same home; most have its carrier. */
export function relatives(world: World, head: Person, count: number): Person[] {
  const { rng } = world;
  return Array.from({ length: count }, () => {
    const person = personAt(world, head.home, {
      isMobileOnly: rng.chance(0.7) ? head.isMobileOnly : undefined,
    });
    return rng.chance(0.6) ? Object.assign(person, { carrier: head.carrier }) : person;
  });
}

/** Null without cookies; lost by private windows, with time, and between a person's devices. */
export function sessionOf(world: World, who: Person, at: number, context: Context): string | null {
  const { rng } = world;
  const fresh = () => `ts${world.sessions++}`;
  if (who.refusesCookies || rng.chance(0.01)) return null;
  if (who.isPrivate && rng.chance(0.85)) return fresh();
  const isSecond = who.hasSecondDevice && context === 'home' && rng.chance(0.25);
  // The browser inside an app has cookies of its own.
  const device = (isSecond ? 1 : 0) + (rng.chance(0.04) ? 2 : 0);
  const known = who.sessions.get(device);
  const isLost = known === undefined || rng.chance(Math.abs(at - known.at) > 7 * DAY ? who.churn : 0.02);
  const id = isLost ? fresh() : known.id;
  who.sessions.set(device, { id, at });
  return id;
}

export function workOf(world: World, who: Person): Place {
  return (who.work ??= placeIn(world, who.home.town, 0.1));
}

const AFFLUENCE = TOWNS.map((town) => town.millions ** 0.7 * (BUYING_POWER[town.country] ?? 0.5) ** 1.3);
const ATTRACTION = TOWNS.map((town) => Math.sqrt(town.millions) * (TOURISM[town.name] ?? 0.5));
/** How much of the brand is bought in each town of the world. */
export const DEMAND: readonly number[] = demandOf(TOWNS);

/** Another town of the country (the same, where the table has no other), or of another country. */
export function otherTown({ rng }: World, origin: Town, isAbroad = false): Town {
  if (isAbroad) return foreignTown(() => weighted(rng, TOWNS, AFFLUENCE), origin);
  const towns = townsIn(origin.country).filter((town) => town !== origin);
  return towns.length === 0 ? origin : rng.weighted(towns, (town) => town.millions ** 0.8);
}

/** Where somebody of this town travels. */
export function travelTown({ rng }: World, origin: Town, isAbroad: boolean): Town {
  const towns = isAbroad ? [] : townsIn(origin.country).filter((town) => town !== origin);
  if (towns.length > 0)
    return rng.weighted(towns, (town) => Math.sqrt(town.millions) * (TOURISM[town.name] ?? 0.6));
  if (!rng.chance(0.55)) return foreignTown(() => weighted(rng, TOWNS, ATTRACTION), origin);
  const weights = TOWNS.map((town, index) =>
    town.country === origin.country ? 0 : ATTRACTION[index]! * Math.exp(-kmBetween(town, origin) / 1200),
  );
  return weighted(rng, TOWNS, weights);
}

function foreignTown(draw: () => Town, origin: Town): Town {
  for (;;) {
    const town = draw();
    if (town.country !== origin.country) return town;
  }
}

/** Somebody who comes by: from the town, from elsewhere in the country, or from abroad, from near countries more. */
export function visitorTo(world: World, town: Town): Person {
  const { rng } = world;
  const tourists = Math.min(0.45, 0.06 + 0.03 * (TOURISM[town.name] ?? 0.5));
  const from = rng.next();
  if (from < tourists * 0.55)
    return resident(world, rng.chance(0.5) ? travelTown(world, town, true) : otherTown(world, town, true));
  return resident(world, from < tourists ? otherTown(world, town) : town);
}
