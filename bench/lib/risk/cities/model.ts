/** The words of the fifth generator: places, people, lots and units. Times are milliseconds since the epoch. */
import type { Trace } from '../trace.ts';

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const MINUTE = 60_000;
/** Nobody comes to scan before the start or after the end. */
export const START = Date.UTC(2024, 0, 1);
export const WINDOW_DAYS = 820;
export const END = START + WINDOW_DAYS * DAY;

export interface Spot {
  lat: number;
  lon: number;
}

/** Where somebody truly is. Two places are the same only if they are the same object. */
export interface Place extends Spot {
  country: string;
}

export interface City extends Place {
  name: string;
  /** How many of the buyers live there, beside the other cities. */
  weight: number;
}

/** What the database of addresses says of a network. */
export interface Sighting extends Place {
  accuracyKm: number;
}

export type Line = 'fixed' | 'mobile';
export type Network = Line | 'vpn';

/** A line as last used: where, when, and where the database put it. */
export interface Use {
  place: Place;
  at: number;
  seen: Sighting;
}

export interface Person {
  home: Place;
  hasVpn: boolean;
  /** Chance that a scan at home goes by the mobile network, until one did. */
  mobileChance: number;
  /** Where the VPN usually leaves, once it was used. */
  exit: City | null;
  lines: Record<Line, Use | null>;
  session: { id: string; lastAt: number } | null;
}

/** Units made for the same markets and activated together. */
export interface Lot {
  id: string;
  size: number;
  markets: string[];
  /** The first of its markets, or where most of it is sold. */
  main: string;
  activatedAt: number;
  factory: string;
  /** The part of it that is sold elsewhere, and where. */
  diverted: { countries: readonly string[]; share: number } | null;
}

export interface Unit {
  trace: Trace;
  lot: Lot;
  soldIn: string;
  wasOnVpn: boolean;
}
