/** The languages of the consumer's page, and which of them a visitor gets. */
import { canonicalLanguage, languagesRead } from '../../accept-language.ts';
import type { Messages } from './messages.ts';
import { ar } from './messages/ar.ts';
import { de } from './messages/de.ts';
import { en } from './messages/en.ts';
import { es } from './messages/es.ts';
import { fr } from './messages/fr.ts';
import { it } from './messages/it.ts';
import { ja } from './messages/ja.ts';
import { nl } from './messages/nl.ts';
import { pl } from './messages/pl.ts';
import { pt } from './messages/pt.ts';
import { tr } from './messages/tr.ts';
import { zh } from './messages/zh.ts';

/** In the order in which the page offers them: by the language's own name. */
export const CATALOGUES = { de, en, es, fr, it, nl, pl, pt, tr, ar, ja, zh } satisfies Record<
  string,
  Messages
>;

export type Locale = keyof typeof CATALOGUES;

export const DEFAULT_LOCALE: Locale = 'en';

/** Each language in its own words, as a visitor who landed in the wrong one can read. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  tr: 'Türkçe',
  ar: 'العربية',
  ja: '日本語',
  zh: '简体中文',
};

export const LOCALES = Object.keys(CATALOGUES) as readonly Locale[];

/** Whether a value names one of the page's languages, exactly as the page itself writes it. */
export function isLocale(value: unknown): value is Locale {
  return typeof value === 'string' && Object.hasOwn(CATALOGUES, value);
}

/** Those of two letters that CLDR writes from right to left. */
const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** @param language of the page, or one in which a brand writes */
export const textDirection = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(canonicalLanguage(language)) ? 'rtl' : 'ltr';

/** Whom a page is for. */
export interface Reader {
  /** The page's language. */
  readonly locale: Locale;
  /** All that the visitor reads, best first: a brand may write in one that the page does not have. */
  readonly languages?: readonly string[];
}

export function readerOf(acceptLanguage: string | undefined, asked?: unknown): Reader {
  const languages = languagesRead(acceptLanguage, asked);
  return { locale: languages.find(isLocale) ?? DEFAULT_LOCALE, languages };
}

/** Chooses the page's language: the first of the visitor's that it has, else English. */
export function negotiateLocale(acceptLanguage: string | undefined, asked?: unknown): Locale {
  return readerOf(acceptLanguage, asked).locale;
}
