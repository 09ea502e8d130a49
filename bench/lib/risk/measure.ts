/** How well a detector does, counted by unit. */
import type { Judgement } from './detectors.ts';
import { fakesScanned, type Trace } from './trace.ts';

/** A copied code counts as positive from this many scanned fakes; with fewer it is neither positive nor honest. */
export const MIN_FAKES = 3;

export interface Measures {
  detector: string;
  precision: number;
  recall: number;
  f1: number;
  prAuc: number;
  falseAlarmsPer1000: number;
  /** How many scans of fakes there had been with the first alert, itself included; null when it never came. */
  firstAlertMedian: number | null;
  firstAlertP90: number | null;
  /** The same in distinct fakes. */
  fakesMedian: number | null;
  /** Share of the copied codes with an alert by the third fake. */
  toldByThird: number;
}

export interface DiversionMeasures {
  detector: string;
  precision: number;
  recall: number;
  /** The same precision when a unit that its owner took abroad counts as a false alarm, too. */
  precisionOfLots: number;
  falseAlarmsPer1000: number;
  /** Of the genuine units called diverted, those that truly were outside their markets, whoever took them there. */
  trulyOutside: number;
}

/** The table's line for copied codes. */
export function measure(name: string, traces: readonly Trace[], judgements: readonly Judgement[]): Measures {
  const ranked: { score: number; positive: boolean }[] = [];
  const delays: number[] = [];
  const fakes: number[] = [];
  let [hits, misses, falseAlarms, honest] = [0, 0, 0, 0];
  for (const [index, trace] of traces.entries()) {
    const { score, firstAlert } = judgements[index]!;
    if (!trace.copied) {
      honest++;
      if (firstAlert >= 0) falseAlarms++;
      ranked.push({ score, positive: false });
    } else if (fakesScanned(trace) >= MIN_FAKES) {
      if (firstAlert >= 0) hits++;
      else misses++;
      ranked.push({ score, positive: true });
      const until = trace.scans.slice(0, firstAlert + 1).filter((scan) => scan.fake > 0);
      delays.push(firstAlert < 0 ? Infinity : until.length);
      fakes.push(firstAlert < 0 ? Infinity : new Set(until.map((scan) => scan.fake)).size);
    }
  }
  const precision = ratio(hits, hits + falseAlarms);
  const recall = ratio(hits, hits + misses);
  return {
    detector: name,
    precision,
    recall,
    f1: ratio(2 * precision * recall, precision + recall),
    prAuc: averagePrecision(ranked),
    falseAlarmsPer1000: (1000 * falseAlarms) / Math.max(1, honest),
    firstAlertMedian: quantile(delays, 0.5),
    firstAlertP90: quantile(delays, 0.9),
    fakesMedian: quantile(fakes, 0.5),
    toldByThird: ratio(fakes.filter((fake) => fake <= 3).length, fakes.length),
  };
}

/**
 * The table's line for diverted lots: positive when the unit's lot was diverted and a scan of it has a country. Units that
 * really were outside their markets in an owner's hands, and copied codes, are neither positive nor a false alarm.
 */
export function measureDiversion(
  name: string,
  traces: readonly Trace[],
  judgements: readonly Judgement[],
): DiversionMeasures {
  let [hits, misses, falseAlarms, others, carried] = [0, 0, 0, 0, 0];
  for (const [index, trace] of traces.entries()) {
    const flagged = judgements[index]!.firstDiversion >= 0;
    if (!trace.diverted) {
      if (flagged && trace.abroad && !trace.copied) carried++;
      if (trace.abroad || trace.copied) continue;
      others++;
      if (flagged) falseAlarms++;
    } else if (trace.scans.some((scan) => (scan.place?.country ?? null) !== null)) {
      if (flagged) hits++;
      else misses++;
    }
  }
  return {
    detector: name,
    precision: ratio(hits, hits + falseAlarms),
    recall: ratio(hits, hits + misses),
    precisionOfLots: ratio(hits, hits + falseAlarms + carried),
    falseAlarmsPer1000: (1000 * falseAlarms) / Math.max(1, others),
    trulyOutside: ratio(hits + carried, hits + carried + falseAlarms),
  };
}

/** Area under the precision-recall curve as average precision; equal scores count together. */
function averagePrecision(ranked: { score: number; positive: boolean }[]): number {
  const sorted = [...ranked].sort((a, b) => b.score - a.score);
  const positives = sorted.filter((unit) => unit.positive).length;
  let [seen, found, area] = [0, 0, 0];
  for (let start = 0; start < sorted.length;) {
    let end = start;
    let added = 0;
    while (end < sorted.length && sorted[end]!.score === sorted[start]!.score) {
      if (sorted[end]!.positive) added++;
      end++;
    }
    seen = end;
    found += added;
    area += (added / Math.max(1, positives)) * (found / seen);
    start = end;
  }
  return area;
}

function quantile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
  return Number.isFinite(value) ? value : null;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
