import { expect } from 'chai';
import { destination, distanceKm } from '../../../shared/risk/geo.ts';

/** From pole to pole along a meridian. */
const HALF_WAY_ROUND = Math.PI * 6371.0088;
const LATITUDES = Array.from({ length: 361 }, (_, i) => i / 2 - 90);

describe('a distance on the earth', () => {
  it('is half of its circumference to the other side of it, from wherever', () => {
    for (const lat of LATITUDES)
      for (const lon of [-180, -97.5, 0])
        expect(distanceKm(lat, lon, -lat, lon + 180)).to.be.closeTo(HALF_WAY_ROUND, 0.001);
  });

  it('is nothing to the same place, and the same there and back, across the date line, too', () => {
    for (const lat of LATITUDES) expect(distanceKm(lat, 180, lat, -180)).to.be.closeTo(0, 1e-6);
    expect(distanceKm(-17.7, 178, -13.8, -172)).to.be.closeTo(distanceKm(-13.8, -172, -17.7, 178), 1e-9);
    expect(distanceKm(-17.7, 178, -13.8, -172)).to.be.within(1100, 1200);
  });
});

describe('a place so many kilometres away', () => {
  it('is a pole, along the meridian and as far as there', () => {
    for (const lat of LATITUDES.slice(1, -1)) {
      const toNorth = ((90 - lat) / 180) * HALF_WAY_ROUND;
      expect(destination(lat, 20, 0, toNorth).lat).to.be.closeTo(90, 1e-5);
      expect(destination(lat, 20, 180, HALF_WAY_ROUND - toNorth).lat).to.be.closeTo(-90, 1e-5);
    }
  });

  it('is as far as that in each direction, and has a longitude that there is', () => {
    for (const [lat, lon] of [
      [52.5, 13.4],
      [-17.7, 179.9],
      [64, -179.9],
    ] as const)
      for (let bearing = 0; bearing < 360; bearing += 30) {
        const there = destination(lat, lon, bearing, 700);
        expect(distanceKm(lat, lon, there.lat, there.lon)).to.be.closeTo(700, 1e-6);
        expect(there.lon).to.be.within(-180, 180);
      }
    expect(destination(0, 0, 90, 500))
      .to.have.property('lon')
      .greaterThan(4);
    expect(destination(0, 0, 0, 500))
      .to.have.property('lat')
      .greaterThan(4);
  });
});
