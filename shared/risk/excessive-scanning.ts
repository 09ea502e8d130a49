/**
 * Excessive scanning: more distinct visitors in a sliding window than one object meets. Raw hits never count: GoValid
 * flags at 3 to 5 scans and eqr.link at the fourth, and both cost their users false alarms from honest repeats, so
 * Scantrust counts sessions; here a network counts once, too. The thresholds lie above what one shop's display draws.
 */
import type { RiskPolicy } from './policy.ts';
import type { ExcessiveScanningSignal, Visitor } from './types.ts';
import { visitorsWithin } from './visitors.ts';

/**
 * @param since a dismissal's time: visitors before it count no more
 * @returns the window that is exceeded the most, with `strength` 1 at its threshold; null when none is.
 */
export function excessiveScanning(
  recent: readonly Visitor[],
  at: number,
  since: number | null,
  policy: RiskPolicy,
): { strength: number; signal: Omit<ExcessiveScanningSignal, 'weight'> } | null {
  let worst: ReturnType<typeof excessiveScanning> = null;
  for (const window of policy.excessiveScanning.windows) {
    const visitors = visitorsWithin(recent, at, window.hours, since);
    const strength = visitors / window.visitors;
    if (strength < 1 || (worst !== null && worst.strength >= strength)) continue;
    worst = {
      strength,
      signal: {
        type: 'excessive_scanning',
        visitors,
        windowHours: window.hours,
        threshold: window.visitors,
      },
    };
  }
  return worst;
}
