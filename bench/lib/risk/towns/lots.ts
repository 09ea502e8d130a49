/** Lots: where they are meant to be sold, where they are, and what of them goes astray. */
import { COUNTRIES, demandOf, nearest, placeIn, townsIn, TOWNS } from './atlas.ts';
import { sample, shuffled, weighted } from './draws.ts';
import { HOUR, START, type Lot, type Place, type Town, type World } from './model.ts';
import { CHEAP_MARKETS, DEAR_COUNTRIES, MARKETS } from './tables.ts';

/** Scanned units of a lot in the mean. */
const UNITS_PER_LOT = 200;
const DIVERTED_LOTS = 0.04;

const countriesOf = (markets: string): string[] => (markets === '' ? [] : markets.split(' '));

/** As many lots as units need, in any order. */
export function makeLots(world: World, units: number): Lot[] {
  const { rng } = world;
  const count = Math.max(3, Math.round(units / UNITS_PER_LOT));
  const diverted = Math.max(count >= 20 ? 2 : 1, Math.round(count * DIVERTED_LOTS));
  const sizes = Array.from({ length: count }, () => rng.lognormal(1, 0.7));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const lots = sizes.map((size, index) =>
    makeLot(world, `tl${index}`, Math.max(5, Math.round((size / total) * units)), index < diverted),
  );
  return shuffled(rng, lots);
}

function makeLot(world: World, id: string, left: number, isDiverted: boolean): Lot {
  const { rng } = world;
  const markets = countriesOf(
    isDiverted ? rng.pick(CHEAP_MARKETS) : rng.weighted(MARKETS, ([, weight]) => weight)[0],
  );
  const activatedAt = START + Math.floor(rng.between(0, 470 * 24)) * HOUR;
  const towns = suppliedTowns(world, markets);
  return {
    id,
    markets,
    activatedAt,
    towns,
    demand: demandOf(towns),
    left,
    diverted: isDiverted ? divert(world, markets) : null,
    hub: hubFor(world, towns),
    daysOnShelf: rng.lognormal(45, 0.5),
  };
}

/** A lot goes to some towns of its markets; in big ones a fifth of them whatever they buy. */
function suppliedTowns({ rng }: World, markets: readonly string[]): Town[] {
  const all = (markets.length === 0 ? COUNTRIES : markets).flatMap(townsIn);
  const demand = demandOf(all);
  const count = Math.min(all.length, rng.pick([3, 6, 10, 20, 40]));
  const chosen = new Set<Town>();
  while (chosen.size < count) {
    const byDemand = chosen.size < count * 0.8 || count < 5;
    chosen.add(byDemand ? weighted(rng, all, demand) : rng.pick(all));
  }
  return all.filter((town) => chosen.has(town));
}

/** A part of it, or all, is sold in one to three countries where it is dearer. */
function divert({ rng }: World, markets: readonly string[]): Lot['diverted'] {
  const share = rng.pick([0.12, 0.25, 0.4, 0.6, 0.85, 1, 1]);
  const countries: string[] = [];
  while (countries.length < rng.pick([1, 1, 2, 3])) {
    const country = rng.pick(DEAR_COUNTRIES);
    if (!markets.includes(country) && !countries.includes(country)) countries.push(country);
  }
  const towns = sample(rng, countries.flatMap(townsIn), rng.pick([2, 4, 8]));
  return { share, towns, demand: demandOf(towns) };
}

/** The distributor's warehouse is by one of the lot's towns, or somewhere in that part of the world. */
function hubFor(world: World, towns: readonly Town[]): Place {
  const { rng } = world;
  return rng.chance(0.2)
    ? placeIn(world, nearest(sample(rng, TOWNS, 12), towns[0]!), 0.3)
    : placeIn(world, rng.pick(towns), 0.4);
}
