import { expect } from 'chai';
import { createFormats } from '../../dashboard/src/i18n/create-formats.ts';

/** What sets numbers apart from what is beside them is none of the test's business. */
const plain = (text: string): string =>
  text.replaceAll(/[\u2009\u202f\u00a0]/g, ' ').replaceAll('\u200f', '');

describe('the formats of the dashboard', () => {
  for (const [language, expected] of Object.entries({
    en: ['Oct 21 – Nov 18, 2026', 'Dec 30, 2026 – Jan 2, 2027'],
    de: ['21.10. – 18.11.2026', '30.12.2026 – 02.01.2027'],
    fr: ['21 oct. – 18 nov. 2026', '30 déc. 2026 – 2 janv. 2027'],
    es: ['21 oct – 18 nov 2026', '30 dic 2026 – 2 ene 2027'],
    ja: ['2026/10/21～2026/11/18', '2026/12/30～2027/01/02'],
    ar: ['21/10/2026 – 18/11/2026', '30/12/2026 – 2/1/2027'],
  })) {
    it(`say a span of days as one is written in ${language}`, () => {
      const formats = createFormats(language, 'Europe/Lisbon');
      expect([
        plain(formats.calendarDays('2026-10-21', '2026-11-18')),
        plain(formats.calendarDays('2026-12-30', '2027-01-02')),
      ]).to.deep.equal(expected);
    });
  }

  it('say a day once, by the calendar of the organization', () => {
    const formats = createFormats('en', 'Asia/Tokyo');
    const day = formats.day('2026-11-18T15:00:00Z');
    expect(formats.days('2026-11-18T15:00:00Z', '2026-11-19T14:59:59Z')).to.equal(day);
    expect(day).to.equal('Nov 19, 2026');
    expect(formats.calendarDays('2026-11-19', '2026-11-19')).to.equal(day);
  });

  for (const [language, expected] of Object.entries({
    en: ['yesterday', '2 days ago', 'yesterday'],
    de: ['gestern', 'vorgestern', 'gestern'],
    fr: ['hier', 'avant-hier', 'hier'],
    es: ['ayer', 'anteayer', 'ayer'],
    ja: ['昨日', '一昨日', '昨日'],
    ar: ['أمس', 'أول أمس', 'أمس'],
  })) {
    it(`count days by the organization’s calendar in ${language}`, () => {
      const { ago } = createFormats(language, 'Asia/Tokyo');
      const morning = new Date('2026-11-25T00:00:00Z');
      const night = new Date('2026-11-25T14:00:00Z');
      expect([
        ago('2026-11-23T15:00:00Z', morning),
        // 34 hours, but on Monday; 46 hours, but on Tuesday.
        ago('2026-11-23T14:00:00Z', morning),
        ago('2026-11-23T16:00:00Z', night),
      ]).to.deep.equal(expected);
    });
  }

  it('call no hour of today a day ago, where clocks go back, and look ahead by the calendar too', () => {
    const { ago } = createFormats('en', 'Europe/Lisbon');
    expect(ago('2026-10-24T23:00:00Z', new Date('2026-10-25T23:50:00Z'))).to.equal('25 hours ago');
    expect(ago('2026-10-27T00:30:00Z', new Date('2026-10-25T23:30:00Z'))).to.equal('in 2 days');
  });
});
