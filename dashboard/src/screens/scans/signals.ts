/** The signals of a scan with their evidence, as `docs/risk.md` describes them; the API lets each be what it is. */
export interface PlaceEvidence {
  country: string | null;
  lat: number;
  lon: number;
  accuracyKm: number;
  at: string;
}

export interface ImpossibleTravel {
  type: 'impossible_travel';
  weight: number;
  from: PlaceEvidence;
  to: PlaceEvidence;
  distanceKm: number;
  adjustedKm: number;
  minutes: number;
  speedKmh: number;
  thresholdKmh: number;
}

export interface ClonePlace {
  country: string | null;
  lat: number;
  lon: number;
  visitors: number;
  firstAt: string;
  lastAt: string;
}

export interface Clone {
  type: 'clone';
  weight: number;
  reason: 'places' | 'not-shipped' | 'consumed' | 'confirmed';
  visitors: number;
  places: ClonePlace[];
  moves: number;
  evidence: number;
  threshold: number;
}

export interface ExcessiveScanning {
  type: 'excessive_scanning';
  weight: number;
  visitors: number;
  windowHours: number;
  threshold: number;
}

export interface Diversion {
  type: 'diversion';
  weight: number;
  country: string;
  markets: string[];
  counted: boolean;
  reason: 'outside-markets' | 'near-border' | 'seen-inside' | 'lot-inside' | 'unit-doubtful';
  visitorsInside: number;
  visitorsOutside: number;
  /** Absent from scans before lots were looked at. */
  lot?: { units: number; sameCountry: number } | null;
}

export type Signal = ImpossibleTravel | Clone | ExcessiveScanning | Diversion;

export const SIGNALS = ['impossible_travel', 'clone', 'excessive_scanning', 'diversion'] as const;

/** Those that this dashboard can tell. */
export const signalsOf = (scan: { risk: { signals: readonly { type: string }[] } }): Signal[] =>
  scan.risk.signals.filter(({ type }) => (SIGNALS as readonly string[]).includes(type)) as Signal[];
