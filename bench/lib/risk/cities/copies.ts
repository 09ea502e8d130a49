/** The code of a unit on many fakes, sold by one way of selling, fast or slowly; buyers of a few of them scan. */
import type { Random } from '../../../../sample-data/random.ts';
import { CITIES, cityIn, farFrom, homeNear, neighbourOf, offBy } from './atlas.ts';
import { choose, geometric } from './draws.ts';
import { DAY, MINUTE, type City, type Place, type Unit } from './model.ts';
import { daytime, personAt, visit, visits } from './people.ts';

type Way = 'city' | 'region' | 'country' | 'neighbours' | 'far' | 'online';

const WAY_SHARES: readonly (readonly [Way, number])[] = [
  ['city', 0.03],
  ['region', 0.03],
  ['country', 0.07],
  ['neighbours', 0.23],
  ['far', 0.2],
  ['online', 0.44],
];
/** Share of the copies whose fakes are sold within days or weeks. */
const FAST = 0.47;
const FEWEST_FAKES = 20;
const MOST_FAKES = 2000;
/** Below 1, it makes large runs of fakes likelier than small ones. */
const FAKES_SKEW = 0.65;
/** Buyers who scan before they buy. */
const SCANS_FIRST = 0.15;

export function copy(rng: Random, unit: Unit): void {
  const { trace, lot } = unit;
  const magnitude = Math.log(MOST_FAKES / FEWEST_FAKES) * rng.next() ** FAKES_SKEW;
  const fakes = Math.round(Math.exp(Math.log(FEWEST_FAKES) + magnitude));
  const scannedShare = rng.between(0.01, 0.1);
  const way = choose(rng, WAY_SHARES);
  const isFast = rng.chance(FAST);
  const buyersHome = homesOfBuyers(rng, way, unit.soldIn);
  const startsAt = lot.activatedAt + rng.between(20, 150) * DAY;
  const days = isFast ? rng.between(2, 21) : rng.between(90, 400);
  for (let fake = 1; fake <= fakes; fake++) {
    if (!rng.chance(scannedShare)) continue;
    const buyer = personAt(rng, buyersHome());
    // A fast sale is mostly over soon; what is left goes on the last day.
    const soldAfter = isFast ? Math.min(1, rng.exponential(0.4)) : rng.next();
    const at = daytime(rng, startsAt + soldAfter * days * DAY, buyer.home.lon);
    if (rng.chance(SCANS_FIRST))
      visit(rng, unit, buyer, at - rng.between(10, 60) * MINUTE, { network: 'mobile', fake });
    visits(rng, unit, buyer, at, 1 + geometric(rng, 0.86), { fake });
  }
  trace.copied = true;
  trace.kind = `copy-${way}-${isFast ? 'fast' : 'slow'}`;
}

/** Settles where the fakes are sold. @returns where the next buyer lives */
function homesOfBuyers(rng: Random, way: Way, soldIn: string): () => Place {
  const country =
    way === 'far' ? farFrom(rng, soldIn) : rng.chance(0.5) ? soldIn : neighbourOf(rng, soldIn, 1500);
  const city = cityIn(rng, country);
  const countries = [country, ...furtherCountries(rng, way, country)];
  const inOneOfThem = () => homeNear(rng, cityIn(rng, rng.pick(countries)));
  const homes: Record<Way, () => Place> = {
    city: () => offBy(rng, city, rng.exponential(15)),
    region: () => offBy(rng, city, rng.exponential(130)),
    country: inOneOfThem,
    neighbours: inOneOfThem,
    far: inOneOfThem,
    // All over the world, but the seller's country buys more.
    online: () => {
      const weightOf = (each: City) => each.weight * (each.country === country ? 4 : 1);
      return homeNear(rng, rng.weighted(CITIES, weightOf));
    },
  };
  return homes[way];
}

function furtherCountries(rng: Random, way: Way, country: string): string[] {
  if (way === 'neighbours') return [neighbourOf(rng, country, 1100), neighbourOf(rng, country, 1100)];
  return way === 'far' && rng.chance(0.75) ? [farFrom(rng, country)] : [];
}
