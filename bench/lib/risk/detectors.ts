/**
 * Everything that is measured on the same traces: these rules, each alone and together, and what others use. A detector
 * says of each scan of a unit how suspicious it is and whether it raises an alert.
 */
import { distanceKm } from '../../../shared/risk/geo.ts';
import { NO_AUDIENCE, withUnit } from '../../../shared/risk/audience.ts';
import { resolvePolicy, type RiskPolicyOverride } from '../../../shared/risk/policy.ts';
import { isSoldIn } from '../../../shared/risk/diversion.ts';
import { Recollection } from '../../../shared/risk/recollection.ts';
import { rescore, score } from '../../../shared/risk/score.ts';
import { Sightings } from '../../../shared/risk/sightings.ts';
import type { DiversionSignal, RiskAssessment, RiskProfile, RiskScan } from '../../../shared/risk/types.ts';
import type { Trace } from './trace.ts';

export interface Judgement {
  /** Highest score of any scan; ranks units for the area under the precision-recall curve. */
  score: number;
  /** Index of the first scan that was called suspicious, -1 for none. */
  firstAlert: number;
  /** Index of the first scan that was called diverted, -1 for none. */
  firstDiversion: number;
}

export interface Detector {
  name: string;
  /** Judges one organization's units; most look at each by itself. @returns a judgement for each, in their order */
  judge(traces: readonly Trace[]): Judgement[];
}

const each = (name: string, judge: (trace: Trace) => Judgement): Detector => ({
  name,
  judge: (traces) => traces.map(judge),
});

export const unjudged = (): Judgement => ({ score: 0, firstAlert: -1, firstDiversion: -1 });

/** Takes a scan's verdict into its unit's judgement. */
export function note(judged: Judgement, index: number, score: number, verdict: string): void {
  judged.score = Math.max(judged.score, score);
  if (verdict === 'suspicious' && judged.firstAlert < 0) judged.firstAlert = index;
  if (verdict === 'diverted' && judged.firstDiversion < 0) judged.firstDiversion = index;
}

const diversionOf = ({ signals }: RiskAssessment): DiversionSignal | undefined =>
  signals.find((signal): signal is DiversionSignal => signal.type === 'diversion');

/**
 * These rules under a policy, scan by scan in order of time, as the worker runs them, with its reviews of a lot that turns.
 * @param onScored told of each scan's assessment, by the numbers of its unit and of the scan in it
 */
export function ours(
  name: string,
  override: RiskPolicyOverride = {},
  onScored: (unit: number, index: number, assessment: RiskAssessment) => void = () => undefined,
  recollect: () => Pick<Recollection, 'hindsight' | 'note'> = () => new Recollection(),
): Detector {
  const policy = resolvePolicy(override);
  return {
    name,
    judge(traces) {
      const results = traces.map(unjudged);
      const profiles = traces.map((): RiskProfile | null => null);
      const sightings = new Sightings();
      let audience = NO_AUDIENCE;
      const recollection = recollect();
      /** By lot and country: the scans that were let pass; null once they were judged again. */
      const letPass = new Map<string, { unit: number; index: number }[] | null>();
      const judgeAgain = (unit: number, index: number) => {
        const { markets, activatedAt, scans } = traces[unit]!;
        const others = sightings.about(traces[unit]!, profiles[unit]!, policy.diversion.lotUnits);
        const { hindsight } = recollection;
        const so = scans.slice(0, index + 1);
        const { assessments } = rescore(so, { markets, activatedAt, ...others, audience, hindsight }, policy);
        const result = results[unit]!;
        if (assessments.at(-1)!.verdict === 'diverted' && result.firstDiversion < 0)
          result.firstDiversion = index;
      };
      for (const { unit, index } of inOrderOfTime(traces)) {
        const { markets, activatedAt, scans, lotId } = traces[unit]!;
        const before = profiles[unit]!;
        const others = sightings.about(traces[unit]!, before, policy.diversion.lotUnits);
        const { hindsight } = recollection;
        const context = { markets, activatedAt, ...others, audience, hindsight };
        const assessment = score(before, scans[index]!, context, policy);
        profiles[unit] = assessment.profile;
        sightings.note(traces[unit]!, before, assessment.profile);
        audience = withUnit(audience, before, assessment.profile);
        recollection.note(traces[unit]!.unitId, assessment);
        note(results[unit]!, index, assessment.score, assessment.verdict);
        onScored(unit, index, assessment);
        const diversion = diversionOf(assessment);
        if (diversion === undefined) continue;
        const turn = `${lotId} ${diversion.country}`;
        const waiting = letPass.get(turn);
        if (waiting === null) continue;
        if (diversion.reason === 'lot-inside' && assessment.profile.seenIn === diversion.country)
          letPass.set(turn, [...(waiting ?? []), { unit, index }]);
        else if (
          assessment.verdict === 'diverted' &&
          isSoldIn(sightings.othersOfLot(lotId, before), diversion.country, policy)
        ) {
          letPass.set(turn, null);
          for (const each of waiting ?? []) judgeAgain(each.unit, each.index);
        }
      }
      return results;
    },
  };
}

/** The scans of all units as they come in. */
export function inOrderOfTime(traces: readonly Trace[]): { unit: number; index: number; at: number }[] {
  return traces
    .flatMap(({ scans }, unit) => scans.map(({ at }, index) => ({ unit, index, at })))
    .sort((a, b) => a.at - b.at || a.unit - b.unit || a.index - b.index);
}

/** Whoever counts places roughly takes everything within this distance for one. */
const ONE_TOWN_KM = 50;

const OFF = { enabled: false };

/** The rules one by one. */
export const SINGLE_RULES: Detector[] = [
  ours('clone alone', { impossibleTravel: OFF, excessiveScanning: OFF, diversion: OFF }),
  ours('impossible travel alone', { clone: OFF, excessiveScanning: OFF, diversion: OFF }),
  ours('excessive scanning alone', { clone: OFF, impossibleTravel: OFF, diversion: OFF }),
];

/** Datadog: over 1000 km/h and over 500 km between consecutive scans, unless the pair of places was seen before. */
export const DATADOG = travelRule('Datadog', 1000, 500, true);
/** Panther: over 900 km/h, and at least 50 km. */
export const PANTHER = travelRule('Panther', 900, 50, false);
/** A plain count: suspicious from the fourth scan on. */
export const COUNT_OF_4 = each('count of 4', ({ scans }) => ({
  score: scans.length,
  firstAlert: scans.length >= 4 ? 3 : -1,
  firstDiversion: -1,
}));

/** A rough count of places that cannot be one: three positions, none of them within three times the stated radii of another. */
export const PLACES = each('three places', ({ scans }) => {
  const places: RiskScan[] = [];
  let firstAlert = -1;
  for (const [index, scan] of scans.entries()) {
    if (scan.place === null || scan.place.lat === null) continue;
    if (places.some((other) => mayBeOne(other, scan))) continue;
    if (places.push(scan) === 3) firstAlert = index;
  }
  return { score: places.length, firstAlert, firstDiversion: -1 };
});

/** Diversion as it is usually told: any scan whose country is not among the markets. */
export const COUNTRY_CHECK = each('country not in markets', ({ scans, markets }) => ({
  score: 0,
  firstAlert: -1,
  firstDiversion:
    markets.length === 0
      ? -1
      : scans.findIndex(
          ({ place }) => (place?.country ?? null) !== null && !markets.includes(place!.country!),
        ),
}));

function travelRule(name: string, maxSpeedKmh: number, minKm: number, suppressKnown: boolean): Detector {
  return each(name, (trace) => {
    const result: Judgement = { score: 0, firstAlert: -1, firstDiversion: -1 };
    const known = new Set<string>();
    let from: RiskScan | null = null;
    for (const [index, to] of trace.scans.entries()) {
      if (to.place === null || to.place.lat === null) continue;
      if (from !== null) {
        const speed = speedBetween(from, to, minKm);
        const pair = `${from.place!.country}>${to.place.country}`;
        if (!(suppressKnown && known.has(pair))) {
          // Below the limit, too, as ours is ranked below its threshold: the area under its curve is the whole rule's.
          result.score = Math.max(result.score, speed);
          if (speed > maxSpeedKmh && result.firstAlert < 0) result.firstAlert = index;
        }
        known.add(pair);
      }
      from = to;
    }
    return result;
  });
}

function mayBeOne(from: RiskScan, to: RiskScan): boolean {
  const radii = (from.place!.accuracyKm ?? 50) + (to.place!.accuracyKm ?? 50);
  return (
    distanceKm(from.place!.lat!, from.place!.lon!, to.place!.lat!, to.place!.lon!) <=
    Math.max(ONE_TOWN_KM, 3 * radii)
  );
}

function speedBetween(from: RiskScan, to: RiskScan, minKm: number): number {
  const a = from.place!;
  const b = to.place!;
  const km = distanceKm(a.lat!, a.lon!, b.lat!, b.lon!);
  return km <= minKm ? 0 : km / Math.max((to.at - from.at) / 3_600_000, 1 / 3600);
}
