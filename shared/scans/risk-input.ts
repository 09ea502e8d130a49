/** Rows of units and scans as the rules want them, and back. */
import type { Audience } from '../risk/audience.ts';
import { othersOf, type LotSightings } from '../risk/lot.ts';
import { peersOf } from '../risk/peers.ts';
import type { RiskPolicy } from '../risk/policy.ts';
import type { RiskProfile, RiskScan, RiskSignal, RiskVerdict, UnitContext } from '../risk/types.ts';
import type { AudienceColumns } from './audience-repository.ts';
import type { ScannedUnitRow } from './repository.ts';
import type { LotColumns } from './lot-repository.ts';
import type { PeerCounts } from './peer-repository.ts';
import type { ScanPlaceRow } from './scoring-repository.ts';

/** A batch's sightings, those of this unit included. */
export const lotOf = (row: LotColumns): LotSightings | null =>
  row.lot_units === null ? null : { units: row.lot_units, outside: row.lot_outside ?? {} };

/** What the organization's units are used to, this one included. */
export const audienceOf = (row: AudienceColumns): Audience | null =>
  row.audience_chances === null
    ? null
    : { chances: Number(row.audience_chances), met: Number(row.audience_met) };

/** What is known of an organization's other units: where it is newer than the unit's row, and what the row has not. */
export interface KnownOfOthers {
  /** The batch's, this unit's included: others of it may have been scored since. */
  lot?: LotSightings | undefined;
  audience?: Audience | undefined;
  /** Needed only where {@link needsPeers} says so. */
  peers?: PeerCounts | undefined;
}

type UnitRow = Pick<
  ScannedUnitRow,
  'markets' | 'activated_at' | 'consumed_at' | 'decision' | 'decided_at' | 'shipment'
> &
  LotColumns &
  AudienceColumns & { profile: RiskProfile | null };

/** Whether too few of a unit's batch were seen to say anything about a scan outside its markets. */
export function needsPeers(
  unit: Pick<UnitRow, 'markets' | 'profile' | keyof LotColumns>,
  { diversion }: RiskPolicy,
): boolean {
  const lot = lotOf(unit);
  const others = lot === null ? 0 : othersOf(lot, unit.profile).units;
  return diversion.enabled && unit.markets.length > 0 && others < diversion.lotUnits;
}

export function unitContext(
  unit: UnitRow,
  { diversion }: RiskPolicy,
  { lot = lotOf(unit) ?? undefined, audience, peers }: KnownOfOthers = {},
): UnitContext {
  return {
    lot: lot === undefined ? null : othersOf(lot, unit.profile),
    peers: peers === undefined ? null : peersOf(peers.same, peers.all, unit.profile, diversion.lotUnits),
    audience: audience ?? audienceOf(unit),
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
