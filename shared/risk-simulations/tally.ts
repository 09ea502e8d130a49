/** What a simulation counts, unit by unit. */
import { rescore } from '../risk/score.ts';
import type { RiskPolicy } from '../risk/policy.ts';
import type { RiskAssessment, RiskScan, RiskVerdict, UnitContext } from '../risk/types.ts';

export interface Counts {
  suspiciousScans: number;
  suspiciousUnits: number;
  divertedScans: number;
  divertedUnits: number;
}

export interface Tally {
  scans: number;
  units: number;
  /** Under the policy that is tried. */
  simulated: Counts;
  /** As it was recorded. */
  recorded: Counts;
  /** Scans by signal, under the policy. */
  signals: Record<string, number>;
  /** UUIDs of the first units that would be suspicious and are not, and the other way round. */
  newlySuspicious: string[];
  noLongerSuspicious: string[];
}

/** A recorded scan, and what the rules said of it at the time. */
export interface RecordedScan {
  scan: RiskScan;
  verdict: RiskVerdict;
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
  simulated: noCounts(),
  recorded: noCounts(),
  signals: {},
  newlySuspicious: [],
  noLongerSuspicious: [],
});

function count(counts: Counts, verdicts: readonly RiskVerdict[]): boolean {
  const suspicious = verdicts.filter((verdict) => verdict === 'suspicious').length;
  const diverted = verdicts.filter((verdict) => verdict === 'diverted').length;
  counts.suspiciousScans += suspicious;
  counts.divertedScans += diverted;
  if (suspicious > 0) counts.suspiciousUnits += 1;
  if (diverted > 0) counts.divertedUnits += 1;
  return suspicious > 0;
}

/** Scores a unit's history under a policy and adds the outcome to the tally, which it changes. */
export function tallyUnit(
  tally: Tally,
  unitId: string,
  history: readonly RecordedScan[],
  context: UnitContext,
  policy: RiskPolicy,
): void {
  if (history.length === 0) return;
  const scans = history.map(({ scan }) => scan);
  const assessments: readonly RiskAssessment[] = rescore(scans, context, policy).assessments;
  tally.scans += history.length;
  tally.units += 1;
  const would = count(
    tally.simulated,
    assessments.map(({ verdict }) => verdict),
  );
  const did = count(
    tally.recorded,
    history.map(({ verdict }) => verdict),
  );
  for (const { signals } of assessments)
    for (const { type } of signals) tally.signals[type] = (tally.signals[type] ?? 0) + 1;
  const examples = would === did ? null : would ? tally.newlySuspicious : tally.noLongerSuspicious;
  if (examples !== null && examples.length < MAX_EXAMPLES) examples.push(unitId);
}
