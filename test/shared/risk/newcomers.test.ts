import { expect } from 'chai';
import { ofAnyWay, withEvidence } from '../../../shared/risk/evidence.ts';
import { newPlacePrice, visitorPrice } from '../../../shared/risk/newcomers.ts';
import { DEFAULT_POLICY } from '../../../shared/risk/policy.ts';
import { rescore, score } from '../../../shared/risk/score.ts';
import { newVisitor, type Stories } from '../../../shared/risk/story.ts';
import type {
  KnownPlace,
  PlaceSource,
  Position,
  RiskPlace,
  RiskProfile,
} from '../../../shared/risk/types.ts';
import { ANYWHERE, last, PLACES, scanAt, START } from './scans.ts';

const place = (visitors: number): KnownPlace => ({
  id: visitors,
  ...PLACES.paris,
  visitors,
  first: 0,
  last: 0,
  cost: 0,
  moves: 0,
  since: 0,
  via: -1,
});
const WEEK = 7 * 24;

describe('a newcomer', () => {
  it('is no news as the second, and more as the third where units meet few', () => {
    expect(visitorPrice(1, null, 0, 0.3)).to.equal(0);
    expect(visitorPrice(2, null, 0, 0.3)).to.be.greaterThan(visitorPrice(2, null, 0, 0.6) + 0.5);
  });

  it('counts more the longer after the last one, less so among most of the others', () => {
    const stranger = visitorPrice(4, null, WEEK, 0.5);
    const atTheShop = visitorPrice(4, place(3), WEEK, 0.5);
    const elsewhere = visitorPrice(4, place(1), WEEK, 0.5);
    expect(stranger).to.be.greaterThan(visitorPrice(4, null, 1, 0.5));
    expect(elsewhere).to.equal(stranger);
    expect(atTheShop).to.be.lessThan(stranger);
    expect(atTheShop).to.be.greaterThan(visitorPrice(4, place(3), 1, 0.5));
  });

  it('is no later after weeks than after days, and rather the next owner after months', () => {
    const after = (hours: number) => visitorPrice(4, null, hours, 0.5);
    expect(after(4 * 24)).to.be.greaterThan(after(2 * 24) + 0.1);
    expect(after(11 * WEEK)).to.equal(after(4 * 24));
    expect(after(26 * WEEK)).to.be.within(after(4 * 24) - 0.6, after(4 * 24) - 0.3);
    expect(after(53 * WEEK)).to.be.lessThan(after(26 * WEEK) - 0.2);
    expect(after(500 * WEEK)).to.equal(after(53 * WEEK));
  });

  it('counts little beyond the eighth, and nothing beyond the thirtieth', () => {
    expect(visitorPrice(8, null, WEEK, 0.3)).to.be.within(0.01, 0.2);
    expect(visitorPrice(30, null, WEEK, 0.3)).to.equal(0);
  });

  it('speaks for one object at a second place, against it at a third, and louder at a fourth', () => {
    expect(newPlacePrice([])).to.equal(0);
    const [second, third, fourth, fifth] = [1, 2, 3, 4].map((known) =>
      newPlacePrice(Array.from({ length: known }, () => place(1))),
    ) as [number, number, number, number];
    expect(second).to.be.lessThan(0);
    expect(third).to.be.greaterThan(0);
    expect(fourth).to.be.greaterThan(third);
    expect(fifth).to.equal(fourth);
  });

  it('counts all places before a dismissal as one', () => {
    const places = [place(1), place(2), { ...place(3), first: 500 }];
    expect(newPlacePrice(places, 400)).to.equal(newPlacePrice(places.slice(1)));
    expect(newPlacePrice(places, 600)).to.equal(newPlacePrice(places.slice(2)));
  });

  it('finds each place new that was not seen before a dismissal', () => {
    const tour = (['paris', 'newYork', 'tokyo', 'lagos'] as const).map((name, i) =>
      scanAt(300 * i, name, name),
    );
    const dismissed = { ...ANYWHERE, decision: 'dismissed', decidedAt: START - 3_600_000 } as const;
    expect(last(tour, dismissed).score).to.equal(last(tour).score);
  });

  it('does not count a place to which only a known visitor took the object', () => {
    expect(newPlacePrice([place(2), place(0)])).to.equal(newPlacePrice([place(2)]));
  });
});

describe('a place', () => {
  const visit = (
    stories: Stories,
    position: Omit<Position, 'placeId' | 'at' | 'ofUnknownKind'>,
    hours: number,
    ofUnknownKind = false,
  ): Stories => {
    const fix = { placeId: -1, ...position, at: START + hours * 3_600_000, ofUnknownKind };
    const update = newVisitor(stories, fix, 0, 0.5, DEFAULT_POLICY);
    return { ...stories, ...update, newestAt: fix.at, lastAt: fix.at, visitors: stories.visitors + 1 };
  };
  const nowhere: Stories = {
    places: [],
    nextPlaceId: 0,
    newestAt: 0,
    lastAt: 0,
    visitors: 0,
    evidence: { far: 0, near: 0 },
    forgivenUntil: 0,
  };

  it('is known the better the more visitors were there', () => {
    let stories = visit(nowhere, PLACES.paris, 0);
    const [first] = stories.places;
    for (let i = 1; i < 9; i++) stories = visit(stories, PLACES.paris, i);
    expect(stories.places).to.have.length(1);
    expect(stories.places[0]!.accuracyKm).to.be.closeTo(first!.accuracyKm / 3, 0.01);
  });

  it('is moved by an exact position, and hardly by a vague one', () => {
    const vague = visit(nowhere, PLACES.parisMobile, 0);
    const exact = visit(vague, PLACES.paris, 1).places[0]!;
    expect(exact.lat).to.be.closeTo(PLACES.paris.lat, 0.01);
    const again = visit(visit(nowhere, PLACES.paris, 0), PLACES.parisMobile, 1).places[0]!;
    expect(again.lat).to.be.closeTo(PLACES.paris.lat, 0.01);
  });

  it('may be that of a line while all of its visitors came from networks of unknown kind', () => {
    const vague = visit(nowhere, PLACES.parisMobile, 0, true);
    expect(vague.places[0]!.ofUnknownKind).to.equal(true);
    expect(visit(vague, PLACES.parisMobile, 1, true).places[0]!.ofUnknownKind).to.equal(true);
    expect(visit(vague, PLACES.paris, 1).places[0]!.ofUnknownKind).to.equal(undefined);
    expect(
      visit(visit(nowhere, PLACES.paris, 0), PLACES.parisMobile, 1, true).places[0],
    ).not.to.have.property('ofUnknownKind');
  });
});

describe('the places of a unit', () => {
  const towns = ['paris', 'berlin', 'newYork', 'tokyo', 'rome', 'rio', 'singapore', 'lagos'] as const;
  const history = towns.map((town, i) => scanAt(300 * i, town, town));
  const placesAfter = (...scans: typeof history) => last([...history, ...scans]).profile.places;

  it('are eight: the ninth visitor’s takes the place of another', () => {
    expect(placesAfter()).to.have.length(8);
    const places = placesAfter(scanAt(3000, 'toronto', 'ninth'));
    expect(places).to.have.length(8);
    expect(places.map(({ country }) => country)).to.include('CA');
  });

  it('are forgotten for none to which only a known visitor went, who stays where they were', () => {
    const { profile } = last([...history, scanAt(3000, 'toronto', 'lagos')]);
    expect(profile.places).to.deep.equal(placesAfter());
    expect(profile.nextPlaceId).to.equal(8);
    expect(profile.recent.at(-1)![2]).to.equal(7);
  });

  it('to which only a known visitor went are forgotten first', () => {
    const seven = history.slice(0, 7);
    const hop = scanAt(1900, 'toronto', 'singapore');
    const hopped = last([...seven, hop]).profile.places;
    expect(hopped.map(({ visitors }) => visitors)).to.deep.equal([1, 1, 1, 1, 1, 1, 1, 0]);
    const { places } = last([...seven, hop, scanAt(3000, 'lagos', 'new')]).profile;
    expect(places.map(({ visitors, country }) => [visitors, country]).at(-1)).to.deep.equal([1, 'NG']);
    expect(places.map(({ visitors }) => visitors)).to.deep.equal(Array(8).fill(1));
  });
});

describe('visitors some hundred kilometres apart', () => {
  const vague = { accuracyKm: 200, country: 'FR' } as const;
  // Of a spot, and 300 km off to four sides.
  const around = [
    { lat: 47, lon: 3, ...vague },
    { lat: 49.7, lon: 3, ...vague },
    { lat: 47, lon: 6.95, ...vague },
    { lat: 44.3, lon: 3, ...vague },
    { lat: 47, lon: -0.95, ...vague },
  ];
  const evidence = (source: PlaceSource, places: readonly RiskPlace[]) => {
    const history = places.map((place, i) => ({
      ...scanAt(i * 24 * 7, null, `visitor ${i}`),
      place: { ...place, source },
    }));
    return ofAnyWay(rescore(history, ANYWHERE, DEFAULT_POLICY).profile.evidence);
  };

  it('speak more for copies where they may be on lines than where all are telephones', () => {
    expect(evidence('ip', around)).to.be.greaterThan(evidence('ip-mobile', around) + 0.4);
  });

  it('are no copies where nothing but their network is unknown: at one spot they speak for one object alike', () => {
    const atOneSpot = around.map(() => around[0]!);
    expect(evidence('ip', atOneSpot)).to.be.closeTo(evidence('ip-mobile', atOneSpot), 0.1);
  });
});

describe('visitors of two towns a hundred kilometres apart', () => {
  const TOWNS = [
    { lat: 25.25, lon: 55.3, accuracyKm: 20, country: 'AE' },
    { lat: 24.22, lon: 55.77, accuracyKm: 20, country: 'AE' },
  ] as const;
  /** One every eight hours, in the towns that are named. */
  const visits = (towns: readonly (0 | 1)[], from = 0) =>
    towns.map((town, i) => ({ ...scanAt((from + i) * 8, null, `visitor ${from + i}`), place: TOWNS[town] }));
  const verdict = (towns: readonly (0 | 1)[]) => last(visits(towns)).verdict;
  const byTurns = Array.from({ length: 24 }, (_, i) => (i % 2) as 0 | 1);

  it('speak for copies that are sold in both, when they come by turns', () => {
    expect(verdict(byTurns)).to.equal('suspicious');
  });

  it('speak for one object that was taken from the one to the other, when they come one after the other', () => {
    expect(verdict([...byTurns].sort((a, b) => a - b))).to.equal('clear');
    expect(verdict(byTurns.map(() => 0))).to.equal('clear');
  });

  it('speak no less for copies after a crowd in one of them', () => {
    expect(verdict([...byTurns.map(() => 0 as const), ...byTurns, ...byTurns])).to.equal('suspicious');
  });

  it('go on with a profile that knows of no outlets yet', () => {
    const before = rescore(visits(byTurns.slice(0, 12)), ANYWHERE, DEFAULT_POLICY).profile;
    const { far, near } = before.evidence;
    let profile: RiskProfile = { ...before, evidence: { far, near } };
    for (const scan of visits(byTurns, 12)) profile = score(profile, scan, ANYWHERE, DEFAULT_POLICY).profile;
    expect(profile.evidence.outlets).to.be.greaterThan(near);
  });
});

describe('the evidence of a unit', () => {
  const none = { far: 0, near: 0, outlets: 0 };

  it('grows by less where more of it comes soon after another visitor, and shrinks by all of it', () => {
    for (const nats of [0.5, 3]) {
      const half = { far: nats / 2, near: nats / 2, outlets: nats / 2 };
      expect(withEvidence(none, nats, 0.25)).to.deep.equal(half);
      expect(withEvidence(none, nats, 0)).to.deep.equal(none);
      expect(withEvidence(none, nats, 5)).to.deep.equal({ far: nats, near: nats, outlets: nats });
    }
    expect(withEvidence(none, -0.5, 0)).to.deep.equal({ far: -0.5, near: -0.5, outlets: -0.5 });
  });

  it('is a number however much there is of it', () => {
    expect(ofAnyWay({ far: 2000, near: -8, outlets: -2 })).to.be.closeTo(2000, 1);
    expect(ofAnyWay({ far: -8, near: -8, outlets: 2000 })).to.be.closeTo(2000, 2);
  });
});
