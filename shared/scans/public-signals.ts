/**
 * Signals as anybody hears them who holds a code. Other visitors' positions are theirs and the organization's: the public is told
 * countries, times and rough distances. Rough, as whoever knows where they stand themselves could work out the other end. Nor is anybody
 * told of other units: who asks from country after country would learn how many were seen, and where they went.
 */
import type { CloneSignal, DiversionSignal, ImpossibleTravelSignal, RiskSignal } from '../risk/types.ts';

/** Distances are told to so many kilometres, upwards as the organization's are: else a speed could be told that is below its threshold. */
const STEP_KM = 50;

interface PublicEnd {
  country: string | null;
  at: string;
}

export type PublicSignal =
  | Exclude<RiskSignal, ImpossibleTravelSignal | CloneSignal | DiversionSignal>
  | Omit<DiversionSignal, 'lot'>
  | (Omit<ImpossibleTravelSignal, 'from' | 'to'> & { from: PublicEnd; to: PublicEnd })
  | (Omit<CloneSignal, 'places' | 'turnedOut'> & {
      places: Omit<CloneSignal['places'][number], 'lat' | 'lon'>[];
    });

export const publicSignals = (signals: readonly RiskSignal[]): PublicSignal[] => signals.map(publicSignal);

function publicSignal(signal: RiskSignal): PublicSignal {
  if (signal.type === 'clone') {
    // What became of its other units is the organization's own.
    const { turnedOut: _turnedOut, places, ...rest } = signal;
    return {
      ...rest,
      places: places.map(({ lat: _lat, lon: _lon, ...place }) => place),
    };
  }
  if (signal.type === 'diversion') {
    const { lot: _lot, ...rest } = signal;
    return rest;
  }
  if (signal.type !== 'impossible_travel') return signal;
  const adjustedKm = rough(signal.adjustedKm);
  return {
    ...signal,
    from: { country: signal.from.country, at: signal.from.at },
    to: { country: signal.to.country, at: signal.to.at },
    distanceKm: rough(signal.distanceKm),
    adjustedKm,
    speedKmh: Math.round((adjustedKm * 60) / Math.max(1, signal.minutes)),
  };
}

const rough = (km: number): number => Math.ceil(km / STEP_KM) * STEP_KM;
