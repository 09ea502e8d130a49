import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../shared/risk/policy.ts';
import { ProfileStore } from '../../../shared/risk/profile-store.ts';
import { rescore } from '../../../shared/risk/score.ts';
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

  it('gives back exactly what was put in, however many units came after', () => {
    const store = new ProfileStore<string>(100);
    store.set('first', profile);
    for (let i = 0; i < 500; i++) store.set(`u${i}`, { ...profile, visitors: i });
    expect(store.get('first')).to.deep.equal(profile);
    expect(store.get('u3')?.visitors).to.equal(3);
    expect(store.get('never')).to.equal(null);
  });

  it('never gives back an older state of a unit', () => {
    const store = new ProfileStore<string>(100);
    for (let round = 0; round < 5; round++) {
      store.set('unit', { ...profile, visitors: round });
      for (let i = 0; i < 150; i++) store.set(`u${i}`, profile);
      expect(store.get('unit')?.visitors).to.equal(round);
    }
  });
});
