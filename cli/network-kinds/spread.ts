/**
 * How the city database spreads the addresses of one network: whether it knows where they are or has put them in a heap. A line's
 * position is good to some kilometres only where the database has looked at it: SoftBank's 38 million addresses are 94% at one point
 * of Tokyo, and no radius of 16 km holds for them, whatever the technology.
 */
import { distanceKm } from '../../shared/risk/geo.ts';

export interface Spot {
  readonly country: string;
  readonly lat: number;
  readonly lon: number;
}

/** A network's sample: places of addresses at even steps, and of the address next to each (the next /24; the next /48 in IPv6). */
export type Sample = readonly (readonly [Spot | null, Spot | null])[];

export interface Spread {
  /** Where most of the addresses are. */
  readonly country: string;
  /** The commonest place. */
  readonly centre: Spot;
  /** Share of the addresses within 100 km of it. */
  readonly local: number;
  /** Places that hold far more of the addresses than any other: there the database has guessed. */
  readonly heaps: readonly Spot[];
  /** Share of the addresses that are in the country and in no heap. */
  readonly known: number;
  /** How many places of equal weight these would be (2 to the entropy). */
  readonly places: number;
  /** Share of neighbouring pairs whose places differ. */
  readonly cut: number;
}

const LOCAL_KM = 100;

export function spreadOf(sample: Sample): Spread | null {
  const spots = sample.map(([spot]) => spot).filter((spot) => spot !== null);
  if (spots.length === 0) return null;
  const [{ key: country }] = tally(spots, (spot) => spot.country) as [Tally];
  const places = tally(
    spots.filter((spot) => spot.country === country),
    placeKey,
  );
  const centre = places[0]!.first;
  const near = spots.filter((spot) => kmBetween(spot, centre) <= LOCAL_KM);
  const lastHeap = places.findLastIndex(({ count }, index) => {
    const share = count / spots.length;
    return share >= 0.15 || (share >= 0.08 && count >= 3 * (places[index + 1]?.count ?? 0));
  });
  const heaps = places.slice(0, lastHeap + 1);
  const others = places.slice(lastHeap + 1);
  const known = others.reduce((sum, { count }) => sum + count, 0);
  const entropy = others.reduce((sum, { count }) => sum - (count / known) * Math.log2(count / known), 0);
  const pairs = sample.filter(([one, two]) => one !== null && two !== null);
  const differing = pairs.filter(([one, two]) => placeKey(one!) !== placeKey(two!));
  return {
    country,
    centre,
    local: near.length / spots.length,
    heaps: heaps.map(({ first }) => first),
    known: known / spots.length,
    places: 2 ** entropy,
    cut: pairs.length === 0 ? 0 : differing.length / pairs.length,
  };
}

/** IPv4 addresses of the largest network that may be one town's: a national one that is all in the capital is a heap. */
const LARGEST_LOCAL = 2 ** 17;

/**
 * Where a small provider is one of lines: half of Brazil's are thousands of regional providers' (Anatel counts them as
 * "prestadoras de pequeno porte"), and its telephones are those of a handful of operators, all in the tables.
 */
const COUNTRIES_OF_REGIONAL_LINES: ReadonlySet<string> = new Set(['BR']);
const LARGEST_REGIONAL = 2 ** 15;

export const isLocal = ({ local }: Spread): boolean => local >= 0.9;

export const mayBeRegional = (country: string | undefined, size: number): boolean =>
  country !== undefined && COUNTRIES_OF_REGIONAL_LINES.has(country) && size <= LARGEST_REGIONAL;

/**
 * Whether the database knows where the network's lines are: a small network within 100 km, or one cut into many places. IPv6
 * addresses in one town count only where the IPv4 addresses are in that town: of two national providers in three the
 * database has all of IPv6 at one point.
 * @param size the network's IPv4 addresses
 * @param ipv4 the spread of these, where it is IPv6 that is looked at
 * @returns the heaps, whose addresses are not known; null when none are.
 */
export function knownPlaces(spread: Spread, size: number, ipv4?: Spread | null): readonly Spot[] | null {
  if (isLocal(spread)) {
    const isOneTown = !ipv4 || (isLocal(ipv4) && kmBetween(ipv4.centre, spread.centre) <= LOCAL_KM);
    if (!isOneTown) return null;
    if (size <= LARGEST_LOCAL) return [];
  }
  const isCut = spread.places >= 12 && (spread.cut >= 0.25 || spread.places >= 20);
  return spread.known >= 0.3 && isCut ? spread.heaps : null;
}

const kmBetween = (a: Spot, b: Spot): number => distanceKm(a.lat, a.lon, b.lat, b.lon);

interface Tally {
  key: string;
  count: number;
  first: Spot;
}

function tally(spots: readonly Spot[], keyOf: (spot: Spot) => string): Tally[] {
  const byKey = new Map<string, Tally>();
  for (const spot of spots) {
    const key = keyOf(spot);
    const entry = byKey.get(key) ?? { key, count: 0, first: spot };
    entry.count += 1;
    byKey.set(key, entry);
  }
  return [...byKey.values()].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
}

export const placeKey = ({ lat, lon }: { lat: number; lon: number }): string => `${lat},${lon}`;
