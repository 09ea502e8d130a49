/** Rows of units and scans as the rules want them. */
import type { RiskScan, UnitContext } from '../risk/types.ts';
import type { ScannedUnitRow } from './repository.ts';
import type { UnscoredScanRow } from './scoring-repository.ts';

export function unitContext(
  unit: Pick<ScannedUnitRow, 'markets' | 'activated_at' | 'risk_state'>,
): UnitContext {
  return {
    markets: unit.markets,
    activatedAt: unit.activated_at?.getTime() ?? null,
    decision: unit.risk_state === 'confirmed' ? 'confirmed' : 'none',
  };
}

export function riskScan(row: UnscoredScanRow): RiskScan {
  return {
    scanId: row.id,
    at: row.at.getTime(),
    sessionId: row.session_id,
    networkId: row.network_id,
    place:
      row.country === null && row.lat === null
        ? null
        : {
            lat: row.lat,
            lon: row.lon,
            accuracyKm: row.accuracy_km,
            country: row.country,
            source: row.place_source ?? undefined,
          },
  };
}
