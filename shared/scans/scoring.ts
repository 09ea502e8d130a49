/**
 * Scoring: the waiting scans of some units, under locks on their profiles, in order, each exactly once. Result,
 * evidence, profile, case and events commit together; a crash in between leaves everything waiting as it was.
 */
import { countFirstScans, countScans, type CountedFirst } from '../analytics/service.ts';
import type { Clock } from '../clock.ts';
import { withTransaction, type Db, type Pool } from '../db.ts';
import { recordEvents } from '../events/service.ts';
import type { Waker } from '../queues.ts';
import { gatherSuspicions } from '../risk-cases/gathering.ts';
import { effectivePolicy } from '../risk-policies/effective.ts';
import { withSighting, type LotSightings } from '../risk/lot.ts';
import { emptyProfile, rescore, score } from '../risk/score.ts';
import type { RiskAssessment, RiskProfile, UnitContext } from '../risk/types.ts';
import { eventsOf, suspicionsOf, type Scored } from './scan-events.ts';
import { addSightings } from './lot-repository.ts';
import {
  listHistory,
  listUnscoredScans,
  lockWaitingUnits,
  storeProfiles,
  storeScores,
  type ScoredProfile,
  type UnscoredScanRow,
  type WaitingUnitRow,
} from './scoring-repository.ts';
import { verdictOf } from './verdict.ts';
import { lotOf, riskScan, unitContext } from './risk-input.ts';

export { findOldestUnscored } from './scoring-repository.ts';

export interface ScoringDeps {
  db: Pool;
  clock: Clock;
  waker: Waker;
}

/**
 * How far behind its unit's newest scan one may be and still be scored as it comes: the rules compare times both ways, so
 * the clocks of two web processes and the order of two commits make no difference to them. Beyond it the unit's
 * history is scored again in order.
 */
const LATE_TOLERATED_MS = 5_000;
/** Scans of one unit that are read again for that; the newest count. A unit with more is long past any doubt. */
const MAX_HISTORY = 5_000;

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
    const waiting = await listUnscoredScans(uow.db, units);
    const byUnit = new Map(units.map((unit) => [unit.unit_id, [] as UnscoredScanRow[]]));
    for (const scan of waiting) byUnit.get(scan.unit_id)!.push(scan);
    const scored: Scored[] = [];
    const profiles: ScoredProfile[] = [];
    const lots: Lots = { known: new Map(), seen: new Map() };
    for (const unit of units) {
      const result = await scoreUnit(uow.db, unit, byUnit.get(unit.unit_id)!, lots);
      scored.push(...result.scored);
      profiles.push(result.profile);
    }
    if (scored.length > 0) {
      await storeScores(
        uow.db,
        scored.map(({ scan }) => scan),
      );
    }
    const { events, alerts } = eventsOf(scored);
    for (const profile of profiles) Object.assign(profile, alerts.get(profile.unitId));
    await storeProfiles(uow.db, profiles);
    await countScans(uow.db, scored.map(countedScan));
    await countFirstScans(
      uow.db,
      units.flatMap((unit) => firstScans(unit, byUnit.get(unit.unit_id)!)),
    );
    await gatherSuspicions(deps, uow.db, suspicionsOf(scored));
    await recordEvents(deps, uow, events);
    // Last, because other scorers wait for these rows until the commit.
    await addSightings(uow.db, lots.seen);
    return { units: units.length, scans: scored.length };
  });
}

/** By batch: where its units were first seen, as stored and since; and what this transaction adds to that. */
interface Lots {
  known: Map<string, LotSightings>;
  seen: Map<string, LotSightings>;
}

const NOTHING_SEEN: LotSightings = { units: 0, outside: {} };

/** Counts a unit in its batch when it was seen for the first time. */
function countInLot({ known, seen }: Lots, unit: WaitingUnitRow, profile: RiskProfile): void {
  const id = unit.batch_id;
  const before = seen.get(id) ?? NOTHING_SEEN;
  const after = withSighting(before, unit.profile, profile);
  if (after === before) return;
  seen.set(id, after);
  known.set(id, withSighting(known.get(id) ?? lotOf(unit) ?? NOTHING_SEEN, unit.profile, profile));
}

async function scoreUnit(
  db: Db,
  unit: WaitingUnitRow,
  rows: readonly UnscoredScanRow[],
  lots: Lots,
): Promise<{ scored: Scored[]; profile: ScoredProfile }> {
  const context = unitContext(unit, lots.known.get(unit.batch_id));
  const { profile, assessments } = await assessUnit(db, unit, rows, context);
  countInLot(lots, unit, profile);
  let state = unit.state;
  const scored = rows.map((row): Scored => {
    const risk = assessments.get(row.id)!;
    // Only people clear or confirm a unit; scoring may put it under suspicion.
    if (state === 'clear' && risk.verdict === 'suspicious') state = 'suspect';
    const result = verdictOf(
      {
        status: unit.status,
        isRecalled: unit.recalled_at !== null,
        expiresOn: unit.expires_on,
        risk: risk.verdict,
        riskState: state,
      },
      row.at,
    );
    const scan = { id: row.id, result, riskLevel: risk.level, riskScore: risk.score, signals: risk.signals };
    return { scan, row, unit, risk };
  });
  const { last_alert_at: lastAlertAt, held_alerts: heldAlerts } = unit;
  const firstAt = earliest(rows);
  return { scored, profile: { unitId: unit.unit_id, profile, state, lastAlertAt, heldAlerts, firstAt } };
}

/** A scan that is scored again was taken out of the figures when its position came. */
const countedScan = ({ scan, row, unit }: Scored) => ({
  orgId: unit.org_id,
  productId: unit.product_id,
  at: row.at,
  result: scan.result,
  country: row.country,
  lat: row.lat,
  lon: row.lon,
});

const earliest = (rows: readonly UnscoredScanRow[]): Date | null =>
  rows.reduce<Date | null>((first, { at }) => (first === null || at < first ? at : first), null);

/** The unit's first scan, once; one that comes late and precedes it takes its place. */
function firstScans(unit: WaitingUnitRow, rows: readonly UnscoredScanRow[]): CountedFirst[] {
  const at = earliest(rows);
  const known = unit.profile === null ? null : unit.first_scanned_at;
  if (at === null || (known !== null && known <= at)) return [];
  const common = { orgId: unit.org_id, productId: unit.product_id };
  const first: CountedFirst = { ...common, at, amount: 1 };
  return known === null ? [first] : [first, { ...common, at: known, amount: -1 }];
}

/** The profile after the waiting scans, and the assessment of each. */
async function assessUnit(
  db: Db,
  unit: WaitingUnitRow,
  rows: readonly UnscoredScanRow[],
  context: UnitContext,
): Promise<{ profile: RiskProfile; assessments: Map<string, RiskAssessment> }> {
  const policy = effectivePolicy(unit.org_policy, unit.product_policy);
  const newest = (unit.profile?.lastAt ?? 0) - LATE_TOLERATED_MS;
  if (rows.some((row) => row.scorings > 0 || row.at.getTime() < newest)) {
    const history = await listHistory(db, unit.unit_id, MAX_HISTORY);
    const known = new Set(history.map((row) => row.id));
    const all = [...history, ...rows.filter((row) => !known.has(row.id))];
    const again = rescore(all.map(riskScan), context, policy);
    return {
      profile: again.profile,
      assessments: new Map(again.assessments.map((assessment) => [assessment.scanId, assessment])),
    };
  }
  let profile = unit.profile ?? emptyProfile();
  const assessments = new Map<string, RiskAssessment>();
  // Ids are in order within a process; between two processes the times are what counts.
  for (const row of rows.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const risk = score(profile, riskScan(row), context, policy);
    profile = risk.profile;
    assessments.set(row.id, risk);
  }
  return { profile, assessments };
}
