/** Rows of units and scans as the rules want them, and back. */
import type { Audience } from '../risk/audience.ts';
import { othersOf, type LotSightings } from '../risk/lot.ts';
import type { RiskProfile, RiskScan, RiskSignal, RiskVerdict, UnitContext } from '../risk/types.ts';
import type { AudienceColumns } from './audience-repository.ts';
import type { ScannedUnitRow } from './repository.ts';
import type { LotColumns } from './lot-repository.ts';
import type { ScanPlaceRow } from './scoring-repository.ts';

/** A batch's sightings, those of this unit included. */
export const lotOf = (row: LotColumns): LotSightings | null =>
  row.lot_units === null ? null : { units: row.lot_units, outside: row.lot_outside ?? {} };

/** What the organization's units are used to, this one included. */
export const audienceOf = (row: AudienceColumns): Audience | null =>
  row.audience_chances === null
    ? null
    : { chances: Number(row.audience_chances), met: Number(row.audience_met) };

/**
 * @param lot where it is known better than in the row: a batch's other units may have been scored since
 * @param audience likewise, of the organization
 */
export function unitContext(
  unit: Pick<
    ScannedUnitRow,
    'markets' | 'activated_at' | 'consumed_at' | 'decision' | 'decided_at' | 'shipment'
  > &
    LotColumns &
    AudienceColumns & { profile: RiskProfile | null },
  lot: LotSightings | null = lotOf(unit),
  audience: Audience | null = audienceOf(unit),
): UnitContext {
  return {
    lot: lot === null ? null : othersOf(lot, unit.profile),
    audience,
    markets: unit.markets,
    shipment: unit.shipment,
    activatedAt: unit.activated_at?.getTime() ?? null,
    consumedAt: unit.consumed_at?.getTime() ?? null,
    decision: unit.decision ?? 'none',
    decidedAt: unit.decided_at?.getTime() ?? null,
  };
}

export function riskScan(row: ScanPlaceRow): RiskScan {
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

/** The verdict of the rules behind a stored scan; its `result` may be another one's word (recalled, expired). */
export function riskVerdictOf(scan: { risk_level: string; signals: readonly RiskSignal[] }): RiskVerdict {
  if (scan.signals.some((signal) => signal.type === 'diversion' && signal.counted)) return 'diverted';
  return scan.risk_level === 'high' ? 'suspicious' : 'clear';
}
