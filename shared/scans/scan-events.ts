/** What scored scans have to tell: events for the organization's endpoints, and suspicions for its cases. */
import type { EventToRecord } from '../events/service.ts';
import { encodeId, encodeNullableId } from '../ids.ts';
import type { Suspicion } from '../risk-cases/gathering.ts';
import type { RiskAssessment } from '../risk/types.ts';
import type { ScoredScan, UnscoredScanRow, WaitingUnitRow } from './scoring-repository.ts';
import type { ScanResult } from './verdict.ts';

export interface Scored {
  scan: ScoredScan;
  row: UnscoredScanRow;
  unit: WaitingUnitRow;
  risk: RiskAssessment;
}

/** When a unit's last alert went out, and how many suspicious scans its cool-down has held back since. */
export interface AlertState {
  lastAlertAt: Date | null;
  heldAlerts: number;
}

const SUSPICIOUS_SIGNALS = ['clone', 'impossible_travel', 'excessive_scanning'] as const;

/** Whether a person found, after the scan, that the unit is no copy; scored since, it is no news to that person. */
export const isDismissed = ({
  row,
  unit,
}: {
  row: Pick<UnscoredScanRow, 'at'>;
  unit: Pick<WaitingUnitRow, 'decision' | 'decided_at'>;
}): boolean => unit.decision === 'dismissed' && unit.decided_at !== null && row.at < unit.decided_at;

/** Whether the scan is suspicious and was not when it was scored before: a scan is told of once. */
const isNewSuspicion = (scored: Scored): boolean => {
  const { row, risk } = scored;
  const wasTold = row.scorings > 0 && row.risk_level === 'high';
  return risk.verdict === 'suspicious' && !wasTold && !isDismissed(scored);
};

/**
 * Whether the scan is diverted and never was told so: by its position it may have been taken for a visitor's abroad in between. Only a
 * genuine unit is diverted: one that is recalled, suspended or inactive has its own word for what is wrong.
 */
export const isNewDiversion = ({ row, scan, unit }: Pick<Scored, 'row' | 'scan' | 'unit'>): boolean =>
  // Of one scored by an earlier release only the last result is known.
  scan.result === 'diverted' &&
  row.diversion_told !== true &&
  !(row.scorings > 0 && row.result === 'diverted') &&
  !isDismissed({ row, unit });

/**
 * A scan tells that it happened; a suspicious or a diverted one tells that as well. One that is scored again, because its
 * visitor added a position, tells only what is new.
 * @param scored in order of their ids for each unit
 * @param cases of the units with new suspicions, by unit
 */
export function eventsOf(
  scored: readonly Scored[],
  cases: ReadonlyMap<string, string>,
): {
  events: EventToRecord[];
  alerts: Map<string, AlertState>;
} {
  const alerts = new Map<string, AlertState>();
  const events = scored.flatMap((each) => {
    const { row, unit } = each;
    const data = dataOf(each);
    const { org_id: orgId, product_id: productId } = unit;
    const told: EventToRecord[] = [];
    if (row.scorings === 0)
      told.push({ type: 'scan.recorded', orgId, productId, data: { ...data, isInternal: false } });
    if (isNewSuspicion(each)) {
      const heldBack = alertNow(alerts, each);
      if (heldBack !== null)
        told.push({
          type: 'suspicious_scan.detected',
          orgId,
          productId,
          data: {
            ...data,
            reasons: reasonsOf(each.risk),
            heldBack,
            caseId: encodeNullableId('case', cases.get(unit.unit_id) ?? null),
          },
        });
    }
    if (isNewDiversion(each)) {
      told.push({ type: 'product.diverted', orgId, productId, data: { ...data, markets: unit.markets } });
    }
    return told;
  });
  return { events, alerts };
}

/** The types of signals that brought the suspicion about: what has no weight did not, unless all shares of a low score are rounded to none. */
function reasonsOf({ signals }: RiskAssessment) {
  const weighty = signals.filter(({ weight }) => weight > 0);
  const told = weighty.length > 0 ? weighty : signals;
  return SUSPICIOUS_SIGNALS.filter((type) => told.some((signal) => signal.type === type));
}

/** @returns how many scans were held back before this alert; null where the unit's cool-down holds this one back too. */
function alertNow(alerts: Map<string, AlertState>, { row, unit }: Scored): number | null {
  const state = alerts.get(unit.unit_id) ?? { lastAlertAt: unit.last_alert_at, heldAlerts: unit.held_alerts };
  const { lastAlertAt } = state;
  // Either way: a scan may come late, and be of before the last alert.
  const apart = lastAlertAt === null ? Infinity : Math.abs(row.at.getTime() - lastAlertAt.getTime());
  if (apart < unit.alert_cooldown_minutes * 60_000) {
    alerts.set(unit.unit_id, { ...state, heldAlerts: state.heldAlerts + 1 });
    return null;
  }
  const isNewest = lastAlertAt === null || row.at > lastAlertAt;
  alerts.set(unit.unit_id, { lastAlertAt: isNewest ? row.at : lastAlertAt, heldAlerts: 0 });
  return state.heldAlerts;
}

/** A scan with its final verdict. */
interface ToldScan {
  scan: ScoredScan;
  row: Pick<UnscoredScanRow, 'at' | 'country' | 'lat' | 'lon' | 'accuracy_km'> & {
    place_source: string | null;
  };
  unit: Pick<
    WaitingUnitRow,
    'unit_id' | 'product_id' | 'product_name' | 'sku' | 'gtin' | 'batch_id' | 'serial' | 'lot'
  >;
}

export function dataOf({ scan, row, unit }: ToldScan) {
  return {
    scanId: encodeId('scan', scan.id),
    productUnitId: encodeId('unit', unit.unit_id),
    productId: encodeId('prod', unit.product_id),
    productName: unit.product_name,
    sku: unit.sku,
    gtin: unit.gtin,
    batchId: encodeId('batch', unit.batch_id),
    serial: unit.serial,
    lot: unit.lot,
    result: scan.result satisfies ScanResult,
    country: row.country,
    place:
      row.lat === null
        ? null
        : { lat: row.lat, lon: row.lon, accuracyKm: row.accuracy_km, source: row.place_source },
    riskLevel: scan.riskLevel,
    score: scan.riskScore,
    signals: scan.signals,
    at: row.at.toISOString(),
  };
}

/** The new suspicions, one for each unit, for its case. */
export function suspicionsOf(scored: readonly Scored[]): Suspicion[] {
  const byUnit = new Map<string, Suspicion>();
  for (const each of scored) {
    if (!isNewSuspicion(each)) continue;
    const { unit, scan, risk } = each;
    const before = byUnit.get(unit.unit_id);
    const types = risk.signals.map((signal) => signal.type).filter((type) => type !== 'diversion');
    byUnit.set(unit.unit_id, {
      orgId: unit.org_id,
      unitId: unit.unit_id,
      productId: unit.product_id,
      batchId: unit.batch_id,
      isConfirmed: unit.decision === 'confirmed',
      scans: (before?.scans ?? 0) + 1,
      maxScore: Math.max(before?.maxScore ?? 0, risk.score),
      signals: [...new Set([...(before?.signals ?? []), ...types])],
      // Ids are in order within a process only.
      firstScanId: before !== undefined && before.firstScanId < scan.id ? before.firstScanId : scan.id,
      lastScanId: before !== undefined && before.lastScanId > scan.id ? before.lastScanId : scan.id,
    });
  }
  return [...byUnit.values()];
}
