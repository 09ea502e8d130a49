/** Replay of recorded scans: JSON lines in, verdicts out, with the very rules that the worker uses. */
import { z } from 'zod';
import type { RiskPolicy } from './policy.ts';
import { score } from './score.ts';
import type { RiskProfile, RiskSignal, RiskVerdict } from './types.ts';

/** Milliseconds (or seconds, before the year 5138) since the epoch, or ISO 8601. */
const time = z.union([z.number(), z.string()]).transform((value, context) => {
  const at = typeof value === 'string' ? Date.parse(value) : Math.abs(value) < 1e11 ? value * 1000 : value;
  if (!Number.isFinite(at)) context.addIssue({ code: 'custom', message: 'not a time' });
  return at;
});
const identifier = z.union([z.string().min(1), z.number()]);

const replayLine = z.object({
  scanId: identifier,
  unitId: identifier,
  at: time,
  lat: z.number().min(-90).max(90).nullish(),
  lon: z.number().min(-180).max(180).nullish(),
  accuracyKm: z.number().min(0).max(21_000).nullish(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .nullish(),
  sessionId: z.string().nullish(),
  networkId: z.string().nullish(),
  markets: z.array(z.string().regex(/^[A-Za-z]{2}$/)).nullish(),
  activatedAt: time.nullish(),
});

/** One answer line. */
export interface ReplayAnswer {
  scanId: string | number;
  score: number;
  result: 'genuine' | 'suspicious' | 'diverted';
  signals: RiskSignal[];
}

const RESULTS: Record<RiskVerdict, ReplayAnswer['result']> = {
  clear: 'genuine',
  suspicious: 'suspicious',
  diverted: 'diverted',
};

/**
 * A replay in progress: feed it lines in order of time.
 * @returns a function from one line of JSON to its answer; it throws an Error that names what is wrong with the line
 */
export function replayer(policy: RiskPolicy): (line: string) => ReplayAnswer {
  const profiles = new Map<string | number, RiskProfile>();
  return (line) => {
    const scan = parseLine(line);
    const { scanId, unitId, at } = scan;
    const country = scan.country?.toUpperCase() ?? null;
    const [lat, lon] = [scan.lat ?? null, scan.lon ?? null];
    const located = lat !== null && lon !== null;
    const assessment = score(
      profiles.get(unitId) ?? null,
      {
        scanId: String(scanId),
        at,
        sessionId: scan.sessionId ?? null,
        networkId: scan.networkId ?? null,
        place:
          located || country !== null
            ? {
                lat: located ? lat : null,
                lon: located ? lon : null,
                accuracyKm: scan.accuracyKm ?? null,
                country,
              }
            : null,
      },
      {
        markets: (scan.markets ?? []).map((market) => market.toUpperCase()),
        activatedAt: scan.activatedAt ?? null,
      },
      policy,
    );
    profiles.set(unitId, assessment.profile);
    return {
      scanId,
      score: assessment.score,
      result: RESULTS[assessment.verdict],
      signals: assessment.signals,
    };
  };
}

function parseLine(line: string): z.infer<typeof replayLine> {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    throw new Error(`not JSON: ${(error as Error).message}`, { cause: error });
  }
  const parsed = replayLine.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.') || 'line'}: ${issue?.message ?? 'invalid'}`);
}
