/** What a simulation counts, unit by unit. */
import { noScores, type ScoreCounts } from '../risk/calibration.ts';
import { DEFAULT_POLICY, type RiskPolicy } from '../risk/policy.ts';
import { score } from '../risk/score.ts';
import type { RiskAssessment, RiskProfile, RiskScan, RiskVerdict, UnitContext } from '../risk/types.ts';

export interface Counts {
  suspiciousScans: number;
  suspiciousUnits: number;
  divertedScans: number;
  divertedUnits: number;
}

/** A scan whose verdict would be another one; ids are UUIDs. */
export interface ChangedScan {
  scanId: string;
  unitId: string;
  recorded: RiskVerdict;
  simulated: RiskVerdict;
  /** Under the policy. */
  score: number;
}

export interface Tally {
  scans: number;
  units: number;
  /** Units with more scans than are read of one: only the newest were looked at. */
  truncatedUnits: number;
  /** Under the policy that is tried. */
  simulated: Counts;
  /** As it was recorded. */
  recorded: Counts;
  /** Flagged under the policy and not at the time, and the other way round. */
  newly: Counts;
  noLonger: Counts;
  /** Scans by signal, under the policy. */
  signals: Record<string, number>;
  /** UUIDs of the first units that would be suspicious and are not, and the other way round. */
  newlySuspicious: string[];
  noLongerSuspicious: string[];
  /** The first scans that would be told otherwise. */
  changedScans: ChangedScan[];
  /** Units by their highest score under the policy, as if nobody had decided anything, and by the decision in force. */
  scores: ScoreCounts;
  /** Units that are not among these: their products have a threshold of their own, and the one that is asked for is the organization's. */
  apart: number;
  /** `thresholds.suspicious` as it was in force, by which people came to decide. */
  inForce: number;
}

/** A recorded scan, and what the rules said of it at the time. */
export interface RecordedScan {
  scan: RiskScan;
  verdict: RiskVerdict;
}

/** A person's decision that another one has replaced. */
export interface EarlierDecision {
  decision: 'dismissed' | 'confirmed';
  /** ISO 8601 */
  at: string;
}

/** What is known of a unit beside its scans and its context. */
export interface UnitPast {
  /** Oldest first; the one in force is the context's. */
  earlier: readonly EarlierDecision[];
  /** Whether the unit has more scans than are read. */
  isTruncated: boolean;
  /** Whether another threshold is in force for it than the one that is asked for. */
  isApart: boolean;
}

const MAX_EXAMPLES = 100;

const noCounts = (): Counts => ({
  suspiciousScans: 0,
  suspiciousUnits: 0,
  divertedScans: 0,
  divertedUnits: 0,
});

export const emptyTally = (): Tally => ({
  scans: 0,
  units: 0,
  truncatedUnits: 0,
  simulated: noCounts(),
  recorded: noCounts(),
  newly: noCounts(),
  noLonger: noCounts(),
  signals: {},
  newlySuspicious: [],
  noLongerSuspicious: [],
  changedScans: [],
  scores: noScores(),
  apart: 0,
  inForce: DEFAULT_POLICY.thresholds.suspicious,
});

/**
 * Whether a stored tally has all that this release counts. Between two releases a worker of the earlier one may have done a part:
 * it keeps the scores as they are, and counts units without them.
 */
export const isComplete = (tally: Pick<Tally, 'units'> & Partial<Tally>): tally is Tally =>
  tally.scores !== undefined &&
  tally.apart !== undefined &&
  Object.values(tally.scores).flat().reduce(add, tally.apart) >= tally.units;

const add = (a: number, b: number): number => a + b;

interface Pair {
  scanId: string;
  recorded: RiskVerdict;
  simulated: RiskAssessment;
}

/**
 * The history scored under a policy, in order. A person's decision is heeded from its time on, as it was at the time, and until
 * the next one: what was dismissed does not come back, and what was confirmed stays confirmed.
 */
function simulate(
  history: readonly RecordedScan[],
  context: UnitContext,
  earlier: readonly EarlierDecision[],
  policy: RiskPolicy,
): Pair[] {
  const undecided: UnitContext = { ...context, decision: 'none', decidedAt: null };
  const decided = earlier.map(({ decision, at }) => ({ ...context, decision, decidedAt: Date.parse(at) }));
  const inForceAt = (at: number): UnitContext =>
    at >= (context.decidedAt ?? Infinity)
      ? context
      : (decided.findLast(({ decidedAt }) => at >= decidedAt) ?? undecided);
  let profile: RiskProfile | null = null;
  return history
    .toSorted((a, b) => a.scan.at - b.scan.at || (a.scan.scanId < b.scan.scanId ? -1 : 1))
    .map(({ scan, verdict }): Pair => {
      const simulated = score(profile, scan, inForceAt(scan.at), policy);
      profile = simulated.profile;
      return { scanId: scan.scanId, recorded: verdict, simulated };
    });
}

/**
 * The highest score of what the rules alone say: people's decisions are compared with that, and a decision is no evidence of its own.
 * @param pairs the history under the decisions, which is the same where there are none
 */
function highestScore(
  pairs: readonly Pair[],
  history: readonly RecordedScan[],
  context: UnitContext,
  earlier: readonly EarlierDecision[],
  policy: RiskPolicy,
): number {
  const isUntouched = decisionOf(context) === 'undecided' && earlier.length === 0;
  const undecided: UnitContext = { ...context, decision: 'none', decidedAt: null, raisedAt: [] };
  const alone = isUntouched ? pairs : simulate(history, undecided, [], policy);
  return Math.max(...alone.map(({ simulated }) => simulated.copyScore));
}

const decisionOf = ({ decision = 'none' }: UnitContext): keyof ScoreCounts =>
  decision === 'none' ? 'undecided' : decision;

const FLAGS = [
  ['suspicious', 'suspiciousScans', 'suspiciousUnits'],
  ['diverted', 'divertedScans', 'divertedUnits'],
] as const;

/** Counts what is flagged in `a` of each pair; with `b`, only where that is not flagged so. */
function count(
  counts: Counts,
  pairs: readonly Pair[],
  a: (pair: Pair) => RiskVerdict,
  b: (pair: Pair) => RiskVerdict | null = () => null,
): void {
  for (const [verdict, scans, units] of FLAGS) {
    const flagged = pairs.filter((pair) => a(pair) === verdict);
    counts[scans] += flagged.filter((pair) => b(pair) !== verdict).length;
    if (flagged.length > 0 && !pairs.some((pair) => b(pair) === verdict)) counts[units] += 1;
  }
}

const then = ({ recorded }: Pair): RiskVerdict => recorded;
const would = ({ simulated }: Pair): RiskVerdict => simulated.verdict;

/**
 * Scores a unit's history under a policy and adds the outcome to the tally, which it changes.
 */
export function tallyUnit(
  tally: Tally,
  unitId: string,
  history: readonly RecordedScan[],
  context: UnitContext,
  policy: RiskPolicy,
  { earlier, isTruncated, isApart }: UnitPast,
): void {
  if (history.length === 0) return;
  const pairs = simulate(history, context, earlier, policy);
  tally.scans += pairs.length;
  tally.units += 1;
  if (isTruncated) tally.truncatedUnits += 1;
  count(tally.simulated, pairs, would);
  count(tally.recorded, pairs, then);
  count(tally.newly, pairs, would, then);
  count(tally.noLonger, pairs, then, would);
  for (const { scanId, recorded, simulated } of pairs) {
    for (const { type } of simulated.signals) tally.signals[type] = (tally.signals[type] ?? 0) + 1;
    if (recorded === simulated.verdict || tally.changedScans.length >= MAX_EXAMPLES) continue;
    const { verdict, score: points } = simulated;
    tally.changedScans.push({ scanId, unitId, recorded, simulated: verdict, score: points });
  }
  if (isApart) tally.apart += 1;
  else tally.scores[decisionOf(context)][highestScore(pairs, history, context, earlier, policy)]! += 1;
  const is = pairs.some((pair) => would(pair) === 'suspicious');
  const was = pairs.some((pair) => then(pair) === 'suspicious');
  const examples = is === was ? null : is ? tally.newlySuspicious : tally.noLongerSuspicious;
  if (examples !== null && examples.length < MAX_EXAMPLES) examples.push(unitId);
}
