/** How words and figures are put together; pure, for `format.ts` and the texts. */

const FROM_THE_RIGHT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/**
 * What stands in a sentence that is read from the left: an Arabic name keeps to itself there. Without, the date behind it
 * would be read as a part of it, and stand before it. Arabic sentences say themselves which of their words are foreign.
 */
export const isolated = (value: string): string =>
  FROM_THE_RIGHT.test(value) ? FIRST_STRONG_ISOLATE + value + POP_ISOLATE : value;

/** Arabic with Western digits, as the codes and ids beside them have. */
export const localeOf = (tag: string): string => (tag.startsWith('ar') ? `${tag}-u-nu-latn` : tag);

/** What stands before a number's fraction. */
export const decimalSeparatorOf = (tag: string): string =>
  new Intl.NumberFormat(localeOf(tag)).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ??
  '.';

/** Numbers within sentences, written as the language groups them; everything else as it is. */
export const inText = (value: unknown, tag: string): unknown =>
  typeof value === 'number'
    ? new Intl.NumberFormat(localeOf(tag), { maximumFractionDigits: 1 }).format(value)
    : value;

/**
 * For i18next, which hears of numbers from a module of this kind alone: it puts its own over `interpolation.format`.
 * @param regionOf the language's tag as the reader's browser has it
 */
export const inTexts = (regionOf: (tag: string) => string) => ({
  type: 'formatter' as const,
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, _format?: string, tag = 'en') => inText(value, regionOf(tag)) as string,
});

/** The language as the reader's browser has it: "en-GB" for a chosen "en", where dates are written otherwise. */
export const regional = (language: string, browsers: readonly string[]): string =>
  browsers.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ?? language;

const COMMAS: Record<string, string> = { ar: '، ', ja: '、' };

/** With nothing but the language's comma between them. */
export const seriesIn =
  (tag: string) =>
  (parts: readonly string[]): string =>
    parts.join(COMMAS[tag.slice(0, 2)] ?? ', ');

const COLONS: Record<string, string> = { fr: '\u00a0: ', ja: '：' };

/** "Japan: 12", with the language's colon. */
export const labelledIn =
  (tag: string) =>
  (label: string, value: string): string =>
    `${label}${COLONS[tag.slice(0, 2)] ?? ': '}${value}`;

/** @returns kilometres in words; metres below one kilometre, where a position is that exact. */
export function distanceIn(locale: string): (km: number) => string {
  const whole = (unit: string) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 0 });
  const kilometres = whole('kilometer');
  const metres = whole('meter');
  return (km) => (km > 0 && km < 1 ? metres.format(Math.max(1, km * 1000)) : kilometres.format(km));
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** @returns a span of seconds in the unit that suits it: "40 minutes", "3.5 hours", "2 days". */
export function durationIn(locale: string): (seconds: number) => string {
  const words = (value: number, unit: string, isWhole: boolean) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: 'long',
      maximumFractionDigits: isWhole || value >= 10 ? 0 : 1,
    }).format(value);
  return (seconds) => {
    if (seconds < MINUTE) return words(seconds, 'second', true);
    if (seconds < 2 * HOUR) return words(seconds / MINUTE, 'minute', true);
    return seconds < 2 * DAY ? words(seconds / HOUR, 'hour', false) : words(seconds / DAY, 'day', false);
  };
}
