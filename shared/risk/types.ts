/**
 * The words in which scans and their risk are spoken of. Everything here is plain JSON, so that a profile can be
 * stored beside its unit and a signal can be sent in a webhook as it is.
 */

import type { Audience } from './audience.ts';
import type { Hindsight, Look } from './hindsight.ts';
import type { LotSightings } from './lot.ts';
import type { Peers } from './peers.ts';

/**
 * Where a position came from: `gps` is the browser's own, added with the visitor's consent; `ip` is of a network of unknown kind. `ip-mobile`
 * and `ip` are wrong by hundreds of kilometres as a matter of course.
 */
export const PLACE_SOURCES = ['gps', 'ip', 'ip-fixed', 'ip-mobile'] as const;
export type PlaceSource = (typeof PLACE_SOURCES)[number];

/** A scan's place. A country may be known without coordinates; then no rule that measures distance looks at it. */
export interface RiskPlace {
  lat: number | null;
  lon: number | null;
  /** Radius in kilometres within which the true position lies about half of the time or more; null is taken for `UNTOLD_ACCURACY_KM`. */
  accuracyKm: number | null;
  /** ISO 3166-1 alpha-2, upper-case. */
  country: string | null;
  source?: PlaceSource | undefined;
}

/** What the rules look at in a scan. */
export interface ScanFacts {
  /** Milliseconds since the epoch. */
  at: number;
  /** The visitor's first-party session; null where cookies are refused. */
  sessionId: string | null;
  /** Keyed hash of the address's prefix; null where unknown. One network counts as one visitor. */
  networkId: string | null;
  place: RiskPlace | null;
}

export interface RiskScan extends ScanFacts {
  scanId: string;
}

/** What is known of the unit apart from its scans. Times are milliseconds since the epoch. */
export interface UnitContext {
  /** Of its consignment, else its batch, else its product. ISO 3166-1 alpha-2, upper-case; empty means everywhere. */
  markets: readonly string[];
  activatedAt: number | null;
  /** `untracked` without a consignment; `shipped` from the dispatch on, but for a unit that did not arrive. */
  shipment?: 'untracked' | 'not-shipped' | 'shipped' | undefined;
  consumedAt?: number | null | undefined;
  /** Time of the scan with which more visitors had entered the code below the package's layer than one package explains. */
  hiddenCodeReusedAt?: number | null | undefined;
  /** Time of the scan with which more visitors had come with used taps of the package's NFC tag than one package explains. */
  nfcTapReplayedAt?: number | null | undefined;
  /** A person's decision on the unit; rules never overwrite it. */
  decision?: 'none' | 'dismissed' | 'confirmed' | undefined;
  decidedAt?: number | null | undefined;
  /** When people put the unit under suspicion, and when they dismissed it, by turns, in order. */
  raisedAt?: readonly number[] | undefined;
  /** Where the other units of its lot were first seen; without it, a scan outside the markets is judged by itself. */
  lot?: LotSightings | null | undefined;
  /** Where other units of its markets were first seen, of whatever lot: looked at while the lot has no say. */
  peers?: Peers | null | undefined;
  /** How many people the organization's units meet, and how often these are known again; without it, a typical organization's is taken. */
  audience?: Audience | null | undefined;
  /** What the organization's history says of units that look alike; without it, the rules have the only word. */
  hindsight?: Hindsight | null | undefined;
}

/** One end of a journey, as shown to people. */
export interface PlaceEvidence {
  country: string | null;
  lat: number;
  lon: number;
  accuracyKm: number;
  /** ISO 8601 UTC. */
  at: string;
}

interface SignalBase {
  /** How much of the score this signal brought, 0–100. */
  weight: number;
}

/** Two visitors too far apart for the time between them. */
export interface ImpossibleTravelSignal extends SignalBase {
  type: 'impossible_travel';
  from: PlaceEvidence;
  to: PlaceEvidence;
  distanceKm: number;
  /** Distance that remains when both uncertainty radii are taken off. */
  adjustedKm: number;
  minutes: number;
  speedKmh: number;
  thresholdKmh: number;
}

/** More visitors in places and times than one object can join. */
export interface CloneSignal extends SignalBase {
  type: 'clone';
  reason: 'places' | 'not-shipped' | 'consumed' | 'hidden-code' | 'nfc-tap' | 'confirmed';
  visitors: number;
  /** The places, those with most visitors first; at most five. */
  places: {
    country: string | null;
    lat: number;
    lon: number;
    visitors: number;
    firstAt: string;
    lastAt: string;
  }[];
  /** The cheapest honest story: how often the object would have changed hands and place. */
  moves: number;
  /** Natural logarithm of how much likelier copies are than one object, and the limit of the policy. */
  evidence: number;
  threshold: number;
  /** Share of the organization's units that had looked like this one and turned out to be copied, 0 to 1; absent where that has no say. */
  turnedOut?: number;
}

export interface ExcessiveScanningSignal extends SignalBase {
  type: 'excessive_scanning';
  visitors: number;
  windowHours: number;
  threshold: number;
}

export interface DiversionSignal extends SignalBase {
  type: 'diversion';
  country: string;
  markets: string[];
  /** False when the signal is told but does not make the verdict, with the reason. */
  counted: boolean;
  reason: 'outside-markets' | 'near-border' | 'seen-inside' | 'lot-inside' | 'unit-doubtful';
  visitorsInside: number;
  visitorsOutside: number;
  /**
   * Other units that were seen, of its lot or, where too few of that were, of its markets; and those of them first seen in this
   * country. Null where none is known.
   */
  lot: { among: 'lot' | 'markets'; units: number; sameCountry: number } | null;
}

export type RiskSignal = ImpossibleTravelSignal | CloneSignal | ExcessiveScanningSignal | DiversionSignal;

export const RISK_LEVELS = ['none', 'low', 'medium', 'high'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];
export type RiskVerdict = 'clear' | 'suspicious' | 'diverted';

export interface RiskAssessment {
  profile: RiskProfile;
  /** Whole number, 0–100: how far the evidence speaks for a copied code (diversion alone stays below suspicion). */
  score: number;
  /** The same without what speaks for a diversion: the verdict is `suspicious` from `thresholds.suspicious` on. */
  copyScore: number;
  level: RiskLevel;
  verdict: RiskVerdict;
  signals: RiskSignal[];
  /** How the unit looks with a new visitor, for those that come after; null with one who was known, and where it says nothing. */
  look: Look | null;
}

/** A short hash of a session or a network, '' where unknown. A number in profiles that never leave their process: that is read and compared faster. */
export type VisitorKey = string | number;

/**
 * Somebody who scanned: hashed session and network ('' where unknown), the place's id (-1 without one), first seen in minutes since the
 * epoch, and where they looked again, how many minutes after that they did last, and the same in the same session; 1 where they came
 * from within the markets to where they were seen last.
 */
export type Visitor = readonly [
  session: VisitorKey,
  network: VisitorKey,
  placeId: number,
  firstMinute: number,
  lookedAgainAfter?: number,
  inSessionAfter?: number,
  fromInside?: 1,
];

/** A neighbourhood in which the unit was seen, and the cheapest honest story that ends with the object there. */
export interface KnownPlace {
  id: number;
  lat: number;
  lon: number;
  accuracyKm: number;
  /** Seen from networks of unknown kind, a line's or a telephone's, and from no known one more exactly (see position-error.ts). */
  ofUnknownKind?: true | undefined;
  country: string | null;
  visitors: number;
  /** Minutes since the epoch. */
  first: number;
  last: number;
  /** How many nats the story is dearer than the cheapest one. */
  cost: number;
  /** How often the object changed place in the story, and when it came here (minutes since the epoch). */
  moves: number;
  since: number;
  /** Id of the place it came from, -1 for none: an excursion may end where it began. */
  via: number;
}

/** The newest position at one place: compared with the next ones for impossible travel. */
export interface Fix {
  placeId: number;
  lat: number;
  lon: number;
  accuracyKm: number;
  country: string | null;
  /** Milliseconds since the epoch. */
  at: number;
}

/** A scan's position, as the story takes it. */
export interface Position extends Fix {
  /** The kind of its network is unknown: a line's or a telephone's. */
  ofUnknownKind: boolean;
}

/** An impossible journey that still speaks against the scans of whoever made it. */
export interface Jump {
  /** Hashed session and network of who made it, '' where unknown; absent in profiles of before, whose journeys speak no more. */
  visitor?: readonly [session: VisitorKey, network: VisitorKey] | undefined;
  from: Fix;
  to: Fix;
  distanceKm: number;
  adjustedKm: number;
  speedKmh: number;
  /** Evidence beyond that of a wrong position alone. */
  nats: number;
}

/** How far the visitors speak for copies sold far and wide, in one region, or at a few outlets, in nats; negative for one object. */
export interface Evidence {
  far: number;
  near: number;
  /** Absent in profiles of before. */
  outlets?: number | undefined;
}

/** All that the rules remember of a unit: plain JSON, at most 5 KB however many scans there were. */
export interface RiskProfile {
  version: 1;
  /** Distinct visitors counted so far; those inside and outside the markets (near a border: a third). */
  visitors: number;
  inside: number;
  outside: number;
  /**
   * Visitors when a person found no copy, of whom those abroad speak for none since: inside and outside the markets, in the country
   * with most of them and elsewhere. Absent without a dismissal.
   */
  forgiven?: { inside: number; outside: number; most: number; elsewhere: number };
  /** By which markets those inside and outside were counted (`keyOfMarkets`). Absent in profiles of before, whose markets are taken to be the same. */
  countedBy?: string;
  /** Newest suspicious scan, milliseconds since the epoch; absent without one. */
  suspectedAt?: number;
  /** Once the rules alone were sure of a copied code, and nobody has found no copy since. */
  turned?: true | undefined;
  /** Where the unit counts in its lot: the country outside its markets in which it was first seen, null for inside; absent before. */
  seenIn?: string | null;
  /** Newest scan, milliseconds since the epoch. */
  lastAt: number;
  nextPlaceId: number;
  recent: Visitor[];
  places: KnownPlace[];
  evidence: Evidence;
  fixes: Fix[];
  jump: Jump | null;
  /** Time of the dismissal that this profile already takes into account. */
  dismissedAt: number | null;
}
