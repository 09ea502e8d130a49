import { expect } from 'chai';
import { atPlaceDensity, inRegionDensity } from '../../../shared/risk/position-error.ts';

interface Located {
  accuracyKm: number;
  ofUnknownKind?: true;
}
const fix = ({ accuracyKm, ofUnknownKind }: Located) => ({
  placeId: -1,
  lat: 0,
  lon: 0,
  country: null,
  at: 0,
  accuracyKm,
  ofUnknownKind: ofUnknownKind === true,
});
const known = (accuracyKm: number): Located => ({ accuracyKm });
const unknown = (accuracyKm: number): Located => ({ accuracyKm, ofUnknownKind: true });
const [TELEPHONE_KM, LINE_KM] = [200, 16];

for (const [what, density] of [
  ['one object', (a: Located, b: Located, km: number) => atPlaceDensity(a, fix(b), km)],
  ['copies of one region', (a: Located, b: Located, km: number) => inRegionDensity(a, fix(b), km, 50)],
] as const)
  describe(`the distance between positions of ${what}`, () => {
    it('may be a line’s where the network of one is unknown, whichever that is', () => {
      for (const km of [20, 100, 300]) {
        const [telephone, line] = [TELEPHONE_KM, LINE_KM].map((accuracyKm) =>
          density(known(10), known(accuracyKm), km),
        ) as [number, number];
        const either = density(known(10), unknown(TELEPHONE_KM), km);
        expect((either - telephone) / (line - telephone), `${km} km`).to.be.within(0.1, 0.9);
        expect(density(unknown(TELEPHONE_KM), known(10), km)).to.be.closeTo(either, 1e-12);
      }
    });

    it('is of two lines, two telephones or one of each where both are unknown', () => {
      for (const km of [20, 100, 300]) {
        const [telephone, line] = [TELEPHONE_KM, LINE_KM].map((accuracyKm) =>
          density(known(accuracyKm), unknown(TELEPHONE_KM), km),
        ) as [number, number];
        const ofBoth = density(unknown(TELEPHONE_KM), unknown(TELEPHONE_KM), km);
        expect((ofBoth - telephone) / (line - telephone), `${km} km`).to.be.within(0.1, 0.9);
        expect(density(unknown(200), unknown(150), km)).to.be.closeTo(
          density(unknown(150), unknown(200), km),
          1e-12,
        );
      }
    });

    it('is no less exact for an unknown network of which more is said than of a line', () => {
      for (const km of [0, 5, 20, 100])
        expect(density(unknown(5), unknown(8), km)).to.be.closeTo(density(known(5), known(8), km), 1e-12);
    });

    it('is no more exact for positions that say they are right to a few steps', () => {
      for (const km of [0, 0.5, 5])
        expect(density(known(0), known(0.01), km)).to.equal(density(known(2), known(1), km));
    });
  });
