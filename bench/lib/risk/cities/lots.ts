/** Lots: for no market in particular, for one country, or for a group of countries; some are diverted in part or as a whole. */
import type { Random } from '../../../../sample-data/random.ts';
import { anyCountry, neighbourOf } from './atlas.ts';
import { DAY, START, WINDOW_DAYS, type Lot } from './model.ts';

const SMALLEST = 20;
const LARGEST = 300;
/** Shares of the lots that are for no market in particular, and for one country. */
const OPEN = 0.3;
const ONE_COUNTRY = 0.45;
/** Share of all lots; only those with markets can be. */
const DIVERTED = 0.05;
/** Every lot has at least so many days of the window to live in. */
const DAYS_TO_LIVE = 330;
const FACTORIES = ['DE', 'IT', 'FR', 'PL', 'TR', 'IN', 'TH', 'MX', 'US'];

export function makeLot(rng: Random, id: string): Lot {
  const main = anyCountry(rng);
  const size = rng.int(SMALLEST, LARGEST);
  const markets = someMarkets(rng, main);
  const activatedAt = START + rng.between(0, WINDOW_DAYS - DAYS_TO_LIVE) * DAY;
  const factory = rng.pick(FACTORIES);
  const isDiverted = markets.length > 0 && rng.chance(DIVERTED / (1 - OPEN));
  const diverted = isDiverted ? someDiversion(rng, main, markets) : null;
  return { id, size, markets, main, activatedAt, factory, diverted };
}

function someMarkets(rng: Random, main: string): string[] {
  const what = rng.next();
  if (what < OPEN) return [];
  if (what < OPEN + ONE_COUNTRY) return [main];
  const others = Array.from({ length: rng.int(2, 6) }, () => neighbourOf(rng, main, 900));
  return [...new Set([main, ...others])];
}

/** One or two countries that are none of the markets. */
function someDiversion(rng: Random, main: string, markets: readonly string[]): Lot['diverted'] {
  const countries: string[] = [];
  const wanted = rng.int(1, 2);
  // A lot for a large group of countries may find none.
  for (let tries = 0; countries.length < wanted && tries < 99; tries++) {
    const country = rng.chance(0.5) ? neighbourOf(rng, main, 1500) : anyCountry(rng);
    if (!markets.includes(country)) countries.push(country);
  }
  const share = rng.chance(0.4) ? 1 : rng.between(0.25, 0.9);
  return countries.length > 0 ? { countries, share } : null;
}
