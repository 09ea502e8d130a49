/** The words of the fourth generator: towns, places, people and what they scan. Times are milliseconds since the epoch. */
import type { Random } from '../../../../sample-data/random.ts';
import type { PlaceSource } from '../../../../shared/risk/types.ts';

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const MINUTE = 60_000;
/** Nothing is scanned before the start or after the end. */
export const START = Date.UTC(2024, 0, 1);
export const END = START + 640 * DAY;

export interface Spot {
  lat: number;
  lon: number;
}

export interface Town extends Spot {
  name: string;
  country: string;
  /** Inhabitants. */
  millions: number;
}

/** Where a database puts an address, and the radius that it states. */
export interface Sighting extends Spot {
  accuracyKm: number;
}

/** What a scan is told of its place. */
export interface Report extends Sighting {
  country: string;
  source: PlaceSource;
}

/** A home, a shop, an office: where it truly is, and its fixed line. */
export interface Place extends Spot {
  country: string;
  town: Town;
  line: (Period & { seen: Sighting }) | null;
}

export interface Period {
  from: number;
  until: number;
}

export interface Carrier {
  country: string;
  gateways: readonly Town[];
  /** Share of its addresses that the databases put at a gateway. */
  atGateway: number;
  /** By town: where its address pools there are put. */
  pools: Map<string, Sighting[]>;
}

export interface Person {
  home: Place;
  work: Place | null;
  carrier: Carrier;
  /** Share of the scans with the browser's position, and of those through a VPN. */
  gps: number;
  vpn: number;
  exits: readonly Town[] | null;
  exit: Town | null;
  /** Whether the VPN was on when last asked, since when, and where it left. */
  tunnel: { at: number; isOn: boolean; report: Report | null } | null;
  hasRelay: boolean;
  isMobileOnly: boolean;
  isPrivate: boolean;
  refusesCookies: boolean;
  hasSecondDevice: boolean;
  /** Chance that a week away loses the session. */
  churn: number;
  /** By device. */
  sessions: Map<number, { id: string; at: number }>;
  lease: (Period & { carrier: Carrier; seen: Sighting; spot: Spot }) | null;
  /** By whose network this person goes in a country that is not theirs. */
  trip: { country: string; carrier: Carrier; isRoaming: boolean } | null;
  headquarters: Town | null;
  last: { at: number; place: Place; report: Report } | null;
}

export interface Shop {
  place: Place;
  staff: readonly Person[];
}

export type Context = 'home' | 'shop' | 'staff' | 'out' | 'hotel' | 'work';

/** Somebody looks at an object; `fake` as in a trace. */
export interface Look {
  at: number;
  who: Person;
  place: Place;
  context: Context;
  fake: number;
}

/** Units made for the same markets, activated together, sent to some towns. */
export interface Lot {
  id: string;
  markets: string[];
  activatedAt: number;
  towns: readonly Town[];
  demand: readonly number[];
  /** Units of it that are still to be scanned. */
  left: number;
  /** The part that is sold elsewhere, and where. */
  diverted: { share: number; towns: readonly Town[]; demand: readonly number[] } | null;
  /** The distributor's warehouse. */
  hub: Place;
  /** Median of the days until a unit is sold. */
  daysOnShelf: number;
}

export interface World {
  rng: Random;
  /** Sessions given out so far. */
  sessions: number;
  /** By country. */
  carriers: Map<string, readonly Carrier[]>;
  /** By town. */
  shops: Map<string, Shop[]>;
}
