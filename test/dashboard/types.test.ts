import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { dashboardTypes, TYPES_FILE } from '../../dashboard/generate-types.ts';
import { COUNTRY_CODES } from '../../dashboard/src/i18n/countries.ts';
import { COUNTRY_CODES as KNOWN } from '../../shared/countries.ts';

/** Layout is the formatter's. */
const bare = (text: string) => text.replaceAll(/[\s;,|'"()]/g, '');

describe('what the dashboard knows of the API', () => {
  it('is what the OpenAPI document says (npm run dashboard:types)', () => {
    expect(bare(readFileSync(TYPES_FILE, 'utf8')) === bare(dashboardTypes())).to.equal(true);
  });

  it('are the same countries', () => {
    expect(COUNTRY_CODES).to.deep.equal(KNOWN);
  });
});
