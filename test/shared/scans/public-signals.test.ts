import { expect } from 'chai';
import type { ImpossibleTravelSignal } from '../../../shared/risk/types.ts';
import { publicSignals } from '../../../shared/scans/public-signals.ts';

describe('signals for everybody', () => {
  it('tell no journey as slower than the threshold that it passed', () => {
    const journey: ImpossibleTravelSignal = {
      type: 'impossible_travel',
      weight: 13,
      from: { country: 'DE', lat: 50, lon: 10, accuracyKm: 16, at: '2026-11-26T08:00:00.000Z' },
      to: { country: 'PL', lat: 49.9, lon: 14.1, accuracyKm: 16, at: '2026-11-26T08:15:00.000Z' },
      distanceKm: 290,
      adjustedKm: 260,
      minutes: 15,
      speedKmh: 1040,
      thresholdKmh: 1000,
    };
    expect(publicSignals([journey])[0]).to.include({
      distanceKm: 300,
      adjustedKm: 300,
      speedKmh: 1200,
      thresholdKmh: 1000,
    });
    // At one and the same moment as if a minute had passed: no speed is infinite.
    expect(publicSignals([{ ...journey, minutes: 0 }])[0]).to.include({ minutes: 0, speedKmh: 18_000 });
  });
});
