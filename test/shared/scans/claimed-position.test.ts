import { expect } from 'chai';
import fc from 'fast-check';
import { CELL_KM } from '../../../shared/risk/coarse.ts';
import { destination, distanceKm } from '../../../shared/risk/geo.ts';
import { backedPlace } from '../../../shared/scans/claimed-position.ts';

const BERLIN = { lat: 52.52, lon: 13.4 };

describe('a visitor’s own position', () => {
  const claim = (km: number, accuracyKm = 0.1) => ({
    ...destination(BERLIN.lat, BERLIN.lon, 200, km),
    accuracyKm,
  });
  const backed = (km: number, radiusKm: number, accuracyKm = 0.1) =>
    backedPlace(claim(km, accuracyKm), { ...BERLIN, accuracy_km: radiusKm });

  it('is as uncertain as its town is far from the address and wide, or as it says itself', () => {
    expect(backed(5, 16)!.accuracyKm).to.be.within(5, 5 + 2 * CELL_KM);
    expect(backed(5, 16, 15)!.accuracyKm).to.be.at.least(15);
    expect(backed(5, 16)).to.include({ lat: claim(5).lat, lon: claim(5).lon });
  });

  it('has the radius of every other position in its square of a tenth of a degree: the radius outlives the exact position', () => {
    const inSquare = fc.double({ min: -0.0499, max: 0.0499, noNaN: true });
    fc.assert(
      fc.property(inSquare, inSquare, inSquare, inSquare, (north, east, northToo, eastToo) => {
        const radiusOf = (lat: number, lon: number) =>
          backedPlace({ lat, lon, accuracyKm: 0.1 }, { ...BERLIN, accuracy_km: 200 })!.accuracyKm;
        expect(radiusOf(52.6 + north, 13.6 + east)).to.equal(radiusOf(52.6 + northToo, 13.6 + eastToo));
      }),
      { numRuns: 100, seed: 20261125 },
    );
  });

  it('is left aside beyond three radii of the address: a mobile network’s are wide, an office line’s are not', () => {
    expect(backed(47, 16)).not.to.equal(null);
    expect(backed(49, 16)).to.equal(null);
    expect(backed(590, 200)).not.to.equal(null);
    expect(backed(610, 200)).to.equal(null);
  });

  it('is left aside where it says less than the address, and where there is no address to back it', () => {
    expect(backed(5, 16, 60)).to.equal(null);
    expect(backedPlace(claim(0), { lat: null, lon: null, accuracy_km: null })).to.equal(null);
  });

  it('never drives two scans farther asunder than their addresses are', () => {
    const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
    const address = fc.record({ lat: degrees(90), lon: degrees(180), accuracy_km: fc.constantFrom(16, 200) });
    const told = fc.record({ bearing: degrees(180), km: fc.double({ min: 0, max: 700, noNaN: true }) });
    fc.assert(
      fc.property(address, address, told, told, (one, other, first, second) => {
        const place = (at: typeof one, { bearing, km }: typeof first) =>
          backedPlace({ ...destination(at.lat, at.lon, bearing, km), accuracyKm: 0.1 }, at);
        const [a, b] = [place(one, first), place(other, second)];
        if (a === null || b === null) return;
        const apart = distanceKm(a.lat, a.lon, b.lat, b.lon) - a.accuracyKm - b.accuracyKm;
        expect(apart).to.be.at.most(distanceKm(one.lat, one.lon, other.lat, other.lon) + 1e-6);
      }),
      { numRuns: 300, seed: 20261122 },
    );
  });
});
