import { expect } from 'chai';
import { abroadEvidence, abroadPrice } from '../../../shared/risk/abroad.ts';
import { ageEvidence } from '../../../shared/risk/age.ts';
import { lnBeta } from '../../../shared/risk/beta.ts';
import { DEFAULT_POLICY } from '../../../shared/risk/policy.ts';
import { emptyProfile, rescore, score } from '../../../shared/risk/score.ts';
import type { KnownPlace, RiskProfile, UnitContext } from '../../../shared/risk/types.ts';
import { ANYWHERE, HOUR, last, PLACES, scanAt, START } from './scans.ts';

const DAY = 24 * HOUR;
const place = (name: keyof typeof PLACES, visitors: number, day = 0): KnownPlace => ({
  id: visitors,
  ...PLACES[name],
  visitors,
  first: START / 60_000,
  last: (START + day * DAY) / 60_000,
  cost: 0,
  moves: 0,
  since: 0,
  via: -1,
});
const seen = (inside: number, outside: number, places = [place('paris', 2)]): RiskProfile => ({
  ...emptyProfile(),
  visitors: inside + outside,
  inside,
  outside,
  places,
});
const FRANCE = { markets: ['FR'], activatedAt: START };

describe('visitors abroad', () => {
  it('are one traveller or VPN beside visitors at home, and a case when a second and a third one come', () => {
    const [one, two, three] = [1, 2, 3].map((abroad) =>
      abroadPrice(seen(3, abroad - 1), seen(3, abroad), 'US', FRANCE),
    ) as [number, number, number];
    expect(abroadEvidence(3, 0)).to.be.lessThan(0);
    expect(one).to.be.within(-0.7, 0.5);
    expect(two).to.be.greaterThan(0.9);
    expect(three).to.be.greaterThan(0.5);
  });

  it('are outweighed by those at home, as on a display', () => {
    expect(abroadEvidence(30, 2)).to.be.lessThan(abroadEvidence(3, 2) - 1);
  });

  it('tell nothing more beyond what is counted', () => {
    expect(abroadEvidence(60, 60)).to.equal(abroadEvidence(500, 700));
  });

  it('speak by the markets, against a unit seen at home and abroad, and at home for it', () => {
    const before = seen(1, 1);
    expect(abroadPrice(before, seen(1, 2), 'US', FRANCE)).to.be.greaterThan(0.8);
    expect(abroadPrice(before, seen(2, 1), 'FR', FRANCE)).to.be.lessThan(-0.3);
  });

  it('are paid for by the story of the places as long as there is one beside somebody at home', () => {
    const first = abroadPrice(seen(2, 0), seen(2, 1), 'US', FRANCE);
    expect(first).to.be.lessThan(0.3);
    expect(abroadPrice(seen(2, 1), seen(2, 2), 'US', FRANCE)).to.be.greaterThan(first + 1.5);
  });

  it('and nobody at home speak more for copies when the lot is sold at home, until somebody at home comes', () => {
    const lot = { units: 40, outside: {} };
    const second = (context: UnitContext) => abroadPrice(seen(0, 1), seen(0, 2), 'US', context);
    expect(second({ ...FRANCE, lot })).to.be.greaterThan(second(FRANCE) + 1);
    const home = (context: UnitContext) => abroadPrice(seen(0, 2), seen(1, 2), 'FR', context);
    expect(home({ ...FRANCE, lot })).to.be.lessThan(home(FRANCE) - 1);
  });

  it('and nobody at home, where the lot was diverted to, leave nothing for somebody at home to take back', () => {
    const diverted = { ...FRANCE, lot: { units: 40, outside: { US: 30 } } };
    const before = { ...seen(0, 2), seenIn: 'US' };
    expect(abroadPrice(seen(0, 1), before, 'US', diverted)).to.be.at.most(0);
    const home = (context: UnitContext) => abroadPrice(before, seen(1, 2), 'FR', context);
    expect(home(diverted)).to.equal(home(FRANCE));
  });

  it('are no news where the lot was diverted to', () => {
    const lot = { units: 40, outside: { US: 30 } };
    expect(abroadPrice(seen(1, 1), seen(1, 2), 'US', { ...FRANCE, lot })).to.be.at.most(0);
    expect(
      abroadPrice(seen(1, 1), seen(1, 2), 'JP', { ...FRANCE, lot: { units: 40, outside: {} } }),
    ).to.be.greaterThan(0.8);
  });

  it('are told by the country of most visitors where there are no markets', () => {
    const before = seen(3, 0, [place('paris', 2), place('newYork', 1)]);
    expect(abroadPrice(before, before, 'US', ANYWHERE)).to.be.greaterThan(0.3);
    expect(abroadPrice(before, before, 'JP', ANYWHERE)).to.be.greaterThan(0.3);
    expect(abroadPrice(before, before, 'FR', ANYWHERE)).to.be.lessThan(0);
    expect(abroadPrice(before, before, null, ANYWHERE)).to.equal(0);
  });

  it('bring the verdict earlier than the same journeys at home', () => {
    const history = (['paris', 'berlin', 'lyon', 'berlin'] as const).map((name, i) =>
      scanAt(i * 900, name, `v${i}`),
    );
    const nats = (markets: string[]) =>
      rescore(history, { markets, activatedAt: START }, DEFAULT_POLICY).profile.evidence.far;
    expect(nats(['FR'])).to.be.greaterThan(nats(['FR', 'DE']) + 0.8);
  });

  it('are no evidence as long as there is one visitor', () => {
    const shown = last([scanAt(24 * 300, 'tokyo', 'a')], { ...FRANCE, lot: { units: 40, outside: {} } });
    expect(shown).to.include({ score: 0, verdict: 'clear' });
  });

  it('say as much a while before the newest scan as a while after it', () => {
    const history = [scanAt(-200, 'paris', 'a'), scanAt(-100, 'newYork', 'b'), scanAt(0, 'paris', 'c')];
    const { profile } = rescore(history, FRANCE, DEFAULT_POLICY);
    const [before, after] = [-0.25, 0.25].map(
      (hours) => score(profile, scanAt(hours, 'tokyo', 'd'), FRANCE, DEFAULT_POLICY).profile.evidence,
    );
    expect(before).to.deep.equal(after);
    expect(after!.far).to.be.greaterThan(profile.evidence.far);
  });

  it('are one stranger, however many exits of a VPN were tried within minutes', () => {
    const hops = (['tokyo', 'newYork', 'lagos', 'berlin'] as const).map((exit, i) =>
      scanAt(0.05 * (i + 1), exit, `exit${i}`),
    );
    const history = [scanAt(0, 'paris', 'a'), ...hops, scanAt(24 * 200, 'paris', 'c')];
    expect(last(history, FRANCE).verdict).to.equal('clear');
  });
});

describe('a unit’s age', () => {
  const at = (day: number, activatedAt: number | null = START) =>
    ageEvidence(5, [place('paris', 2, day)], activatedAt);

  it('speaks for a unit in its first weeks, and against it after months', () => {
    expect(at(5)).to.be.lessThan(-0.5);
    expect(at(60)).to.be.greaterThan(at(30));
    expect(at(200)).to.be.greaterThan(0.5);
    expect(at(1000)).to.equal(at(200));
  });

  it('begins in the open, not in the warehouse', () => {
    expect(at(5, START - 1000 * DAY)).to.be.lessThan(at(200));
    expect(at(5, START - 1000 * DAY)).to.equal(at(5, START - 500 * DAY));
  });

  it('is told by its visitors, each one’s, and not by a place to which only a known visitor took it', () => {
    const never = { ...place('tokyo', 0, 900), first: START / 60_000 - 900 * 24 * 60 };
    for (const visitors of [1, 2]) {
      const places = [place('paris', visitors, 60)];
      for (const activatedAt of [START, START - 1000 * DAY])
        expect(ageEvidence(5, [...places, never], activatedAt)).to.equal(ageEvidence(5, places, activatedAt));
      expect(ageEvidence(5, places, START)).to.equal(at(60));
    }
    expect(ageEvidence(5, [place('paris', 1, 5), place('tokyo', 1, 60)], START)).to.equal(at(60));
  });

  it('says nothing of a unit without a date, and little where little speaks against it', () => {
    expect(at(200, null)).to.equal(0);
    expect(ageEvidence(0, [place('paris', 2, 200)], START)).to.equal(0);
    expect(ageEvidence(0.5, [place('paris', 2, 200)], START)).to.be.lessThan(0.25);
  });

  it('is not moved by a reload, however late', () => {
    const history = [scanAt(0, 'paris', 'a'), scanAt(300, 'newYork', 'b'), scanAt(700, 'tokyo', 'c')];
    const reload = scanAt(24 * 400, 'tokyo', 'c');
    expect(last([...history, reload]).score).to.equal(last(history).score);
  });
});

describe('the beta function', () => {
  it('is right for whole and broken numbers', () => {
    expect(lnBeta(3, 4)).to.be.closeTo(Math.log(1 / 60), 1e-8);
    expect(lnBeta(0.5, 0.5)).to.be.closeTo(Math.log(Math.PI), 1e-8);
    expect(lnBeta(20, 31)).to.be.closeTo(lnBeta(31, 20), 1e-12);
  });
});
