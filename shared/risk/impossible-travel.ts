/**
 * Impossible travel: two different visitors, too far apart for the time between them, even when each position is
 * wrong by its whole uncertainty radius. Threshold 1000 km/h (Datadog's; Panther takes 900), above any airliner's
 * door-to-door speed. Positions from mobile networks are off by 190 km in the median, so the radii come off the
 * distance before it is divided, and what remains must exceed a floor and the radii themselves.
 *
 * One visitor seen in two places is no such case: one browser is in one place, so the position is wrong (a VPN).
 */
import { coarseJourney, coarsePlace, MIN_JOURNEY_MINUTES } from './coarse.ts';
import { distanceKm } from './geo.ts';
import type { RiskPolicy } from './policy.ts';
import type { Fix, ImpossibleTravelSignal, Jump, PlaceEvidence } from './types.ts';

/** Positions remembered for comparison. */
export const MAX_FIXES = 4;
/**
 * The shorter the gap, the less an honest second visitor with a wrong position explains it: evidence in nats for a gap
 * of up to a minute and a half, and what each doubling of it takes off. Families and shoppers look within minutes of each other, and
 * one of thirty has a wrong position: beyond two and a half minutes one journey alone is no verdict.
 */
const HASTE_AT_ONCE = 5.4;
const AT_ONCE_MINUTES = 1.5;
const HASTE_PER_DOUBLING = 1.4;

/**
 * The most telling impossible journey between a new visitor's position and the recent ones of others.
 * @param crowd visitors within the last week: in a busy shop somebody is always near in time
 */
export function findJump(fixes: readonly Fix[], to: Fix, crowd: number, policy: RiskPolicy): Jump | null {
  let best: Jump | null = null;
  for (const from of fixes) {
    const jump = judge(from, to, crowd, policy);
    if (jump !== null && (best === null || jump.nats > best.nats)) best = jump;
  }
  return best;
}

/** The signal that tells a jump in full. */
export function impossibleTravelSignal(
  jump: Jump,
  weight: number,
  policy: RiskPolicy,
): ImpossibleTravelSignal {
  // Downwards, as distances are told upwards: the speed is not to be told below the threshold that it passed.
  const minutes = Math.floor(Math.abs(jump.to.at - jump.from.at) / 6000) / 10;
  const { distanceKm: distance, adjustedKm, speedKmh } = coarseJourney(jump, minutes);
  return {
    type: 'impossible_travel',
    weight,
    from: placeEvidence(jump.from),
    to: placeEvidence(jump.to),
    distanceKm: distance,
    adjustedKm,
    minutes,
    speedKmh,
    thresholdKmh: policy.impossibleTravel.maxSpeedKmh,
  };
}

function judge(from: Fix, to: Fix, crowd: number, policy: RiskPolicy): Jump | null {
  const { maxSpeedKmh, minDistanceKm } = policy.impossibleTravel;
  const minutes = Math.max(MIN_JOURNEY_MINUTES, Math.abs(to.at - from.at) / 60_000);
  const distance = distanceKm(from.lat, from.lon, to.lat, to.lon);
  const radii = from.accuracyKm + to.accuracyKm;
  const adjusted = Math.max(0, distance - radii);
  const speed = (adjusted * 60) / minutes;
  if (adjusted < Math.max(minDistanceKm, radii) || speed <= maxSpeedKmh) return null;
  const doublings = Math.max(0, Math.log2(minutes / AT_ONCE_MINUTES));
  const haste = HASTE_AT_ONCE - HASTE_PER_DOUBLING * doublings;
  const nats = Math.max(0, haste - Math.log(Math.max(1, crowd / 2)));
  return { from, to, distanceKm: distance, adjustedKm: adjusted, speedKmh: speed, nats };
}

function placeEvidence(fix: Fix): PlaceEvidence {
  const { country, lat, lon, accuracyKm, at } = coarsePlace(fix);
  return { country, lat, lon, accuracyKm, at: new Date(at).toISOString() };
}
