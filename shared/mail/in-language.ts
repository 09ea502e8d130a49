/** What is put into the sentences of a mail: names, addresses and times. */
import { directionOf, type Language } from '../languages.ts';

const FROM_THE_RIGHT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Marks of direction, with which a name could turn the sentence around it. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g;
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** A name with a line break in it must become neither a header nor another line, or another paragraph, of a mail. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/**
 * Keeps a value to itself in a sentence: on its line, and in one of another direction: in Arabic everything, elsewhere what is
 * read from the right (as the dashboard does). HTML makes `<bdi>` of the marks.
 */
export function isolatedIn(language: Language, value: string): string {
  const plain = oneLine(value.replace(DIRECTION_MARKS, ''));
  const isForeign = directionOf(language) === 'rtl' || FROM_THE_RIGHT.test(plain);
  return isForeign ? FIRST_STRONG_ISOLATE + plain + POP_ISOLATE : plain;
}

/** Isolates of escaped text, as elements. */
export const isolatesAsHtml = (html: string): string =>
  html.replace(/\u2068([^\u2066-\u2069]*)\u2069/g, '<bdi>$1</bdi>');

/** Is not seen, and parts nothing. */
export const WORD_JOINER = '\u2060';

/**
 * What programs of mail and chats know a link by: `://`, a host's name, an address of mail, Markdown's `](`. A decimal point is none of
 * these, and a backslash before the signs would show on telephones.
 */
const WITHIN_LINKS = /@|\](?=\()|:(?=\/)|\.(?=\p{L})/gu;

/** A name that looks as it is written, and of which no program makes a link. */
export const unlinked = (text: string): string => text.replace(WITHIN_LINKS, `$&${WORD_JOINER}`);

/** As the language sets it behind a word. */
export const colonIn = (language: Language): string =>
  language === 'fr' ? '\u00a0:' : language === 'ja' ? '：' : ':';

/** "A, B" with the language's own comma. */
export const seriesIn = (language: Language, parts: readonly string[]): string =>
  parts.join(language === 'ja' ? '、' : language === 'ar' ? '، ' : ', ');

/** Arabic with Western digits, as the codes and ids beside them have; English with the day before the month. */
const LOCALES: Partial<Record<Language, string>> = { en: 'en-GB', ar: 'ar-u-nu-latn' };

const localeOf = (language: Language): string => LOCALES[language] ?? language;

/** @returns day and time of day in UTC, which is named. */
export function instantIn(language: Language, at: Date, hasSeconds: boolean): string {
  const text = new Intl.DateTimeFormat(localeOf(language), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(hasSeconds ? { second: '2-digit' } : {}),
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(at);
  return language === 'fr' ? text.replace(/^1 /, '1er ') : text;
}

export const numberIn = (language: Language, value: number): string =>
  new Intl.NumberFormat(localeOf(language)).format(value);

/** 0.125 becomes +13%. */
export const shareIn = (language: Language, value: number): string =>
  new Intl.NumberFormat(localeOf(language), {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  }).format(value);

const DASH = /\s?–\s?/;

/** From the day of one instant to that of another, in a zone; in French and Spanish as it stands behind `du` and `del`. */
export function daysIn(language: Language, first: Date, last: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language), {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  const range = format.formatRange(first, last);
  if (language === 'fr') return range.replace(DASH, ' au ').replace(/(^|au )1(?=\s)/g, '$11er');
  if (language === 'es') return range.replace(DASH, ' al ');
  // As a range it would be of figures and slashes.
  if (language === 'ja') return `${format.format(first)}～${format.format(last)}`;
  return range;
}

/** `YYYY-MM-DD` in a zone, as the dashboard's addresses have it. */
export const dayOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at,
  );

/** No more than so many characters; by default of a name of which more is to stand behind it in a subject, as that is cut itself. */
export function shortened(text: string, most = 32): string {
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (kept.length + segment.length > most) return `${kept.trimEnd()}…`;
    kept += segment;
  }
  return kept;
}
