import { expect } from 'chai';
import {
  anotherVisitorRate,
  NO_AUDIENCE,
  withVisitors,
  type Audience,
} from '../../../shared/risk/audience.ts';
import { DEFAULT_POLICY, resolvePolicy } from '../../../shared/risk/policy.ts';
import { textReplayer } from '../../../shared/risk/replay.ts';
import type { RiskScan } from '../../../shared/risk/types.ts';
import { ANYWHERE, last, scanAt } from './scans.ts';

/** An organization with many units, each of which met so many people. */
const organizationOf = (visitors: number[]): Audience =>
  Array.from({ length: 500 }, (_, i) => visitors[i % visitors.length]!).reduce(
    (audience, met) => withVisitors(audience, 0, met),
    NO_AUDIENCE,
  );
const SPARE_PARTS = organizationOf([1, 1, 2, 2, 3]);
const BAR_BOTTLES = organizationOf([3, 5, 6, 9]);

describe('an organization’s audience', () => {
  it('counts each unit with what it has, however it came to that', () => {
    let stepwise = NO_AUDIENCE;
    for (let visitors = 0; visitors < 9; visitors++)
      stepwise = withVisitors(stepwise, visitors, visitors + 1);
    expect(stepwise).to.deep.equal(withVisitors(NO_AUDIENCE, 0, 9));
    expect(stepwise).to.deep.equal({ chances: 3, met: 3 });
    expect(withVisitors(NO_AUDIENCE, 0, 3)).to.deep.equal({ chances: 2, met: 1 });
  });

  it('takes back what a unit turns out not to have', () => {
    const counted = withVisitors(withVisitors(SPARE_PARTS, 0, 5), 5, 2);
    expect(counted).to.deep.equal(withVisitors(SPARE_PARTS, 0, 2));
    expect(withVisitors(counted, 2, 0)).to.deep.equal(SPARE_PARTS);
  });

  it('does not count a display’s hundreds', () => {
    expect(withVisitors(NO_AUDIENCE, 5, 400)).to.equal(NO_AUDIENCE);
  });

  it('starts from a typical organization, and is moved by many units rather than a few', () => {
    expect(anotherVisitorRate(null)).to.equal(0.5);
    expect(anotherVisitorRate(withVisitors(NO_AUDIENCE, 0, 2))).to.be.closeTo(0.5, 0.01);
    expect(anotherVisitorRate(SPARE_PARTS)).to.be.lessThan(0.35);
    expect(anotherVisitorRate(BAR_BOTTLES)).to.be.greaterThan(0.7);
  });

  it('is bounded, whatever somebody scans in quantity', () => {
    expect(anotherVisitorRate(organizationOf([2]))).to.equal(0.3);
    expect(anotherVisitorRate(organizationOf([9]))).to.equal(0.75);
  });

  // Six strangers within a fortnight at the edges of what one household's positions allow.
  const history = (['paris', 'lyon', 'paris', 'berlin', 'lyon', 'paris'] as const).map((place, i) =>
    scanAt(i * 60, place, `v${i}`),
  );

  it('makes the same visitors tell more where units meet hardly anybody', () => {
    const among = (audience: Audience | null) => last(history, { ...ANYWHERE, audience }).score;
    expect(among(SPARE_PARTS)).to.be.greaterThan(among(null));
    expect(among(null)).to.be.greaterThan(among(BAR_BOTTLES));
  });

  it('is not asked under a policy that leaves it out', () => {
    const policy = resolvePolicy({ clone: { learnVisitors: false } });
    const typical = last(history, ANYWHERE, DEFAULT_POLICY).score;
    expect(last(history, { ...ANYWHERE, audience: SPARE_PARTS }, policy).score).to.equal(typical);
  });

  it('never turns one stranger far away, or a household at one place, into a suspicion', () => {
    const home = Array.from({ length: 12 }, (_, i) => scanAt(i * 100, 'paris', `h${i}`));
    const context = { ...ANYWHERE, audience: organizationOf([2]) };
    expect(last(home, context).verdict).to.equal('clear');
    expect(last([...home, scanAt(1300, 'tokyo', 'vpn')], context).verdict).to.equal('clear');
    expect(last([home[0]!, scanAt(1300, 'tokyo', 'vpn')], context).verdict).to.equal('clear');
  });

  it('is learned by a replay from the lines themselves', () => {
    const line = (unitId: string, { scanId, at, sessionId, place }: RiskScan) =>
      JSON.stringify({ scanId, unitId, at, sessionId, ...place });
    const scoresAfter = (visitorsEach: number) => {
      const answer = textReplayer(DEFAULT_POLICY);
      for (let visitor = 0; visitor < visitorsEach; visitor++)
        for (let unit = 0; unit < 400; unit++)
          answer(line(`u${unit}`, scanAt(visitor - 5000, 'paris', `${unit}.${visitor}`)));
      return history.map((scan) => answer(line('watched', scan)).score);
    };
    expect(scoresAfter(2).at(-1)).to.be.greaterThan(scoresAfter(6).at(-1)!);
  });
});
