import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { preferredLanguage } from '../../api/accept-language.ts';
import { directionOf, LANGUAGES } from '../../shared/languages.ts';

describe('The languages of mails', () => {
  it('are those of the dashboard, read in the same direction', () => {
    const source = readFileSync(new URL('../../dashboard/src/i18n/languages.ts', import.meta.url), 'utf8');
    const known = [...source.matchAll(/^  (\w+): \{ name: '.+', direction: '(\w+)' \}/gm)].map(
      ([, language, direction]) => [language, direction],
    );
    expect(LANGUAGES.map((language) => [language, directionOf(language)])).to.deep.equal(known);
  });

  it('are chosen by a browser’s own, best first, among those that there are', () => {
    for (const [header, expected] of [
      [undefined, 'en'],
      ['*', 'en'],
      ['de-AT,de;q=0.9,en;q=0.8', 'de'],
      ['pt-BR, fr;q=0.4, ja;q=0.7', 'ja'],
      ['nl, pl;q=0.5', 'en'],
      ['tlh, es-419;q=0.1', 'es'],
      ['fr;q=0, AR-eg;q=0.2', 'ar'],
      ['constructor, __proto__', 'en'],
    ] as const)
      expect(preferredLanguage(header), header).to.equal(expected);
  });
});
