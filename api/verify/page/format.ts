/** Dates, numbers and plural forms by the visitor's language. Formatters are kept: making one costs more than a page. */
import type { Locale } from './locales.ts';
import type { Plural } from './messages.ts';

interface Formatters {
  readonly date: Intl.DateTimeFormat;
  readonly moment: Intl.DateTimeFormat;
  readonly number: Intl.NumberFormat;
  readonly plural: Intl.PluralRules;
}

const formatters = new Map<Locale, Formatters>();

/** Of languages that are written in more than one way, the one in which the catalogue is. */
const WRITTEN_AS: Readonly<Partial<Record<Locale, string>>> = { en: 'en-GB', pt: 'pt-PT' };

/** For names, numbers and dates in the words of the page. @returns a BCP 47 tag */
export const languageTag = (locale: Locale): string => WRITTEN_AS[locale] ?? locale;

function formattersOf(locale: Locale): Formatters {
  let found = formatters.get(locale);
  if (!found) {
    const tag = languageTag(locale);
    const moment = { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' } as const;
    found = {
      date: new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }),
      moment: new Intl.DateTimeFormat(tag, moment),
      number: new Intl.NumberFormat(tag),
      plural: new Intl.PluralRules(tag),
    };
    formatters.set(locale, found);
  }
  return found;
}

/** @param date `YYYY-MM-DD`; returned as it is when it is no date. */
export function formatDate(date: string, locale: Locale): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? date : formattersOf(locale).date.format(time);
}

/** The digits of dates, `latn`: a browser may have others for the same language. */
export const digitsOf = (locale: Locale): string =>
  formattersOf(locale).moment.resolvedOptions().numberingSystem;

/** Date and time in UTC, said so: the server does not know the visitor's zone (the page's script puts it right). */
export function formatMoment(iso: string, locale: Locale): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : formattersOf(locale).moment.format(time);
}

export const formatNumber = (value: number, locale: Locale): string =>
  formattersOf(locale).number.format(value);

/** The form that the language uses for this number, with {count} filled in. */
export function formatCount(plural: Plural, count: number, locale: Locale): string {
  const { number, plural: rules } = formattersOf(locale);
  const form = plural[rules.select(count)] ?? plural.other;
  return form.replace('{count}', number.format(count));
}
