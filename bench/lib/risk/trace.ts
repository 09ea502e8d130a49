/** What a generator makes: units with their scans in order of time, and the truth about each. */
import type { RiskScan } from '../../../shared/risk/types.ts';

/** `fake` is the number of the fake that was scanned, 0 for the genuine unit. */
export type TraceScan = RiskScan & { fake: number };

export interface Trace {
  unitId: string;
  /** The lot that the unit was made and shipped with: same markets, activated together. */
  lotId: string;
  markets: string[];
  activatedAt: number;
  scans: TraceScan[];
  /** The code was copied. */
  copied: boolean;
  /** The unit belongs to the part of its lot that was sold outside its markets. */
  diverted: boolean;
  /** The unit's owner scanned it outside its markets: a tourist's purchase, a journey, a resale abroad. */
  abroad: boolean;
  /** Kind of life, for looking at mistakes. */
  kind: string;
}

export type Generator = (seed: number, units: number) => Trace[];

/** Puts a unit's scans in order and numbers them. */
export function finish(trace: Trace): Trace {
  trace.scans.sort((a, b) => a.at - b.at || a.fake - b.fake);
  trace.scans.forEach((scan, index) => {
    scan.scanId = `${trace.unitId}.${index}`;
  });
  return trace;
}

/** Whether a country is none of the markets; no markets means everywhere. */
export function outside(markets: readonly string[], country: string): boolean {
  return markets.length > 0 && !markets.includes(country);
}

/** Fakes that were scanned at least once. */
export function fakesScanned(trace: Trace): number {
  return new Set(trace.scans.filter((scan) => scan.fake > 0).map((scan) => scan.fake)).size;
}
