/** Scans for the risk tests: one place per name, time in hours after a fixed start. */
import { DEFAULT_POLICY } from '../../../shared/risk/policy.ts';
import { rescore } from '../../../shared/risk/score.ts';
import type { RiskPlace, RiskScan, UnitContext } from '../../../shared/risk/types.ts';

export const START = Date.UTC(2026, 0, 1);
export const HOUR = 3_600_000;
export const ANYWHERE: UnitContext = { markets: [], activatedAt: START };

export const PLACES = {
  paris: { lat: 48.86, lon: 2.35, accuracyKm: 10, country: 'FR' },
  parisMobile: { lat: 49.9, lon: 4.1, accuracyKm: 200, country: 'FR' },
  lyon: { lat: 45.76, lon: 4.84, accuracyKm: 10, country: 'FR' },
  berlin: { lat: 52.52, lon: 13.4, accuracyKm: 10, country: 'DE' },
  strasbourgMobile: { lat: 48.6, lon: 7.95, accuracyKm: 100, country: 'DE' },
  newYork: { lat: 40.71, lon: -74.01, accuracyKm: 15, country: 'US' },
  tokyo: { lat: 35.68, lon: 139.69, accuracyKm: 15, country: 'JP' },
  osaka: { lat: 34.69, lon: 135.5, accuracyKm: 15, country: 'JP' },
  munich: { lat: 48.14, lon: 11.58, accuracyKm: 10, country: 'DE' },
  rome: { lat: 41.9, lon: 12.5, accuracyKm: 10, country: 'IT' },
  toronto: { lat: 43.65, lon: -79.38, accuracyKm: 15, country: 'CA' },
  rio: { lat: -22.9, lon: -43.2, accuracyKm: 15, country: 'BR' },
  singapore: { lat: 1.35, lon: 103.82, accuracyKm: 15, country: 'SG' },
  lagos: { lat: 6.52, lon: 3.38, accuracyKm: 15, country: 'NG' },
} satisfies Record<string, RiskPlace>;

let count = 0;

export function scanAt(
  hours: number,
  place: keyof typeof PLACES | null,
  sessionId: string | null,
  networkId: string | null = null,
): RiskScan {
  return {
    scanId: `scan-${String(count++).padStart(6, '0')}`,
    at: START + hours * HOUR,
    sessionId,
    networkId,
    place: place === null ? null : PLACES[place],
  };
}

/** The assessment of the last scan. */
export function last(history: RiskScan[], context: UnitContext = ANYWHERE, policy = DEFAULT_POLICY) {
  return rescore(history, context, policy).assessments.at(-1)!;
}
