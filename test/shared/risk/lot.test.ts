import { expect } from 'chai';
import { lotOdds, othersOf, withSighting } from '../../../shared/risk/lot.ts';
import { emptyProfile } from '../../../shared/risk/score.ts';

const seenIn = (country: string | null) => ({ ...emptyProfile(), seenIn: country });

describe('a lot', () => {
  const lot = { units: 12, outside: { JP: 3, US: 1 } };

  it('without one of its units is the lot before that was seen', () => {
    for (const profile of [seenIn('JP'), seenIn('BR'), seenIn(null)])
      expect(othersOf(withSighting(lot, null, profile), profile)).to.deep.include({ units: 12 });
    expect(othersOf(lot, seenIn('JP'))).to.deep.equal({ units: 11, outside: { JP: 2, US: 1 } });
    expect(othersOf(lot, seenIn('US'))).to.deep.equal({ units: 11, outside: { JP: 3, US: 0 } });
    expect(othersOf(lot, seenIn(null))).to.deep.equal({ units: 11, outside: lot.outside });
    // Of one that was seen nowhere, and where the counts know less than the unit.
    for (const profile of [null, emptyProfile()]) expect(othersOf(lot, profile)).to.equal(lot);
    expect(othersOf({ units: 0, outside: {} }, seenIn('BR'))).to.deep.equal({ units: 0, outside: { BR: 0 } });
  });

  it('that is scattered abroad speaks more of a country where one of it was seen than of one where none was', () => {
    const scattered = { units: 40, outside: { BR: 20, JP: 9, US: 1 } };
    const [brazil, america, lagos] = ['BR', 'US', 'NG'].map((country) => lotOdds(scattered, country)) as [
      number,
      number,
      number,
    ];
    expect(brazil).to.be.greaterThan(america);
    expect(america).to.be.greaterThan(lagos);
    expect(lagos).to.be.greaterThan(0);
  });

  it('is rather diverted to a country or seen there by chance, as the counts have it', () => {
    const noise = 0.02;
    /** @param evenly chance of these counts where any share of the lot, each as likely, was sold there */
    const odds = (units: number, here: number, evenly: number) => {
      const diverted = evenly / 300;
      const byChance = (299 / 300) * noise ** here * (1 - noise) ** (units - here);
      const sold = ((here + 1) / (units + 2)) * (diverted / (diverted + byChance));
      return Math.log(sold / ((1 - sold) * noise));
    };
    for (const [units, here, evenly] of [
      [0, 0, 1],
      [2, 1, 1 / 6],
      [3, 3, 1 / 4],
    ] as const)
      expect(lotOdds({ units, outside: { US: here } }, 'US', noise)).to.be.closeTo(
        odds(units, here, evenly),
        1e-6,
      );
  });
});
