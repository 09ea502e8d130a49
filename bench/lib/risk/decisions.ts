/**
 * What an organization gains that asks its decisions for a threshold, as a simulation does: the cases of one trace are decided by the
 * truth about each, and the threshold that this suggests is tried on another trace of the same generator.
 */
import { noScores, suggestThreshold } from '../../../shared/risk/calibration.ts';
import { DEFAULT_POLICY } from '../../../shared/risk/policy.ts';
import { ours } from './detectors.ts';
import { measure, type Measures } from './measure.ts';
import type { Trace } from './trace.ts';

export interface Round {
  /** `thresholds.suspicious` */
  threshold: number;
  measured: Measures;
}

/** A scan that raised its unit's highest score. */
interface Rise {
  at: number;
  score: number;
}

/**
 * @param decisions how many of the first cases are decided before the threshold is asked for
 * @param rounds how often that is done, each time on the next seed
 * @returns what each threshold does on the seed after the one that it was asked of, the default one first, on the last of all
 */
export function followDecisions(
  generate: (seed: number) => readonly Trace[],
  seed: number,
  decisions: number,
  rounds: number,
): Round[] {
  let threshold = DEFAULT_POLICY.thresholds.suspicious;
  const thresholds = [threshold];
  for (let round = 0; round < rounds; round++) {
    threshold = suggestedBy(generate(seed + round), threshold, decisions);
    thresholds.push(threshold);
  }
  const judged = generate(seed + rounds);
  return thresholds.map((suspicious) => ({
    threshold: suspicious,
    measured: measure(
      `${suspicious}`,
      judged,
      ours('all rules', { thresholds: { suspicious } }).judge(judged),
    ),
  }));
}

function suggestedBy(traces: readonly Trace[], threshold: number, decisions: number): number {
  const rises = traces.map((): Rise[] => []);
  ours('all rules', { thresholds: { suspicious: threshold } }, (unit, index, { copyScore: score }) => {
    const { at } = traces[unit]!.scans[index]!;
    if (score > (rises[unit]!.at(-1)?.score ?? 0)) rises[unit]!.push({ at, score });
  }).judge(traces);
  const cases = rises
    .map((of, unit) => ({ unit, openedAt: of.find(({ score }) => score >= threshold)?.at ?? Infinity }))
    .filter(({ openedAt }) => openedAt < Infinity)
    .sort((a, b) => a.openedAt - b.openedAt)
    .slice(0, decisions);
  const decided = new Set(cases.map(({ unit }) => unit));
  const now = cases.at(-1)?.openedAt ?? 0;
  const counts = noScores();
  for (const [unit, of] of rises.entries()) {
    const highest = of.findLast(({ at }) => at <= now)?.score ?? 0;
    const decision = !decided.has(unit) ? 'undecided' : traces[unit]!.copied ? 'confirmed' : 'dismissed';
    counts[decision][highest]! += 1;
  }
  return suggestThreshold(counts, threshold) ?? threshold;
}
