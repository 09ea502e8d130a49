import { expect } from 'chai';
import { countryOf, marketPosition } from '../../../shared/risk/markets.ts';
import { PLACES } from './scans.ts';

describe('a position with respect to the markets', () => {
  it('looks for a market as many radii around a position as the policy says, and no farther than 500 km', () => {
    // Some 75 km from the Rhine, and 700 from the middle of Jutland.
    const stuttgart = { lat: 48.78, lon: 9.18, accuracyKm: 50, country: 'DE' };
    expect(marketPosition(stuttgart, ['FR'], 1)).to.equal('outside');
    expect(marketPosition(stuttgart, ['FR'], 2)).to.equal('near-border');
    expect(marketPosition({ ...stuttgart, accuracyKm: 350 }, ['DK'], 2)).to.equal('outside');
    // Where the accuracy is not told it is taken for 50 km.
    expect(marketPosition({ ...stuttgart, accuracyKm: null }, ['FR'], 1)).to.equal('outside');
    expect(marketPosition({ ...stuttgart, accuracyKm: null }, ['FR'], 2)).to.equal('near-border');
    // Across the strait that has Russia on the other side of the date line.
    const nome = { lat: 64.5, lon: -165.4, accuracyKm: 300, country: 'US' };
    expect(marketPosition(nome, ['RU'], 1)).to.equal('near-border');
  });

  it('finds a small market within a large radius, whichever way it lies', () => {
    const near: [lat: number, lon: number, country: string, market: string][] = [
      [1.49, 103.74, 'MY', 'SG'],
      [49.75, 6.64, 'DE', 'LU'],
      [22.54, 114.06, 'CN', 'HK'],
      [47.24, 9.6, 'AT', 'LI'],
    ];
    for (const [lat, lon, country, market] of near)
      for (const accuracyKm of [30, 100, 200])
        expect(
          marketPosition({ lat, lon, accuracyKm, country }, [market], 1),
          `${market} ${accuracyKm}`,
        ).to.equal('near-border');
    // 290 km off; and Réunion's neighbour Mauritius, whose own market is not its.
    const paris = { lat: 48.86, lon: 2.35, accuracyKm: 200, country: 'FR' };
    expect(marketPosition(paris, ['LU'], 1)).to.equal('outside');
    const mauritius = { lat: -20.2, lon: 57.5, accuracyKm: 300, country: 'MU' };
    expect(marketPosition(mauritius, ['FR'], 1)).to.equal('near-border');
    expect(marketPosition({ ...mauritius, accuracyKm: 100 }, ['FR'], 1)).to.equal('outside');
  });

  it('knows a country without coordinates, and overseas territories', () => {
    const nowhere = { lat: null, lon: null, accuracyKm: null, country: 'US' };
    expect(marketPosition(nowhere, ['FR'], 2)).to.equal('outside');
    const reunion = { lat: -21.1, lon: 55.5, accuracyKm: 10, country: 'RE' };
    expect(marketPosition(reunion, ['FR'], 2)).to.equal('inside');
    // With or without coordinates, and not the other way round.
    expect(marketPosition({ ...nowhere, country: 'RE' }, ['FR'], 2)).to.equal('inside');
    expect(marketPosition({ ...nowhere, country: 'FR' }, ['RE'], 2)).to.equal('outside');
    // Markets of their own, whatever state they belong to.
    const hongKong = { lat: 22.3, lon: 114.17, accuracyKm: 5, country: 'HK' };
    for (const place of [hongKong, { ...nowhere, country: 'HK' }, { ...nowhere, country: 'BM' }])
      expect(marketPosition(place, ['CN', 'GB'], 1)).to.equal('outside');
    // The border of Saint-Martin is one of France's, and Ceuta is in Spain.
    const philipsburg = { lat: 18.03, lon: -63.05, accuracyKm: 20, country: 'SX' };
    expect(marketPosition(philipsburg, ['FR'], 1)).to.equal('near-border');
    const ceuta = { lat: 35.889, lon: -5.307, accuracyKm: 1, country: null };
    expect(marketPosition(ceuta, ['ES'], 1)).to.equal('inside');
    // The map's own code for it is none that anybody could ask for.
    expect(countryOf(ceuta)).to.equal('ES');
    expect(marketPosition(PLACES.newYork, [], 2)).to.equal('inside');
    expect(marketPosition(null, ['FR'], 2)).to.equal('unknown');
  });
});
