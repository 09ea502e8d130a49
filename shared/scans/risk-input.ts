/** Rows of units and scans as the rules want them, and back. */
import type { Audience } from '../risk/audience.ts';
import { NO_SIGHTINGS, othersOf, type LotSightings } from '../risk/lot.ts';
import { peersOf } from '../risk/peers.ts';
import type { RiskPolicy } from '../risk/policy.ts';
import type { RiskProfile, RiskScan, RiskSignal, RiskVerdict, UnitContext } from '../risk/types.ts';
import type { AudienceColumns } from './audience-repository.ts';
import { hindsightOf } from './hindsights.ts';
import type { ScannedUnitRow } from './repository.ts';
import type { LotColumns } from './lot-repository.ts';
import { peerKey, type PeerSightings } from './peer-repository.ts';
import type { ScanPlaceRow } from './scoring-repository.ts';

/** A batch's sightings, those of this unit included. */
export const lotOf = (row: LotColumns): LotSightings =>
  row.lot_units === null ? NO_SIGHTINGS : { units: row.lot_units, outside: row.lot_outside ?? {} };

/** What is known of an organization's other units: where it is newer than the unit's row, and what the row has not. */
export interface KnownOfOthers {
  /** The batch's, this unit's included: others of it may have been scored since. */
  lot?: LotSightings | undefined;
  audience?: Audience | undefined;
  /** Asked for at least where {@link needsPeers} says so. */
  peers?: PeerSightings | undefined;
}

type UnitRow = Pick<
  ScannedUnitRow,
  | 'markets'
  | 'activated_at'
  | 'consumed_at'
  | 'hidden_code_reused_at'
  | 'nfc_tap_replayed_at'
  | 'decision'
  | 'decided_at'
  | 'shipment'
> &
  LotColumns &
  AudienceColumns & { profile: RiskProfile | null; org_id: string; raised_at: Date[] | null };

/** Whether too few of a unit's batch were seen to say anything about a scan outside its markets. */
export const needsPeers = (
  unit: Pick<UnitRow, 'markets' | 'profile' | keyof LotColumns>,
  policy: RiskPolicy,
): boolean => areFew(othersOf(lotOf(unit), unit.profile), unit, policy);

const areFew = (others: LotSightings, { markets }: Pick<UnitRow, 'markets'>, { diversion }: RiskPolicy) =>
  diversion.enabled && markets.length > 0 && others.units < diversion.lotUnits;

/** `loadHindsights` reads what was learned; without it, the rules have the only word. */
export function unitContext(
  unit: UnitRow,
  policy: RiskPolicy,
  { lot = lotOf(unit), audience, peers }: KnownOfOthers = {},
): UnitContext {
  const others = othersOf(lot, unit.profile);
  const same = areFew(others, unit, policy) ? peers?.same.get(peerKey(unit)) : undefined;
  const all = peers?.all.get(unit.org_id);
  return {
    lot: others,
    peers:
      same === undefined || all === undefined
        ? null
        : peersOf(same, all, unit.profile, policy.diversion.lotUnits),
    audience: audience ?? unit.audience,
    hindsight: hindsightOf(unit),
    markets: unit.markets,
    shipment: unit.shipment,
    activatedAt: unit.activated_at?.getTime() ?? null,
    consumedAt: unit.consumed_at?.getTime() ?? null,
    hiddenCodeReusedAt: unit.hidden_code_reused_at?.getTime() ?? null,
    nfcTapReplayedAt: unit.nfc_tap_replayed_at?.getTime() ?? null,
    decision: unit.decision ?? 'none',
    decidedAt: unit.decided_at?.getTime() ?? null,
    raisedAt: unit.raised_at?.map((at) => at.getTime()),
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
