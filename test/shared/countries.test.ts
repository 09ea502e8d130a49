import { expect } from 'chai';
import { COUNTRY_CODES, countryName, isCountryCode } from '../../shared/countries.ts';

describe('country codes', () => {
  it('knows the 249 assigned codes and XK, each with a name', () => {
    expect(COUNTRY_CODES).to.have.length(250);
    expect(new Set(COUNTRY_CODES).size).to.equal(250);
    expect(COUNTRY_CODES).to.deep.equal([...COUNTRY_CODES].sort());
    for (const code of COUNTRY_CODES) expect(countryName(code, 'en'), code).not.to.equal(code);
  });

  it('refuses other spellings, withdrawn, reserved and grouping codes', () => {
    for (const code of ['de', 'DEU', '', 'UK', 'EU', 'UN', 'AN', 'SU', 'ZZ', 'XX', 'D', 'constructor']) {
      expect(isCountryCode(code), code).to.equal(false);
    }
    for (const code of ['DE', 'US', 'JP', 'BR', 'XK', 'SS', 'CW'])
      expect(isCountryCode(code), code).to.equal(true);
  });

  it('names a country in the reader’s language, and leaves what it does not know', () => {
    expect(countryName('DE', 'fr')).to.equal('Allemagne');
    expect(countryName('JP', 'ar')).to.equal('اليابان');
    expect(countryName('not a country', 'en')).to.equal('not a country');
  });
});
