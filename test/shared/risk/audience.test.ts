import { expect } from 'chai';
import {
  anotherVisitorRate,
  forgottenPrice,
  NO_AUDIENCE,
  withUnit,
  type Audience,
} from '../../../shared/risk/audience.ts';
import { DEFAULT_POLICY, resolvePolicy } from '../../../shared/risk/policy.ts';
import { textReplayer } from '../../../shared/risk/replay.ts';
import { rescore } from '../../../shared/risk/score.ts';
import type { RiskScan, Visitor } from '../../../shared/risk/types.ts';
import { ANYWHERE, last, scanAt } from './scans.ts';

/** A unit that so many people met, nobody of whom is remembered. */
const met = (visitors: number) => ({ visitors, recent: [] });
/** A unit's visitors, of whom each looked again in the same session after so many minutes. */
const seenAgain = (...minutes: number[]) => ({
  visitors: minutes.length,
  recent: minutes.map((after, i): Visitor => [`v${i}`, '', -1, 0, after, after]),
});

/** An organization with many units, each of which met so many people. */
const organizationOf = (visitors: number[]): Audience =>
  Array.from({ length: 500 }, (_, i) => visitors[i % visitors.length]!).reduce(
    (audience, visitors) => withUnit(audience, null, met(visitors)),
    NO_AUDIENCE,
  );
const SPARE_PARTS = organizationOf([1, 1, 2, 2, 3]);
const BAR_BOTTLES = organizationOf([3, 5, 6, 9]);

describe('an organization’s audience', () => {
  it('counts each unit with what it has, however it came to that', () => {
    let stepwise = NO_AUDIENCE;
    for (let visitors = 0; visitors < 9; visitors++)
      stepwise = withUnit(stepwise, met(visitors), met(visitors + 1));
    expect(stepwise).to.deep.equal(withUnit(NO_AUDIENCE, null, met(9)));
    expect(stepwise).to.deep.equal({ chances: 3, met: 3, looks: 0, known: 0 });
    expect(withUnit(NO_AUDIENCE, null, met(3))).to.deep.equal({ chances: 2, met: 1, looks: 0, known: 0 });
  });

  it('takes back what a unit turns out not to have', () => {
    const counted = withUnit(withUnit(SPARE_PARTS, null, met(5)), met(5), met(2));
    expect(counted).to.deep.equal(withUnit(SPARE_PARTS, null, met(2)));
    expect(withUnit(counted, met(2), met(0))).to.deep.equal(SPARE_PARTS);
  });

  it('does not count a display’s hundreds', () => {
    expect(withUnit(NO_AUDIENCE, met(5), met(400))).to.equal(NO_AUDIENCE);
  });

  it('starts from a typical organization, and is moved by many units rather than a few', () => {
    expect(anotherVisitorRate(null)).to.equal(0.5);
    expect(anotherVisitorRate(withUnit(NO_AUDIENCE, null, met(2)))).to.be.closeTo(0.5, 0.01);
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

  it('counts who is known again, no sooner than a visit later, and no display’s hundreds', () => {
    const counted = (...minutes: number[]) => {
      const { looks, known } = withUnit(NO_AUDIENCE, null, seenAgain(...minutes));
      return { looks, known };
    };
    expect(counted()).to.deep.equal({ looks: 0, known: 0 });
    expect(counted(0)).to.deep.equal({ looks: 0, known: 0 });
    expect(counted(9, 0)).to.deep.equal({ looks: 1, known: 0 });
    expect(counted(10, 500)).to.deep.equal({ looks: 3, known: 2 });
    expect(counted(...Array<number>(44).fill(60))).to.deep.equal({ looks: 6, known: 3 });

    // Nobody who has left a network is known by it.
    const byNetwork = { visitors: 1, recent: [['v', 'n', -1, 0, 500] as const] };
    expect(withUnit(NO_AUDIENCE, null, byNetwork)).to.include({ looks: 1, known: 0 });

    const [before, after] = [seenAgain(0, 0), seenAgain(30, 0)];
    const later = withUnit(withUnit(SPARE_PARTS, null, before), before, after);
    expect(later).to.deep.equal(withUnit(SPARE_PARTS, null, after));
    expect(withUnit(later, after, seenAgain())).to.deep.equal(SPARE_PARTS);
  });

  it('takes visitors for fewer people where nobody is known again, and only there', () => {
    const where = (...minutes: number[]): Audience =>
      Array.from({ length: 2000 }).reduce<Audience>(
        (audience) => withUnit(audience, null, seenAgain(...minutes)),
        NO_AUDIENCE,
      );
    expect(forgottenPrice(8, null)).to.equal(0);
    expect(forgottenPrice(8, withUnit(NO_AUDIENCE, null, seenAgain(0, 0, 0)))).to.equal(0);
    expect(forgottenPrice(8, where(60, 0))).to.equal(0);
    expect(forgottenPrice(8, where(0, 0))).to.be.within(1.2, 1.5);
    expect(forgottenPrice(8, where(60, 0, 0, 0, 0))).to.be.within(0.2, 1);
    expect(forgottenPrice(0.3, where(0, 0))).to.be.lessThan(0.16);
    expect(forgottenPrice(-2, where(0, 0))).to.equal(0);
    expect(forgottenPrice(8, { ...NO_AUDIENCE, looks: -5000, known: -900 })).to.equal(0);
  });

  it('makes the same visitors tell less where nobody is known again', () => {
    const among = (known: number, learnVisitors = true) => {
      const audience = { ...NO_AUDIENCE, looks: 5000, known };
      return last(history, { ...ANYWHERE, audience }, resolvePolicy({ clone: { learnVisitors } })).score;
    };
    expect(among(0)).to.be.lessThan(among(2500) - 3);
    expect(among(0, false)).to.equal(among(2500));
  });

  it('is learned from sessions: who comes back in one is known, by the network alone is not', () => {
    const forgotten = (sessionOf: (visit: number) => string) => {
      let audience = NO_AUDIENCE;
      for (let unit = 0; unit < 300; unit++) {
        const visits = [0, 1, 30].map((hours, i) =>
          scanAt(hours, 'paris', sessionOf(i), `n${i === 2 ? 0 : i}`),
        );
        audience = withUnit(audience, null, rescore(visits, ANYWHERE, DEFAULT_POLICY).profile);
      }
      return forgottenPrice(8, audience);
    };
    expect(forgotten((visit) => `s${visit % 2}`)).to.equal(0);
    expect(forgotten((visit) => `s${visit}`)).to.be.greaterThan(0.9);
  });

  it('leaves an impossible journey a verdict at once, also where nobody is known again', () => {
    const among = (known: number, minutes: number) =>
      last([scanAt(0, 'paris', 'a'), scanAt(minutes / 60, 'tokyo', 'b')], {
        ...ANYWHERE,
        audience: { ...NO_AUDIENCE, looks: 5000, known },
      });
    for (const minutes of [0.2, 1, 2]) {
      expect(among(0, minutes)).to.include({ verdict: 'suspicious', score: among(2500, minutes).score });
      expect(among(0, minutes).signals[0]).to.include({ type: 'impossible_travel' });
    }
  });
});
