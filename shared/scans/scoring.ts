/**
 * Scoring: the waiting scans of some units, under locks on their profiles, in order, each exactly once. Result,
 * evidence, profile and events commit together; a crash in between leaves everything waiting as it was.
 */
import { countScans } from '../analytics/service.ts';
import type { Clock } from '../clock.ts';
import { withTransaction, type Pool } from '../db.ts';
import { recordEvents, type EventToRecord } from '../events/service.ts';
import { encodeId } from '../ids.ts';
import type { Waker } from '../queues.ts';
import { DEFAULT_POLICY } from '../risk/policy.ts';
import { emptyProfile, score } from '../risk/score.ts';
import type { RiskAssessment } from '../risk/types.ts';
import {
  listUnscoredScans,
  lockWaitingUnits,
  storeProfiles,
  storeScores,
  type ScoredProfile,
  type ScoredScan,
  type UnscoredScanRow,
  type WaitingUnitRow,
} from './scoring-repository.ts';
import { verdictOf, type ScanResult } from './verdict.ts';
import { riskScan, unitContext } from './risk-input.ts';

export { findOldestUnscored } from './scoring-repository.ts';

export interface ScoringDeps {
  db: Pool;
  clock: Clock;
  waker: Waker;
}

interface Scored {
  scan: ScoredScan;
  row: UnscoredScanRow;
  unit: WaitingUnitRow;
  risk: RiskAssessment;
  /** Whether the unit was never scanned before. */
  isFirst: boolean;
}

/**
 * Scores the waiting scans of up to `maxUnits` units.
 * @returns how many units and scans; with as many units as asked for, there are probably more.
 */
export async function scoreWaitingScans(
  deps: ScoringDeps,
  maxUnits: number,
): Promise<{ units: number; scans: number }> {
  return withTransaction(deps.db, async (uow) => {
    const units = await lockWaitingUnits(uow.db, maxUnits);
    if (units.length === 0) return { units: 0, scans: 0 };
    const waiting = await listUnscoredScans(
      uow.db,
      units.map((unit) => unit.unit_id),
    );
    const byUnit = new Map(units.map((unit) => [unit.unit_id, [] as UnscoredScanRow[]]));
    for (const scan of waiting) byUnit.get(scan.unit_id)!.push(scan);
    const scored: Scored[] = [];
    const profiles: ScoredProfile[] = [];
    for (const unit of units) {
      const result = scoreUnit(unit, byUnit.get(unit.unit_id)!);
      scored.push(...result.scored);
      profiles.push(result.profile);
    }
    if (scored.length > 0) {
      await storeScores(
        uow.db,
        scored.map(({ scan }) => scan),
      );
    }
    await storeProfiles(uow.db, profiles);
    await countScans(uow.db, scored.map(countedScan));
    await recordEvents(deps, uow, scored.flatMap(eventsOf));
    return { units: units.length, scans: scored.length };
  });
}

function scoreUnit(
  unit: WaitingUnitRow,
  rows: readonly UnscoredScanRow[],
): { scored: Scored[]; profile: ScoredProfile } {
  const context = unitContext({ ...unit, risk_state: unit.state });
  let profile = unit.profile ?? emptyProfile();
  let state = unit.state;
  const scored = rows.map((row, index): Scored => {
    const risk = score(profile, riskScan(row), context, DEFAULT_POLICY);
    profile = risk.profile;
    // Only people clear or confirm a unit; scoring may put it under suspicion.
    if (state === 'clear' && risk.verdict === 'suspicious') state = 'suspect';
    const result = verdictOf(
      {
        status: unit.status,
        isRecalled: unit.unit_recalled_at !== null || unit.batch_recalled_at !== null,
        expiresOn: unit.expires_on,
        risk: risk.verdict,
        riskState: state,
      },
      row.at,
    );
    const scan = { id: row.id, result, riskLevel: risk.level, riskScore: risk.score, signals: risk.signals };
    return { scan, row, unit, risk, isFirst: unit.profile === null && index === 0 };
  });
  return { scored, profile: { unitId: unit.unit_id, profile, state } };
}

const countedScan = ({ scan, row, unit, isFirst }: Scored) => ({
  orgId: unit.org_id,
  productId: unit.product_id,
  at: row.at,
  result: scan.result,
  country: row.country,
  lat: row.lat,
  lon: row.lon,
  isFirst,
});

const SUSPICIOUS_SIGNALS = ['clone', 'impossible_travel', 'excessive_scanning'] as const;

/** A scan tells that it happened; a suspicious or a diverted one tells that as well. */
function eventsOf({ scan, row, unit, risk }: Scored): EventToRecord[] {
  const data = {
    scanId: encodeId('scan', row.id),
    productUnitId: encodeId('unit', unit.unit_id),
    productId: encodeId('prod', unit.product_id),
    batchId: encodeId('batch', unit.batch_id),
    serial: unit.serial,
    lot: unit.lot,
    result: scan.result satisfies ScanResult,
    country: row.country,
    place: row.lat === null ? null : { lat: row.lat, lon: row.lon, accuracyKm: row.accuracy_km },
    riskLevel: risk.level,
    score: risk.score,
    signals: risk.signals,
    at: row.at.toISOString(),
  };
  const base = { orgId: unit.org_id, productId: unit.product_id };
  const events: EventToRecord[] = [{ ...base, type: 'scan.recorded', data }];
  if (risk.verdict === 'suspicious') {
    const reasons = SUSPICIOUS_SIGNALS.filter((type) => risk.signals.some((signal) => signal.type === type));
    events.push({ ...base, type: 'suspicious_scan.detected', data: { ...data, reasons } });
  }
  // A genuine unit only: one that is recalled, suspended or inactive has its own word for what is wrong.
  if (scan.result === 'diverted') {
    events.push({ ...base, type: 'product.diverted', data: { ...data, markets: unit.markets } });
  }
  return events;
}
