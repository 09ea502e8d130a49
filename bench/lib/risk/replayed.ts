/** These rules as `risk:replay` runs them, on lines that name no lot. */
import { resolvePolicy } from '../../../shared/risk/policy.ts';
import { replayer } from '../../../shared/risk/replay.ts';
import { inOrderOfTime, type Detector, type Judgement } from './detectors.ts';
import type { Trace, TraceScan } from './trace.ts';

/** Lots that only the days of activation tell. */
export const BY_ACTIVATION = replayed('no lots named', false);

/** Lots that nothing tells: as if whatever an organization has had been activated at once. */
export const BY_MARKETS = replayed('no lots told', true);

function replayed(name: string, atOnce: boolean): Detector {
  return {
    name,
    judge(traces) {
      const replay = replayer(resolvePolicy({}));
      const first = traces.reduce((earliest, { activatedAt }) => Math.min(earliest, activatedAt), Infinity);
      const results = traces.map((): Judgement => ({ score: 0, firstAlert: -1, firstDiversion: -1 }));
      for (const { unit, index } of inOrderOfTime(traces)) {
        const trace = traces[unit]!;
        const activatedAt = atOnce ? first : trace.activatedAt;
        const { score, result } = replay(lineOf(trace, trace.scans[index]!, activatedAt));
        const judged = results[unit]!;
        judged.score = Math.max(judged.score, score);
        if (result === 'suspicious' && judged.firstAlert < 0) judged.firstAlert = index;
        if (result === 'diverted' && judged.firstDiversion < 0) judged.firstDiversion = index;
      }
      return results;
    },
  };
}

const lineOf = ({ unitId, markets }: Trace, scan: TraceScan, activatedAt: number): string =>
  JSON.stringify({
    scanId: scan.scanId,
    unitId,
    at: scan.at,
    lat: scan.place?.lat ?? null,
    lon: scan.place?.lon ?? null,
    accuracyKm: scan.place?.accuracyKm ?? null,
    country: scan.place?.country ?? null,
    source: scan.place?.source ?? null,
    sessionId: scan.sessionId,
    networkId: scan.networkId,
    markets,
    activatedAt,
  });
