import { expect } from 'chai';
import i18next from 'i18next';
import {
  distanceIn,
  durationIn,
  inText,
  inTexts,
  isolated,
  labelledIn,
  regional,
  seriesIn,
} from '../../dashboard/src/i18n/phrases.ts';
import { rough, roughUp } from '../../dashboard/src/screens/scans/rough.ts';
import { whatJoinsNot } from '../../dashboard/src/screens/scans/signals.ts';
import { partsOf } from '../../dashboard/src/screens/developers/timing-parts.ts';

describe('how the dashboard puts things', () => {
  it('keeps an Arabic name to itself in a sentence that is read from the left, and leaves others alone', () => {
    expect(isolated('زيت زيتون')).to.equal('\u2068زيت زيتون\u2069');
    expect(isolated('Oil زيت 500')).to.equal('\u2068Oil زيت 500\u2069');
    for (const plain of ['Olive oil', 'オリーブ油', 'Öl · 0,5 l', '2026-11-22', ''])
      expect(isolated(plain)).to.equal(plain);
  });

  it('says metres below one kilometre, and lists with the language’s own comma', () => {
    expect([0, 0.0004, 0.03, 0.9, 1, 207].map(distanceIn('en'))).to.deep.equal([
      '0 km',
      '1 m',
      '30 m',
      '900 m',
      '1 km',
      '207 km',
    ]);
    expect(seriesIn('en')(['a', 'b', 'c'])).to.equal('a, b, c');
    expect(seriesIn('ar')(['a', 'b'])).to.equal('a، b');
    expect(seriesIn('ja')(['a', 'b'])).to.equal('a、b');
  });

  it('speaks of places that one object cannot join where there are several, and of moves where there were any', () => {
    const tokyo = { country: 'JP', lat: 35.7, lon: 139.7, visitors: 3, firstAt: '', lastAt: '' };
    const berlin = { ...tokyo, country: 'DE', lat: 52.5, lon: 13.4 };
    const told = (places: (typeof tokyo)[], moves: number) => Object.values(whatJoinsNot({ places, moves }));
    expect(told([tokyo, berlin], 1)).to.deep.equal([true, true]);
    expect(told([tokyo, berlin], 0)).to.deep.equal([true, false]);
    expect(told([tokyo], 0)).to.deep.equal([false, false]);
    expect(told([], 0)).to.deep.equal([false, false]);
  });

  it('rounds what is estimated to two figures, and a speed beside its limit upwards', () => {
    expect([0, 7, 871, 1040, 560_400].map((km) => rough(km))).to.deep.equal([0, 7, 870, 1000, 560_000]);
    expect([0, 7, 1000, 1003, 1040, 560_400].map((kmh) => roughUp(kmh))).to.deep.equal([
      0, 7, 1000, 1100, 1100, 570_000,
    ]);
  });

  it('sets the colon behind a label as the language does', () => {
    expect(['en-GB', 'fr', 'ja', 'ar'].map((tag) => labelledIn(tag)('X', '12'))).to.deep.equal([
      'X: 12',
      'X\u00a0: 12',
      'X：12',
      'X: 12',
    ]);
  });

  it('groups the digits of numbers in sentences, and leaves what is no number alone', () => {
    expect(['en', 'de', 'ar'].map((tag) => inText(1_234_567, tag))).to.deep.equal([
      '1,234,567',
      '1.234.567',
      '1,234,567',
    ]);
    expect([inText('2026', 'en'), inText(null, 'en')]).to.deep.equal(['2026', null]);
  });

  it('groups them in each text that i18next puts together, as the reader’s region does', async () => {
    const texts = i18next.createInstance().use(inTexts((tag) => regional(tag, ['en-IN'])));
    const translation = { scans_other: '{{count}} of {{serial}}' };
    await texts.init({
      lng: 'en',
      resources: { en: { translation }, de: { translation } },
      interpolation: { alwaysFormat: true },
      showSupportNotice: false,
    } as Parameters<typeof texts.init>[0]);
    const scans = { count: 1_234_567, serial: '20260' };
    expect(texts.t('scans', scans)).to.equal('12,34,567 of 20260');
    expect(texts.t('scans', { ...scans, lng: 'de' })).to.equal('1.234.567 of 20260');
  });

  it('says how long something takes in the unit that suits it', () => {
    const english = durationIn('en');
    expect([0, 45, 60, 2201, 7199, 9000, 86_400, 200_000].map(english)).to.deep.equal([
      '0 seconds',
      '45 seconds',
      '1 minute',
      '37 minutes',
      '120 minutes',
      '2.5 hours',
      '24 hours',
      '2.3 days',
    ]);
  });

  it('takes a language as the reader’s browser has it', () => {
    expect(regional('en', ['de-DE', 'en-GB', 'en-US'])).to.equal('en-GB');
    expect(regional('ar', ['en-GB'])).to.equal('ar');
  });

  it('divides an attempt’s time into parts that are together its whole', () => {
    const fresh = { dnsMs: 4.5, connectMs: 8.3, tlsMs: 14.8, firstByteMs: 77.5, totalMs: 78.1 };
    expect(partsOf(fresh)).to.deep.equal([
      { part: 'dnsMs', ms: 4.5 },
      { part: 'connectMs', ms: 8.3 },
      { part: 'tlsMs', ms: 14.8 },
      { part: 'waitMs', ms: 49.9 },
      { part: 'restMs', ms: 0.6 },
    ]);
    const kept = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: 6, totalMs: 6 };
    expect(partsOf(kept)).to.deep.equal([{ part: 'waitMs', ms: 6 }]);
    // Given up while it waited.
    const late = { dnsMs: null, connectMs: 2, tlsMs: null, firstByteMs: null, totalMs: 10_000 };
    expect(partsOf(late)).to.deep.equal([
      { part: 'connectMs', ms: 2 },
      { part: 'restMs', ms: 9998 },
    ]);
  });
});
