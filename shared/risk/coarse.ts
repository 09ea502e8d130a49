/** Positions made coarse when exact ones have served their time (docs/privacy.md): one decimal, 11 km. */
import type { CloneSignal, Fix, KnownPlace, PlaceEvidence, RiskProfile, RiskSignal } from './types.ts';

/** Half of a tenth of a degree, and somewhat more than that: what is left may be wrong by so much. */
export const COARSE_KM = 11;

interface Position {
  lat: number;
  lon: number;
}

/** As Postgres rounds a decimal, halves away from zero: both must cut the same position to the same cell of the map. */
const tenth = (degrees: number): number =>
  (Math.sign(degrees) * Math.round(Math.abs(degrees) * 10 + 1e-9)) / 10 + 0;
/** A position cut to one decimal. */
export const rough = <T extends Position>(at: T): T => ({ ...at, lat: tenth(at.lat), lon: tenth(at.lon) });
/**
 * A place to a tenth of a degree, with a radius that says so. So evidence names places from the beginning: it lives as long as other
 * visitors' scans and events. By its radius nobody knows a visitor's own position, whose is as large as the address's place is far.
 */
export const coarsePlace = <T extends Position & { accuracyKm: number }>(at: T): T => ({
  ...rough(at),
  accuracyKm: Math.max(COARSE_KM, at.accuracyKm),
});

/** The same reasons, with positions that name a town and not a house, as an earlier release recorded them. Distances and times stay. */
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
