import { expect } from 'chai';
import {
  ANYWHERE,
  copiesPrice,
  ofAnyWay,
  wholeness,
  withEvidence,
  withVisitor,
} from '../../../shared/risk/evidence.ts';
import { atPlaceDensity, inRegionDensity } from '../../../shared/risk/position-error.ts';
import type { Evidence, KnownPlace, Position } from '../../../shared/risk/types.ts';
import { PLACES } from './scans.ts';

const NOTHING: Evidence = { far: 0, near: 0, outlets: 0 };
const DAY = 24;
/** To four digits, as profiles keep it. */
const nats = (value: number) => Math.round(value * 10_000) / 10_000;

describe('evidence for copies', () => {
  /** Dearer for one object than for copies, by so many nats in each way. */
  const visitor = {
    honest: 5,
    copies: { far: 2, near: 3, outlets: 1 },
    crowd: 0.4,
    found: 0.2,
    elapsedHours: DAY,
    isHasty: false,
  };

  it('grows by what a visitor’s place is dearer for one object, in each way of selling', () => {
    expect(withVisitor(NOTHING, visitor)).to.deep.equal({
      far: nats(0.4 + 0.2 + 5 - 2),
      // One visitor speaks no louder than 1 for a region and than 2 for outlets; a new place may be a bad position of an old one.
      near: 0.4 + 0.5 * 0.2 + 1,
      outlets: nats(0.4 + 0.75 * 0.2 + 2),
    });
    const little = { ...visitor, copies: { far: 4.5, near: 4.4, outlets: 4.3 }, crowd: 0, found: 0 };
    expect(withVisitor(NOTHING, little)).to.deep.equal({ far: 0.5, near: 0.6, outlets: 0.7 });
  });

  it('grows by less where visitors come close upon each other, but for journeys that nobody can have made', () => {
    const soon = { ...visitor, elapsedHours: 0.25, crowd: 0, found: 0 };
    expect(withVisitor(NOTHING, soon)).to.deep.equal({ far: 3 / 2, near: nats(0.25 / 4), outlets: 1 });
    expect(withVisitor(NOTHING, { ...soon, isHasty: true }).far).to.equal(3);
    expect(withVisitor(NOTHING, { ...soon, honest: 2.5 }).far).to.equal(0.25);
    expect(withVisitor(NOTHING, { ...soon, elapsedHours: 2 })).to.deep.equal({
      far: 3,
      near: 0.5,
      outlets: 2,
    });
  });

  it('shrinks by all that speaks for one object, however soon, down to a floor', () => {
    const own = { ...visitor, honest: 1, copies: { far: 3, near: 2, outlets: 2.5 }, crowd: 0, found: 0 };
    const soon = { ...own, elapsedHours: 0.1 };
    expect(withVisitor(NOTHING, soon)).to.deep.equal({ far: -2, near: -1, outlets: -1.5 });
    let evidence = NOTHING;
    for (let visits = 0; visits < 9; visits += 1) evidence = withVisitor(evidence, own);
    expect(evidence).to.deep.equal({ far: -8, near: -8, outlets: -2 });
  });

  it('has what is known besides in all ways alike, less so soon after another visitor', () => {
    expect(withEvidence(NOTHING, 2, DAY)).to.deep.equal({ far: 2, near: 2, outlets: 2 });
    expect(withEvidence(NOTHING, 2, 0.25)).to.deep.equal({ far: 1, near: 1, outlets: 1 });
    expect(withEvidence(NOTHING, 0.5, 0.25)).to.deep.equal({ far: 0.25, near: 0.25, outlets: 0.25 });
    expect(withEvidence(NOTHING, -2, 0)).to.deep.equal({ far: -2, near: -2, outlets: -2 });
  });

  it('adds up the odds of all ways, and takes outlets for a region in profiles that know none', () => {
    expect(ofAnyWay({ far: 3, near: 3, outlets: 3 })).to.be.closeTo(3, 1e-9);
    expect(ofAnyWay({ far: 9, near: -8, outlets: -2 })).to.be.closeTo(9 + Math.log(0.65), 1e-3);
    expect(ofAnyWay({ far: 4, near: 5, outlets: 4.5 })).to.be.closeTo(
      Math.log(0.65 * Math.exp(4) + 0.15 * Math.exp(5) + 0.2 * Math.exp(4.5)),
      1e-9,
    );
    expect(ofAnyWay({ far: -8, near: 2 })).to.equal(ofAnyWay({ far: -8, near: 2, outlets: 2 }));
    expect(withVisitor({ far: 0, near: -1 }, visitor).outlets).to.equal(nats(-1 + 0.4 + 0.75 * 0.2 + 2));
  });
});

describe('what qualifies the evidence', () => {
  it('has its whole weight from three nats on, and none where nothing speaks for copies', () => {
    expect([-4, 0, 1.5, 3, 9].map(wholeness)).to.deep.equal([0, 0, 0.5, 1, 1]);
  });
});

describe('the price of a place, were there copies', () => {
  const at = (where: { lat: number; lon: number }, accuracyKm = 5): Position =>
    ({ lat: where.lat, lon: where.lon, accuracyKm, ofUnknownKind: false }) as Position;
  const place = (where: { lat: number; lon: number }, visitors: number): KnownPlace => ({
    id: 1,
    lat: where.lat,
    lon: where.lon,
    accuracyKm: 5,
    country: null,
    visitors,
    first: 0,
    last: 0,
    cost: 0,
    moves: 0,
    since: 0,
    via: -1,
  });
  const { paris } = PLACES;
  const kmNorth = (km: number) => ({ lat: paris.lat + km / 111.2, lon: paris.lon });

  it('is that of anywhere while nobody was seen', () => {
    const prices = copiesPrice([], at(paris));
    expect(prices.far).to.be.closeTo(-Math.log(0.75 * ANYWHERE), 1e-9);
    expect(prices.near).to.be.closeTo(-Math.log(0.03 * ANYWHERE), 1e-9);
    expect(prices.outlets).to.be.closeTo(-Math.log(0.4 * ANYWHERE), 1e-9);
  });

  it('is low where each way sells: at a known place, around it in its region, or in its country', () => {
    const known = [place(paris, 3)];
    const [there, region, country, beyond] = [0, 50, 200, 5_000].map((km) =>
      copiesPrice(known, at(kmNorth(km))),
    );
    expect(there!.far).to.be.below(region!.far);
    // At the very same spot it is rather one object.
    expect(region!.near).to.be.below(there!.near - 0.5);
    for (const way of ['far', 'near', 'outlets'] as const)
      expect(Math.max(there![way], region![way]), way).to.be.below(beyond![way]);
    expect(country!.near).to.be.above(region!.near + 0.5);
    // Outlets are in one country; sold far and wide, what is in no region is anywhere.
    expect(country!.outlets).to.be.below(beyond!.outlets - 1);
    expect(beyond!.far).to.be.closeTo(-Math.log(0.75 * ANYWHERE), 1e-4);
    // Two of five come from an outlet not known yet, and two of five of those from beyond the country.
    expect(beyond!.outlets).to.be.closeTo(-Math.log((2 / 5) * 0.4 * ANYWHERE), 0.06);
  });

  it('mixes who comes to a known place, who comes to its region and who comes from anywhere', () => {
    const fix = at(kmNorth(30));
    for (const visitors of [1, 98]) {
      const known = place(paris, visitors);
      const atPlace = atPlaceDensity(known, fix, 30);
      const [inRegion, inCountry] = [50, 250].map((km) => inRegionDensity(known, fix, 30, km)) as [
        number,
        number,
      ];
      const prices = copiesPrice([known], fix);
      const priceOf = (density: number) => -Math.log(density);
      expect(prices.far).to.be.closeTo(priceOf(0.15 * atPlace + 0.13 * inRegion + 0.75 * ANYWHERE), 1e-3);
      expect(prices.near).to.be.closeTo(priceOf(0.3 * atPlace + 0.67 * inRegion + 0.03 * ANYWHERE), 1e-3);
      // The second visitor comes to an outlet that is known in one case of three, the 99th in 98 of a hundred.
      const share = visitors / (visitors + 2);
      const atOutlets =
        share * (0.6 * atPlace + 0.4 * inRegion) + (1 - share) * (0.6 * inCountry + 0.4 * ANYWHERE);
      expect(prices.outlets).to.be.closeTo(priceOf(atOutlets), 1e-3);
    }
  });

  it('is of all visitors alike: the more at one place, the cheaper there and, at outlets, the dearer elsewhere', () => {
    const lyon = kmNorth(-390);
    const two = [place(paris, 1), place(lyon, 1)];
    const many = [place(paris, 9), place(lyon, 1)];
    for (const way of ['far', 'near', 'outlets'] as const)
      expect(copiesPrice(many, at(paris))[way], way).to.be.below(copiesPrice(two, at(paris))[way]);
    const beyond = at(kmNorth(5_000));
    expect(copiesPrice(many, beyond).outlets).to.be.above(copiesPrice(two, beyond).outlets + 0.5);
    expect(copiesPrice(many, beyond).far).to.be.closeTo(copiesPrice(two, beyond).far, 1e-4);
  });
});
