/**
 * Scoring: the waiting scans of some units, under locks on their profiles, in order, each exactly once. Result,
 * evidence, profile, case and events commit together; a crash in between leaves everything waiting as it was.
 */
import { countFirstScans, countScans, type CountedFirst } from '../analytics/service.ts';
import type { Clock } from '../clock.ts';
import { withTransaction, type Db, type Pool } from '../db.ts';
import { recordEvents } from '../events/service.ts';
import type { Logger } from '../logger.ts';
import type { Waker } from '../queues.ts';
import { gatherSuspicions } from '../risk-cases/gathering.ts';
import { effectivePolicy } from '../risk-policies/effective.ts';
import type { RiskPolicy } from '../risk/policy.ts';
import { emptyProfile, LATE_TOLERATED_MS, rescore, score } from '../risk/score.ts';
import type { RiskAssessment, RiskProfile, UnitContext } from '../risk/types.ts';
import { countedPlace } from './position-repository.ts';
import { eventsOf, isDismissed, isNewDiversion, suspicionsOf, type Scored } from './scan-events.ts';
import { Fellows } from './fellows.ts';
import { storeLooks, type NewLook } from './hindsight-repository.ts';
import { looksOf } from './learning.ts';
import { requestLotReviews, turnsOf } from './lot-review.ts';
import {
  listHistory,
  listUnscoredScans,
  lockWaitingUnits,
  storeProfiles,
  storeScores,
  type HistoryRow,
  type ScoredProfile,
  type UnscoredScanRow,
  type WaitingUnitRow,
} from './scoring-repository.ts';
import { scoreSettingAside, type ScoreBatch, type ScoredBatch } from './setting-aside.ts';
import { verdictOnceScored } from './verdict.ts';
import { riskScan } from './risk-input.ts';

export { findOldestUnscored } from './scoring-repository.ts';

export interface ScoringDeps {
  db: Pool;
  clock: Clock;
  waker: Waker;
  log: Logger;
}

/** Scans of one unit that are read again for that. A unit with more is long past any doubt, and they are judged as they come. */
const MAX_HISTORY = 5_000;

/**
 * Of one unit in one transaction: while that lasts (some 40 ms for so many), no further scan of the unit is answered. A flood
 * of one code takes many turns, and other units theirs in between.
 */
export const MAX_SCANS_OF_UNIT = 250;

/**
 * Scores the first waiting scans of up to `maxUnits` units.
 * @returns how many units and scans; with as many units as asked for, there are probably more.
 */
export const scoreWaitingScans = (deps: ScoringDeps, maxUnits: number): Promise<ScoredBatch> =>
  scoreSettingAside(deps, maxUnits, (limit, onLocked) => scoreTogether(deps, limit, onLocked));

function scoreTogether(deps: ScoringDeps, ...[maxUnits, onLocked]: Parameters<ScoreBatch>) {
  return withTransaction(deps.db, async (uow): Promise<ScoredBatch> => {
    const units = await lockWaitingUnits(uow.db, maxUnits, deps.clock.now());
    onLocked(units);
    if (units.length === 0) return { units: 0, scans: 0 };
    // One more than is scored: where the rest begins.
    const waiting = await listUnscoredScans(uow.db, units, MAX_SCANS_OF_UNIT + 1);
    const byUnit = new Map(units.map((unit) => [unit.unit_id, [] as UnscoredScanRow[]]));
    for (const scan of waiting) byUnit.get(scan.unit_id)!.push(scan);
    const next = new Map([...byUnit].map(([unitId, scans]) => [unitId, scans[MAX_SCANS_OF_UNIT] ?? null]));
    for (const scans of byUnit.values()) scans.splice(MAX_SCANS_OF_UNIT);
    const scored: Scored[] = [];
    const profiles: ScoredProfile[] = [];
    const looks: NewLook[] = [];
    const anew: string[] = [];
    const fellows = await Fellows.read(uow.db, units);
    for (const unit of units) {
      const { unit_id: id } = unit;
      const result = await scoreUnit(uow.db, unit, byUnit.get(id)!, next.get(id)!, fellows);
      scored.push(...result.scored);
      profiles.push(result.profile);
      looks.push(...result.looks);
      if (result.isAnew) anew.push(id);
    }
    if (scored.length > 0) {
      await storeScores(
        uow.db,
        scored.map(({ scan }) => scan),
        new Set(scored.filter(isNewDiversion).map(({ scan }) => scan.id)),
      );
    }
    const cases = await gatherSuspicions(deps, uow.db, suspicionsOf(scored));
    const { events, alerts } = eventsOf(scored, cases);
    for (const profile of profiles) Object.assign(profile, alerts.get(profile.unitId));
    await storeProfiles(uow.db, profiles);
    await storeLooks(uow.db, looks, anew);
    await countScans(uow.db, scored.map(countedScan));
    await countFirstScans(
      uow.db,
      units.flatMap((unit) => firstScans(unit, byUnit.get(unit.unit_id)!)),
    );
    await recordEvents(deps, uow, events);
    await requestLotReviews(uow.db, turnsOf(scored, fellows), deps.clock.now());
    await fellows.store(uow.db);
    return { units: units.length, scans: scored.length };
  });
}

async function scoreUnit(
  db: Db,
  unit: WaitingUnitRow,
  rows: readonly UnscoredScanRow[],
  next: ScoredProfile['next'],
  fellows: Fellows,
): Promise<{ scored: Scored[]; profile: ScoredProfile; looks: NewLook[]; isAnew: boolean }> {
  const policy = effectivePolicy(unit.org_policy, unit.product_policy);
  const assessed = await assessUnit(db, unit, rows, fellows.contextOf(unit, policy), policy);
  const { profile, assessments, isAnew } = assessed;
  fellows.count(unit, profile);
  let state = unit.state;
  const scored = rows.map((row): Scored => {
    const risk = assessments.get(row.id)!;
    // Only people clear or confirm a unit; scoring may put it under suspicion.
    if (state === 'clear' && risk.verdict === 'suspicious' && !isDismissed({ row, unit })) state = 'suspect';
    const ofRisk = { risk: risk.verdict, riskState: state };
    const result = verdictOnceScored(row.result, ofRisk, row.at);
    const scan = { id: row.id, result, riskLevel: risk.level, riskScore: risk.score, signals: risk.signals };
    return { scan, row, unit, risk };
  });
  const { last_alert_at: lastAlertAt, held_alerts: heldAlerts } = unit;
  const firstAt = earliest(rows);
  return {
    scored,
    looks: looksOf(unit, assessed.counted),
    isAnew,
    profile: { unitId: unit.unit_id, profile, state, lastAlertAt, heldAlerts, firstAt, next },
  };
}

/** A scan that is scored again was taken out of the figures when its position came. */
const countedScan = ({ scan, row, unit }: Scored) => ({
  orgId: unit.org_id,
  productId: unit.product_id,
  at: row.at,
  result: scan.result,
  country: row.country,
  ...countedPlace(row),
});

const earliest = (rows: readonly UnscoredScanRow[]): Date | null =>
  rows.reduce<Date | null>((first, { at }) => (first === null || at < first ? at : first), null);

/** The unit's first scan, once; one that comes late and precedes it takes its place. */
function firstScans(unit: WaitingUnitRow, rows: readonly UnscoredScanRow[]): CountedFirst[] {
  const at = earliest(rows);
  const known = unit.profile === null ? null : unit.first_scanned_at;
  if (at === null || (known !== null && known <= at)) return [];
  const { org_id: orgId, product_id: productId } = unit;
  const first: CountedFirst = { orgId, productId, at, amount: 1 };
  return known === null ? [first] : [first, { orgId, productId, at: known, amount: -1 }];
}

/** A unit counts once: where it was first seen for the time being, whatever its history says when it is scored again. */
const countedAs = (profile: RiskProfile, before: RiskProfile | null): RiskProfile =>
  before?.seenIn === undefined ? profile : { ...profile, seenIn: before.seenIn };

interface AssessedUnit {
  /** After the waiting scans. */
  profile: RiskProfile;
  /** Of each of them at least. */
  assessments: Map<string, RiskAssessment>;
  /** Of the scans that the profile has now and had not before; of all where it was made `anew` from the unit's whole history. */
  counted: readonly RiskAssessment[];
  isAnew: boolean;
}

async function assessUnit(
  db: Db,
  unit: WaitingUnitRow,
  rows: readonly UnscoredScanRow[],
  context: UnitContext,
  policy: RiskPolicy,
): Promise<AssessedUnit> {
  const newest = (unit.profile?.lastAt ?? 0) - LATE_TOLERATED_MS;
  if (rows.some((row) => row.scorings > 0 || row.at.getTime() < newest)) {
    const history = await listHistory(db, unit.unit_id, rows.at(-1)!.id, MAX_HISTORY);
    if (isWhole(history, unit)) {
      const known = new Set(history.map((row) => row.id));
      const all = [...history, ...rows.filter((row) => !known.has(row.id))];
      const again = rescore(all.map(riskScan), context, policy);
      return {
        profile: countedAs(again.profile, unit.profile),
        assessments: new Map(again.assessments.map((assessment) => [assessment.scanId, assessment])),
        counted: again.assessments,
        isAnew: true,
      };
    }
  }
  let profile = unit.profile ?? emptyProfile();
  const assessments = new Map<string, RiskAssessment>();
  const counted: RiskAssessment[] = [];
  // Ids are in order within a process; between two processes the times are what counts.
  for (const row of rows.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const risk = score(profile, riskScan(row), context, policy);
    // One that is scored again without its history is in the profile already.
    if (row.scorings === 0) {
      profile = risk.profile;
      counted.push(risk);
    }
    assessments.set(row.id, risk);
  }
  return { profile, assessments, counted, isAnew: false };
}

/** Whether the profile can be made again from the scans: none was deleted, none has lost its visitor, and there are not too many. */
function isWhole(
  history: readonly HistoryRow[],
  { profile, first_scanned_at: firstScannedAt }: WaitingUnitRow,
) {
  if (profile === null) return true;
  if (history.length === MAX_HISTORY || history.some((row) => row.is_coarse)) return false;
  return history.some(({ at }) => at <= firstScannedAt);
}
