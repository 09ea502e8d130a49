/** Positions made coarse when exact ones have served their time (docs/privacy.md): one decimal, 11 km. */
import type { CloneSignal, Fix, KnownPlace, PlaceEvidence, RiskProfile, RiskSignal } from './types.ts';

/** How far a position may be from what is left of it, half of a tenth of a degree each way, and somewhat more than that. */
export const COARSE_KM = 11;
/** The same to the point: a tenth of a degree of latitude is 11.12 km. */
export const CELL_KM = 7.9;
/** Distances are told to so many kilometres: of an exact one, whoever knows its other end could draw a circle through the position. */
const DISTANCE_STEP_KM = 10;
/** Clocks and queues are not exact: no gap between two scans is taken for shorter. */
export const MIN_JOURNEY_MINUTES = 1;

interface Position {
  lat: number;
  lon: number;
}

/** As Postgres rounds a decimal, halves away from zero: both must cut the same position to the same cell of the map. */
export const tenth = (degrees: number): number =>
  (Math.sign(degrees) * Math.round(Math.abs(degrees) * 10 + 1e-9)) / 10 + 0;
/** A position cut to one decimal. */
export const rough = <T extends Position>(at: T): T => ({ ...at, lat: tenth(at.lat), lon: tenth(at.lon) });
/**
 * A place to a tenth of a degree, with a radius that says so. So evidence names places from the beginning: it lives as long as other
 * visitors' scans and events. The radius of a visitor's own position is made of coarse ones (`backedPlace`), and stays.
 */
export const coarsePlace = <T extends Position & { accuracyKm: number }>(at: T): T => ({
  ...rough(at),
  accuracyKm: Math.max(COARSE_KM, at.accuracyKm),
});

interface Journey {
  distanceKm: number;
  adjustedKm: number;
}

/**
 * A journey as it is told: no distance shorter than it was, so that its speed is not below the threshold that it passed.
 * @param minutes at least the one that every journey is taken to last
 */
export function coarseJourney(
  { distanceKm, adjustedKm }: Journey,
  minutes: number,
): Journey & { speedKmh: number } {
  const adjusted = upToStep(adjustedKm);
  return {
    distanceKm: upToStep(distanceKm),
    adjustedKm: adjusted,
    speedKmh: Math.round((adjusted * 60) / Math.max(MIN_JOURNEY_MINUTES, minutes)),
  };
}

const upToStep = (km: number): number => Math.ceil(km / DISTANCE_STEP_KM) * DISTANCE_STEP_KM;

/** The same reasons, with positions that name a town and not a house, as an earlier release recorded them. Times stay. */
export const coarseSignals = (signals: readonly RiskSignal[]): RiskSignal[] => signals.map(coarseSignal);

function coarseSignal(signal: RiskSignal): RiskSignal {
  if (signal.type === 'impossible_travel')
    return {
      ...signal,
      ...coarseJourney(signal, signal.minutes),
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
    jump: jump && {
      ...jump,
      ...coarseJourney(jump, Math.abs(jump.to.at - jump.from.at) / 60_000),
      from: coarsePlace(jump.from),
      to: coarsePlace(jump.to),
    },
  };
}
