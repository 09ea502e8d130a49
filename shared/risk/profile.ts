/** Copies of profiles, name by name, as a spread to which a name is added costs a hidden class each time (ADR 0120). */
import type { RiskProfile } from './types.ts';

/** The same profile with another newest scan. */
export function seenAt(before: RiskProfile, lastAt: number): RiskProfile {
  const { version, visitors, inside, outside, nextPlaceId, recent, places, evidence, fixes } = before;
  const { jump, dismissedAt, seenIn, countedBy, suspectedAt, turned, forgiven } = before;
  const after: RiskProfile = {
    version,
    visitors,
    inside,
    outside,
    lastAt,
    nextPlaceId,
    recent,
    places,
    evidence,
    fixes,
    jump,
    dismissedAt,
  };
  if (seenIn !== undefined) after.seenIn = seenIn;
  if (countedBy !== undefined) after.countedBy = countedBy;
  if (suspectedAt !== undefined) after.suspectedAt = suspectedAt;
  if (turned !== undefined) after.turned = turned;
  if (forgiven !== undefined) after.forgiven = forgiven;
  return after;
}
