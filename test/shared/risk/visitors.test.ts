import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../shared/risk/policy.ts';
import { rescore } from '../../../shared/risk/score.ts';
import { newestVisitorAt, shortKey, sight } from '../../../shared/risk/visitors.ts';
import { ANYWHERE, HOUR, last, scanAt, START } from './scans.ts';

const profileOf = (history: ReturnType<typeof scanAt>[]) =>
  rescore(history, ANYWHERE, DEFAULT_POLICY).profile;

describe('a visitor who looks again', () => {
  const countriesAfter = (history: ReturnType<typeof scanAt>[]) =>
    last(history).profile.places.map(({ country }) => country);

  it('may have taken the object along where there was time for it since the look before, and else has not', () => {
    const home = [scanAt(0, 'paris', 'a'), scanAt(100, 'paris', 'a')];
    expect(countriesAfter([...home, scanAt(120, 'tokyo', 'a')])).to.deep.equal(['FR', 'JP']);
    expect(countriesAfter([...home, scanAt(100.01, 'tokyo', 'a')])).to.deep.equal(['FR']);
  });

  it('is still where the last known position was after a look without one', () => {
    const looks = [scanAt(0, 'paris', 'a'), scanAt(10, null, 'a'), scanAt(30, 'tokyo', 'a')];
    expect(countriesAfter(looks)).to.deep.equal(['FR', 'JP']);
  });

  it('was seen first and last to the minute', () => {
    const looks = [0, 1, 2].map((minutes) => scanAt(minutes / 60, 'paris', 'a'));
    for (const seen of [1, 2, 3])
      expect(sight(profileOf(looks.slice(0, seen)), { session: shortKey('a'), network: '' })).to.include({
        known: true,
        firstSeenAt: START,
        lastSeenAt: START + (seen - 1) * 60_000,
      });
  });
});

describe('the newest visitor', () => {
  const cameAt = (history: ReturnType<typeof scanAt>[]) =>
    (newestVisitorAt(profileOf(history)) - START) / HOUR;

  it('is the last who was new, with a position or without, known by anything or by the place alone', () => {
    const first = scanAt(0, 'paris', 'a');
    const reload = scanAt(9, 'paris', 'a');
    expect(cameAt([first, reload])).to.equal(0);
    expect(cameAt([first, scanAt(5, null, 'b'), reload])).to.equal(5);
    expect(cameAt([first, scanAt(5, 'tokyo', null), reload])).to.equal(5);
    expect(cameAt([first, scanAt(5, 'paris', 'b'), scanAt(6, 'tokyo', 'c'), reload])).to.equal(6);
    // To the millisecond while nobody looked again.
    expect(cameAt([first, scanAt(5.004, null, 'b')])).to.be.closeTo(5.004, 1e-9);
  });
});
