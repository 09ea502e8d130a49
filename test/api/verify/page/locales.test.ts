import { expect } from 'chai';
import { CONSIGNMENT_MESSAGES } from '../../../../api/consignments/page/messages.ts';
import { REFUSALS } from '../../../../api/consignments/page/refusals.ts';
import { PHOTO_LABELS } from '../../../../api/counterfeit-reports/form-labels.ts';
import { REPORT_REFUSALS } from '../../../../api/counterfeit-reports/refusals.ts';
import {
  CATALOGUES,
  LOCALES,
  negotiateLocale,
  textDirection,
  type Locale,
} from '../../../../api/verify/page/locales.ts';
import { countryName } from '../../../../shared/countries.ts';
import { formatCount, formatDate, formatMoment, languageTag } from '../../../../api/verify/page/format.ts';

/** Every sentence of a catalogue with its path. */
function sentences(node: unknown, path = ''): [path: string, text: string][] {
  if (typeof node === 'string') return [[path, node]];
  return Object.entries(node as object).flatMap(([key, value]) => sentences(value, `${path}.${key}`));
}

const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

describe('the languages of the verification page', () => {
  const chosen: [header: string | undefined, locale: string][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['DE-at', 'de'],
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    ['zh-Hans-CN', 'zh'],
    ['sv,fi;q=0.9,nl;q=0.1,*;q=0.5', 'nl'],
    ['fr;q=0.4, ja;q=0.8, it;q=0.8', 'ja'],
    ['fr;q=0, en;q=0.1', 'en'],
    ['fr;q=2, es;q=x, pl;q=0.001', 'pl'],
    ['ar ; q=1', 'ar'],
    ['fr;Q=0.4, ja;Q=0.8', 'ja'],
    ['sv', 'en'],
    ['cmn-Hans-CN,en;q=0.5', 'zh'],
    ['__proto__,constructor,toString', 'en'],
    [',;,;q=,;;', 'en'],
    [`${'sv,'.repeat(40)}de`, 'en'],
  ];
  for (const [header, locale] of chosen) {
    const shown = header === undefined ? 'no header' : `"${header.slice(0, 40)}"`;
    it(`answers ${shown} in ${locale}`, () => expect(negotiateLocale(header)).to.equal(locale));
  }

  it('heeds the language that is asked for, when it has it', () => {
    expect(negotiateLocale('de', 'ja')).to.equal('ja');
    expect(negotiateLocale('de', 'sv')).to.equal('de');
    expect(negotiateLocale('de', ['ja'])).to.equal('de');
  });

  it('reads a header of a megabyte at once', () => {
    expect(negotiateLocale('x-'.repeat(500_000))).to.equal('en');
    expect(negotiateLocale(`de${';'.repeat(1_000_000)}`)).to.equal('de');
  });

  it('has one language from right to left', () => {
    expect(LOCALES.filter((locale) => textDirection(locale) === 'rtl')).to.deep.equal(['ar']);
    expect(LOCALES).to.have.length.at.least(12);
  });

  for (const locale of LOCALES) {
    it(`says in ${locale} what it says in English, with the same names filled in`, () => {
      const catalogue = CATALOGUES[locale];
      const english = new Map(sentences(CATALOGUES.en));
      for (const [path, text] of sentences(catalogue)) {
        expect(text.trim(), path).to.equal(text).and.not.equal('');
        // Arabic has words for one and two in place of a number.
        if (path.includes('.count.'))
          expect(placeholders(text), path).to.deep.equal(
            /ar\.(one|two)$/.test(`${locale}.${path.split('.').at(-1)}`) ? [] : ['{count}'],
          );
        else if (path.includes('.verdicts.'))
          expect(placeholders(text).filter((name) => name !== '{brand}')).to.deep.equal([]);
        else expect(placeholders(text), path).to.deep.equal(placeholders(english.get(path)!));
      }
      for (const [verdict, { steps, lead, title }] of Object.entries(catalogue.verdicts)) {
        const original = CATALOGUES.en.verdicts[verdict as keyof typeof catalogue.verdicts];
        expect(steps, verdict).to.have.length(original.steps.length);
        expect(title.length, title).to.be.at.most(40);
        if (verdict === 'unknown') expect(placeholders([lead, ...steps].join())).to.deep.equal([]);
      }
      expect(catalogue.productCode.title.length).to.be.at.most(40);
      expect(catalogue.productCode.steps).to.have.length(3);
    });

    it(`has the plural forms that ${locale} needs`, () => {
      const forms = Object.keys(CATALOGUES[locale].scans.count).sort();
      expect(forms).to.deep.equal(
        [...new Intl.PluralRules(locale).resolvedOptions().pluralCategories].sort(),
      );
    });
  }

  it('never calls anything a fake', () => {
    expect(JSON.stringify(CATALOGUES)).not.to.match(
      /\bfake|counterfeit|fälsch|contrefa|falsific|contraff|podrób|sahte|مزي|偽物|假货/i,
    );
  });

  it('says of an expired or diverted code who issued it, and never that it is genuine', () => {
    const genuine =
      /genuine|original|echt|auténtic|authentique|autentic|autentycz|autêntic|gerçek|أصلي|正規|本物|正品|真实|真品/i;
    for (const locale of LOCALES) {
      const { verdicts } = CATALOGUES[locale];
      expect(verdicts.genuine.title, locale).to.match(genuine);
      for (const { lead } of [verdicts.expired, verdicts.diverted, { lead: verdicts.genuine.leadMedium }])
        expect(lead, locale).to.include('{brand}').and.not.to.match(genuine);
    }
  });

  it('counts and dates by the language', () => {
    expect(formatCount(CATALOGUES.en.scans.count, 1, 'en')).to.equal('Checked 1 time');
    expect(formatCount(CATALOGUES.pl.scans.count, 1, 'pl')).to.equal('Sprawdzono 1 raz');
    expect(formatCount(CATALOGUES.de.scans.count, 1234, 'de')).to.equal('1.234-mal geprüft');
    expect(formatDate('2028-03-31', 'fr')).to.equal('31 mars 2028');
    expect(formatDate('no date', 'fr')).to.equal('no date');
  });

  const everywhere = (locale: Locale) =>
    sentences([
      CATALOGUES[locale],
      REPORT_REFUSALS[locale],
      PHOTO_LABELS[locale],
      CONSIGNMENT_MESSAGES[locale],
      REFUSALS[locale],
    ]);

  it('begins no line with a French mark, and writes Chinese and Japanese ones as wide as the letters', () => {
    for (const [path, text] of everywhere('fr')) expect(text, path).not.to.match(/ [:;!?]/);
    for (const locale of ['zh', 'ja'] as const)
      for (const [path, text] of everywhere(locale))
        expect(text, `${locale} ${path}`).not.to.match(/[,:;!?()]/);
  });

  it('names countries and dates as the texts are written', () => {
    expect(countryName('PL', languageTag('pt'))).to.equal('Polónia');
    expect(formatMoment('2027-03-05T14:07:00Z', 'en')).to.match(/^5 Mar 2027, 14:07/);
  });
});
