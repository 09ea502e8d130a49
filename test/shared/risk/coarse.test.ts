import { expect } from 'chai';
import { coarseJourney, coarseProfile, coarseSignals, tenth } from '../../../shared/risk/coarse.ts';
import { emptyProfile } from '../../../shared/risk/score.ts';
import type { Fix, RiskSignal } from '../../../shared/risk/types.ts';

const AT = Date.UTC(2026, 0, 1);
const HOME = { lat: 48.8573, lon: 2.3522, accuracyKm: 0.1, country: 'FR' };
const AWAY = { lat: 52.517, lon: 13.389, accuracyKm: 16, country: 'DE' };
const COARSE_HOME = { lat: 48.9, lon: 2.4, accuracyKm: 11, country: 'FR' };
const COARSE_AWAY = { lat: 52.5, lon: 13.4, accuracyKm: 16, country: 'DE' };

describe('a coarse position', () => {
  it('is cut to tenths of a degree as Postgres rounds, halves away from zero, and zero has no sign', () => {
    expect([48.85, 48.849, 16.15, 179.95, 0.05].map(tenth)).to.deep.equal([48.9, 48.8, 16.2, 180, 0.1]);
    expect([-48.85, -48.849, -16.15, -179.95, -0.05].map(tenth)).to.deep.equal([
      -48.9, -48.8, -16.2, -180, -0.1,
    ]);
    for (const degrees of [0, -0, 0.04, -0.04]) expect(Object.is(tenth(degrees), 0)).to.equal(true);
  });
});

describe('a coarse journey', () => {
  it('is no shorter and no slower than it was, in steps of ten kilometres', () => {
    expect(coarseJourney({ distanceKm: 871, adjustedKm: 850 }, 30)).to.deep.equal({
      distanceKm: 880,
      adjustedKm: 850,
      speedKmh: 1700,
    });
  });

  it('took a minute at least', () => {
    for (const minutes of [0, 0.2, 1])
      expect(coarseJourney({ distanceKm: 20, adjustedKm: 8 }, minutes).speedKmh).to.equal(600);
  });
});

describe('coarse evidence', () => {
  it('names a town at both ends of a journey, and keeps its times', () => {
    const journey: RiskSignal = {
      type: 'impossible_travel',
      weight: 70,
      from: { ...HOME, at: '2026-01-01T00:00:00.000Z' },
      to: { ...AWAY, at: '2026-01-01T00:30:00.000Z' },
      distanceKm: 877,
      adjustedKm: 861,
      minutes: 30,
      speedKmh: 1722,
      thresholdKmh: 1000,
    };
    expect(coarseSignals([journey])).to.deep.equal([
      {
        ...journey,
        from: { ...COARSE_HOME, at: journey.from.at },
        to: { ...COARSE_AWAY, at: journey.to.at },
        distanceKm: 880,
        adjustedKm: 870,
        speedKmh: 1740,
      },
    ]);
  });

  it('names towns as the places of copies, and leaves reasons without a place as they are', () => {
    const seen = {
      country: 'FR',
      visitors: 2,
      firstAt: '2026-01-01T00:00:00.000Z',
      lastAt: '2026-01-02T00:00:00.000Z',
    };
    const copies: RiskSignal = {
      type: 'clone',
      weight: 70,
      reason: 'places',
      visitors: 4,
      places: [{ ...seen, lat: HOME.lat, lon: HOME.lon }],
      moves: 1,
      evidence: 7,
      threshold: 5,
    };
    const crowd: RiskSignal = {
      type: 'excessive_scanning',
      weight: 30,
      visitors: 20,
      windowHours: 1,
      threshold: 20,
    };
    expect(coarseSignals([copies, crowd])).to.deep.equal([
      { ...copies, places: [{ ...seen, lat: 48.9, lon: 2.4 }] },
      crowd,
    ]);
  });

  it('is all that a profile remembers: its places, its newest positions and its impossible journey, whichever end came first', () => {
    const fix = (place: typeof HOME, at: number): Fix => ({ ...place, placeId: 0, at });
    const place = { id: 0, visitors: 1, first: 0, last: 0, cost: 0, moves: 0, since: 0, via: -1 };
    const profile = { ...emptyProfile(), places: [{ ...place, ...HOME }], fixes: [fix(HOME, AT)] };
    const coarse = { ...profile, places: [{ ...place, ...COARSE_HOME }], fixes: [fix(COARSE_HOME, AT)] };
    expect(coarseProfile(profile)).to.deep.equal({ ...coarse, jump: null });
    for (const minutes of [30, -30]) {
      const later = AT + minutes * 60_000;
      const told = { visitor: ['a', ''] as const, nats: 3 };
      const measured = { distanceKm: 877.3, adjustedKm: 861.2, speedKmh: 1722 };
      const jump = { ...told, ...measured, from: fix(HOME, AT), to: fix(AWAY, later) };
      expect(coarseProfile({ ...profile, jump }).jump).to.deep.equal({
        ...told,
        distanceKm: 880,
        adjustedKm: 870,
        speedKmh: 1740,
        from: fix(COARSE_HOME, AT),
        to: fix(COARSE_AWAY, later),
      });
    }
  });
});
