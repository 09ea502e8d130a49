/** These rules as `risk:replay` runs them, on lines that name no lot. */
import { resolvePolicy } from '../../../shared/risk/policy.ts';
import { textReplayer } from '../../../shared/risk/replay.ts';
import { inOrderOfTime, note, unjudged, type Detector } from './detectors.ts';
import { lineOf } from './line.ts';

/** Lots that only the days of activation tell. */
export const BY_ACTIVATION = replayed('no lots named', false);

/** Lots that nothing tells: as if whatever an organization has had been activated at once. */
export const BY_MARKETS = replayed('no lots told', true);

function replayed(name: string, atOnce: boolean): Detector {
  return {
    name,
    judge(traces) {
      const replay = textReplayer(resolvePolicy({}));
      const first = traces.reduce((earliest, { activatedAt }) => Math.min(earliest, activatedAt), Infinity);
      const results = traces.map(unjudged);
      for (const { unit, index } of inOrderOfTime(traces)) {
        const trace = traces[unit]!;
        const told = atOnce ? { ...trace, activatedAt: first } : trace;
        const { score, result } = replay(JSON.stringify(lineOf(told, trace.scans[index]!)));
        note(results[unit]!, index, score, result);
      }
      return results;
    },
  };
}
