/** Positions made coarse when exact ones have served their time (docs/privacy.md): one decimal, 11 km. */
import type { CloneSignal, Fix, KnownPlace, PlaceEvidence, RiskProfile, RiskSignal } from './types.ts';

/** Half of a tenth of a degree, and somewhat more than that: what is left may be wrong by so much. */
export const COARSE_KM = 11;

interface Position {
  lat: number;
  lon: number;
}

const tenth = (degrees: number): number => Math.round(degrees * 10) / 10;
const rough = <T extends Position>(at: T): T => ({ ...at, lat: tenth(at.lat), lon: tenth(at.lon) });
/** A place to a tenth of a degree, with a radius that says so. */
export const coarsePlace = <T extends Position & { accuracyKm: number }>(at: T): T => ({
  ...rough(at),
  accuracyKm: Math.max(COARSE_KM, at.accuracyKm),
});

/**
 * A place as evidence names it. A visitor's own position is in other visitors' evidence, which lives as long as their scans and
 * events: there it is coarse from the beginning. An address's place is coarse by itself.
 */
export const shownPlace = <T extends Position & { accuracyKm: number }>(at: T): T =>
  at.accuracyKm < COARSE_KM ? coarsePlace(at) : at;

/** The same reasons, with positions that name a town and not a house. Distances and times stay. */
export const coarseSignals = (signals: readonly RiskSignal[]): RiskSignal[] => signals.map(coarseSignal);

function coarseSignal(signal: RiskSignal): RiskSignal {
  if (signal.type === 'impossible_travel')
    return {
      ...signal,
      from: coarsePlace<PlaceEvidence>(signal.from),
      to: coarsePlace<PlaceEvidence>(signal.to),
    };
  if (signal.type === 'clone')
    return { ...signal, places: signal.places.map(rough<CloneSignal['places'][number]>) };
  return signal;
}

/** What the rules remember of a unit, likewise. */
export function coarseProfile(profile: RiskProfile): RiskProfile {
  const { jump } = profile;
  return {
    ...profile,
    places: profile.places.map(coarsePlace<KnownPlace>),
    fixes: profile.fixes.map(coarsePlace<Fix>),
    jump: jump && { ...jump, from: coarsePlace(jump.from), to: coarsePlace(jump.to) },
  };
}
