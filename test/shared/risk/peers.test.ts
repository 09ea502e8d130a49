import { expect } from 'chai';
import { countUnit, keyOfMarkets, nameOfMarkets, nobody, peersOf } from '../../../shared/risk/peers.ts';
import { emptyProfile } from '../../../shared/risk/score.ts';

const seenIn = (country: string | null) => ({ ...emptyProfile(), seenIn: country });

describe('a set of markets', () => {
  it('has one name and one key, in whatever order and however often they are written', () => {
    const written = ['FR', 'CH', 'CH'];
    expect(nameOfMarkets(written)).to.equal(nameOfMarkets(['CH', 'FR']));
    expect(keyOfMarkets(written))
      .to.equal(keyOfMarkets(['CH', 'FR']))
      .and.to.match(/^[0-9a-z]+$/);
    // Also of a list that was asked about before.
    expect(keyOfMarkets(written)).to.equal(keyOfMarkets(['FR', 'CH']));
    const keys = [['FR', 'CH'], ['FR'], ['CH']].map(keyOfMarkets);
    expect(new Set([...keys, ''])).to.have.property('size', 4);
    expect(keyOfMarkets([])).to.equal('');
  });
});

describe('the sightings of an organization', () => {
  it('count a unit once, where it was first seen, and in each country that it is sold in', () => {
    const all = nobody();
    expect(countUnit(all, ['FR', 'CH', 'CH'], null, emptyProfile())).to.equal(false);
    expect(all).to.deep.equal(nobody());
    expect(countUnit(all, ['FR', 'CH', 'CH'], emptyProfile(), seenIn('JP'))).to.equal(true);
    expect(countUnit(all, ['FR', 'CH', 'CH'], seenIn('JP'), seenIn('JP'))).to.equal(false);
    expect(countUnit(all, ['FR'], null, seenIn(null))).to.equal(true);
    expect(all).to.deep.equal({ units: 2, outside: { JP: 1 }, soldIn: { FR: 2, CH: 1 } });
  });
});

describe('what units of other markets tell of a country', () => {
  const FRENCH = { units: 100, outside: { US: 8 } };
  /** The French ones, and so many others, some of which were seen in the United States. */
  const noiseIn = (country: string, strangers: number, inUS = 0, soldInUS = 0) =>
    peersOf(
      FRENCH,
      {
        units: 100 + strangers,
        outside: { US: 8 + inUS },
        soldIn: { FR: 100, ...(soldInUS > 0 && { US: soldInUS }) },
      },
      null,
      3,
    )?.noiseIn(country);

  it('is the share that was seen there, somewhat less sure of itself the fewer they are', () => {
    expect(noiseIn('US', 400, 40)).to.be.within(0.081, 0.1);
    expect(noiseIn('US', 40, 4)).to.be.within(0.03, noiseIn('US', 400, 40)!);
    expect(noiseIn('JP', 400)).to.be.within(0.0005, 0.0015);
    // However many they are.
    expect(noiseIn('JP', 40_000)).to.equal(0.001);
  });

  it('is nothing where fewer than thirty are known that are not sold there', () => {
    expect(noiseIn('US', 30)).to.be.a('number');
    expect(noiseIn('US', 29)).to.equal(undefined);
    expect(noiseIn('US', 60, 0, 30)).to.be.a('number');
    expect(noiseIn('US', 60, 0, 31)).to.equal(undefined);
  });
});
