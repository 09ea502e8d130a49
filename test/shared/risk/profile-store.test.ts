import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../shared/risk/policy.ts';
import { ProfileStore } from '../../../shared/risk/profile-store.ts';
import { rescore } from '../../../shared/risk/score.ts';
import type { RiskProfile } from '../../../shared/risk/types.ts';
import { ANYWHERE, scanAt } from './scans.ts';

describe('profile store', () => {
  const { profile } = rescore(
    [
      scanAt(0, 'paris', 'a'),
      scanAt(0.1, 'newYork', 'b', 'n1'),
      scanAt(50, null, 'c'),
      scanAt(80, 'tokyo', null),
    ],
    ANYWHERE,
    DEFAULT_POLICY,
  );
  let store: ProfileStore;
  // So little memory that most profiles go to the file.
  beforeEach(() => {
    store = new ProfileStore({ segmentBytes: 10_000, segmentsInMemory: 2 });
  });
  afterEach(() => store.close());

  it('gives back exactly what was put in, however many units came after', () => {
    store.set(0, profile);
    for (let i = 1; i < 70_000; i++) store.set(i, { ...profile, visitors: i });
    expect(store.get(0)).to.deep.equal(profile);
    for (let i = 1; i < 70_000; i += 999) expect(store.get(i)?.visitors).to.equal(i);
    for (const never of [70_000, 1e9]) expect(store.get(never)).to.equal(null);
  });

  it('never gives back an older state of a unit, wherever that lies and however it grew', () => {
    for (let round = 0; round < 5; round++) {
      const places = Array.from({ length: round + 1 }, () => profile.places[0]!);
      store.set(0, { ...profile, visitors: round, places });
      expect(store.get(0)).to.deep.equal({ ...profile, visitors: round, places });
      for (let i = 1; i <= 150; i++) store.set(i, profile);
      expect(store.get(0)).to.deep.equal({ ...profile, visitors: round, places });
    }
  });

  it('keeps every field, absent, null or filled', () => {
    const { visitor, ...ofNobody } = profile.jump!;
    expect(visitor).not.to.equal(undefined);
    const states: RiskProfile[] = [
      { ...profile, seenIn: null, outside: 2 / 3, dismissedAt: 1.7e12, evidence: { far: -0.0001, near: -8 } },
      { ...profile, evidence: { far: 1, near: -8, outlets: -2 } },
      { ...profile, seenIn: 'FR', jump: null, lastAt: 8.64e15 },
      { ...profile, recent: [], places: [], fixes: [] },
      {
        ...profile,
        recent: [
          ['a', '', 3, 29_000_000, 7],
          ['', 'b', -1, 29_000_000],
          ['c', 'd', 0, 29_000_000, 70_000, 12],
          ['e', 'f', 2, 29_000_000, 0, 0, 1],
          [-(2 ** 31), '', 3, 29_000_000],
          ['', 2 ** 31 - 1, 3, 29_000_000],
        ],
      },
      { ...profile, dismissedAt: 1.7e12, forgiven: { inside: 2, outside: 4 / 3, most: 3, elsewhere: 0 } },
      { ...profile, suspectedAt: 1.7e12 },
      { ...profile, turned: true },
      { ...profile, jump: ofNobody },
      { ...profile, jump: { ...ofNobody, visitor: ['', 'x'.repeat(40)] } },
      { ...profile, jump: { ...ofNobody, visitor: [0, -1] } },
      { ...profile, places: profile.places.map((place) => ({ ...place, country: null })) },
      { ...profile, fixes: profile.fixes.map((fix) => ({ ...fix, country: null, placeId: 127 })) },
      { ...profile, nextPlaceId: 128, visitors: 2 ** 40 },
      { ...profile, countedBy: '' },
      { ...profile, countedBy: '1xk2f9a' },
      {
        ...profile,
        suspectedAt: 1.7e12,
        forgiven: { inside: 0, outside: 1, most: 1, elsewhere: 0 },
      },
      { ...profile, places: profile.places.map((place) => ({ ...place, ofUnknownKind: true as const })) },
    ];
    for (const [unit, state] of states.entries()) store.set(unit, state);
    for (const [unit, state] of states.entries()) expect(store.get(unit)).to.deep.equal(state);
  });
});
