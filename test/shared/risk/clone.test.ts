import { expect } from 'chai';
import { last, scanAt } from './scans.ts';

describe('the signal of a clone', () => {
  it('tells the five places that most visitors saw it in, each with its first and last time', () => {
    const result = last([
      scanAt(0, 'paris', 'a'),
      scanAt(300.51, 'newYork', 'b'),
      scanAt(700, 'tokyo', 'c'),
      scanAt(900.02, 'lagos', 'd'),
      scanAt(1000, 'rio', 'e'),
      scanAt(1051, 'singapore', 'f'),
      scanAt(1100 + 59 / 60, 'lagos', 'g'),
    ]);
    const [signal] = result.signals;
    if (signal?.type !== 'clone') throw new Error('no clone');
    const { places, evidence, weight, ...rest } = signal;
    const once = (country: string, lat: number, lon: number, at: string) => ({
      country,
      lat,
      lon,
      visitors: 1,
      firstAt: at,
      lastAt: at,
    });
    expect(places).to.deep.equal([
      {
        country: 'NG',
        lat: 6.5,
        lon: 3.4,
        visitors: 2,
        // To the minute.
        firstAt: '2026-02-07T12:01:00.000Z',
        lastAt: '2026-02-15T20:59:00.000Z',
      },
      once('FR', 48.9, 2.4, '2026-01-01T00:00:00.000Z'),
      once('US', 40.7, -74, '2026-01-13T12:30:00.000Z'),
      once('JP', 35.7, 139.7, '2026-01-30T04:00:00.000Z'),
      once('BR', -22.9, -43.2, '2026-02-11T16:00:00.000Z'),
    ]);
    expect(rest).to.deep.equal({ type: 'clone', reason: 'places', visitors: 7, moves: 2, threshold: 6.8 });
    expect(weight).to.equal(result.score);
    // In hundredths of a nat.
    expect(evidence)
      .to.be.within(rest.threshold, 40)
      .and.to.equal(Number(evidence.toFixed(2)));
  });
});
