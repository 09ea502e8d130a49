/** People, and what a scan of theirs looks like from the server. */
import type { Random } from '../../../../sample-data/random.ts';
import type { TraceScan } from '../trace.ts';
import { offBy } from './atlas.ts';
import { geometric, hex } from './draws.ts';
import {
  DAY,
  END,
  HOUR,
  MINUTE,
  START,
  type Line,
  type Network,
  type Person,
  type Place,
  type Sighting,
  type Unit,
} from './model.ts';
import { addressAt, vpnExit } from './networks.ts';

/** Share of the people with a VPN, and of their scans for which it is on. */
const HAS_VPN = 0.04;
const VPN_IS_ON = 0.5;
/** Mean chance that a first scan at home goes by the mobile network, its deviation, and the chance elsewhere. */
const MOBILE_AT_HOME = 0.55;
const MOBILE_DEVIATION = 0.25;
const MOBILE_AWAY = 0.8;
/** Chances that a line has kept its address; a mobile one's is higher for a while. */
const KEEPS_FIXED = 0.9;
const KEEPS_MOBILE_SOON = 0.75;
const KEEPS_MOBILE = 0.6;
const SOON = 2 * DAY;
/** Scans of which nobody knows the place. */
const NO_PLACE = 0.025;
/** A session lasts this long, and after that with this chance, if the cookie was kept. */
const SESSION = 30 * MINUTE;
const KEEPS_COOKIE = 0.5;
/** Visits in which the page is loaded again. */
const RELOADS = 0.1;
/** Visits of the same person that follow within minutes; the others are weeks apart. */
const FOLLOWS_AT_ONCE = 0.45;

/** How somebody scans: somewhere else than at home, by a network that is known, or a fake of that number. */
export interface Circumstances {
  place?: Place;
  network?: Network;
  fake?: number;
}

export function personAt(rng: Random, home: Place): Person {
  const hasVpn = rng.chance(HAS_VPN);
  const mobileChance = Math.min(0.95, Math.max(0.05, MOBILE_AT_HOME + MOBILE_DEVIATION * rng.normal()));
  return { home, hasVpn, mobileChance, exit: null, lines: { fixed: null, mobile: null }, session: null };
}

/** Somebody who works there, on the house's line. */
export function staffAt(place: Place): Person {
  return {
    home: place,
    hasVpn: false,
    mobileChance: 0,
    exit: null,
    lines: { fixed: null, mobile: null },
    session: null,
  };
}

/** Who buys in a shop lives around it. */
export function buyerAt(rng: Random, shop: Place): Person {
  return personAt(rng, offBy(rng, shop, rng.exponential(12)));
}

/** A moment of that day when people are awake at that longitude. */
export function daytime(rng: Random, at: number, lon: number): number {
  const hour = Math.min(23.5, Math.max(6, 15 + 4 * rng.normal()));
  return Math.floor(at / DAY) * DAY + (hour - lon / 15) * HOUR;
}

export function isVpnOn(rng: Random, who: Person): boolean {
  return who.hasVpn && rng.chance(VPN_IS_ON);
}

/** One scan by a person, sometimes with reloads in the same session. */
export function visit(rng: Random, unit: Unit, who: Person, at: number, how: Circumstances = {}): void {
  if (at < START || at > END) return;
  const place = how.place ?? who.home;
  const network = how.network ?? someNetwork(rng, who, place);
  if (network === 'vpn') unit.wasOnVpn = true;
  const seen = network === 'vpn' ? vpnExit(rng, who) : seenOn(rng, who, network, place, at);
  const told = rng.chance(NO_PLACE) ? null : rounded(seen);
  const sessionId = sessionOf(rng, who, at);
  const scans = 1 + (rng.chance(RELOADS) ? 1 + geometric(rng, 0.75) : 0);
  let moment = at;
  for (let n = 0; n < scans; n++) {
    unit.trace.scans.push(scan(moment, sessionId, told, how.fake ?? 0));
    moment += rng.between(5, 240) * 1000;
  }
  who.session = { id: sessionId, lastAt: moment };
}

/** So many visits of a person who has the unit for a while, minutes to months apart. */
export function visits(
  rng: Random,
  unit: Unit,
  who: Person,
  since: number,
  times: number,
  how: Circumstances = {},
): void {
  let at = since;
  for (let n = 0; n < times; n++) {
    visit(rng, unit, who, at, how);
    at = rng.chance(FOLLOWS_AT_ONCE)
      ? at + rng.lognormal(12, 1.2) * MINUTE
      : daytime(rng, at + rng.lognormal(25, 1.3) * DAY, who.home.lon);
  }
}

function someNetwork(rng: Random, who: Person, place: Place): Network {
  if (isVpnOn(rng, who)) return 'vpn';
  // Who was seen on the mobile network once is on the fixed line at home from then on.
  const mobileAtHome = who.lines.mobile === null ? who.mobileChance : 0;
  return rng.chance(place === who.home ? mobileAtHome : MOBILE_AWAY) ? 'mobile' : 'fixed';
}

/** Where the line's address is put: the one of last time in the same place, or a new one. */
function seenOn(rng: Random, who: Person, line: Line, place: Place, at: number): Sighting {
  const last = who.lines[line];
  const keeps = last !== null && last.place === place && rng.chance(chanceToKeep(line, at - last.at));
  const seen = keeps ? last.seen : addressAt(rng, line, place);
  who.lines[line] = { place, at, seen };
  return seen;
}

function chanceToKeep(line: Line, since: number): number {
  if (line === 'fixed') return KEEPS_FIXED;
  return Math.abs(since) < SOON ? KEEPS_MOBILE_SOON : KEEPS_MOBILE;
}

function sessionOf(rng: Random, who: Person, at: number): string {
  const { session } = who;
  if (session !== null && (Math.abs(at - session.lastAt) < SESSION || rng.chance(KEEPS_COOKIE)))
    return session.id;
  return hex(rng, 16);
}

function scan(at: number, sessionId: string, seen: Sighting | null, fake: number): TraceScan {
  return {
    scanId: '',
    at: Math.round(at),
    sessionId,
    networkId: null,
    place: seen === null ? null : { ...seen },
    fake,
  };
}

/** To some ten metres. */
function rounded({ lat, lon, country, accuracyKm }: Sighting): Sighting {
  return { lat: Math.round(lat * 1e4) / 1e4, lon: Math.round(lon * 1e4) / 1e4, country, accuracyKm };
}
