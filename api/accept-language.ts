/** What a visitor reads, as their browser says it. */
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '../shared/languages.ts';

/** Browsers send ten languages at the most; the rest of a longer header is somebody's game. */
const MAX_RANGES = 32;

/**
 * The languages that a visitor reads, best first, by their first subtag (`pt-BR` is `pt`) in its canonical form: the one asked for by `?lang=`, then those
 * of `Accept-Language` by weight (RFC 9110 §12.5.4; of equal weights the first comes first; `*` and what is malformed count for nothing).
 */
export function languagesRead(acceptLanguage: string | undefined, asked?: unknown): string[] {
  const ranges = (acceptLanguage ?? '').split(',', MAX_RANGES).map((range) => {
    const [tag = '', ...parameters] = range.split(';');
    return { language: languageOf(tag.trim()), weight: weightOf(parameters) };
  });
  const accepted = ranges.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  const first = typeof asked === 'string' ? [languageOf(asked)] : [];
  return [...new Set([...first, ...accepted.map(({ language }) => language)])];
}

/** @returns the best of those that mails are written in, else English. */
export const preferredLanguage = (acceptLanguage: string | undefined): Language =>
  languagesRead(acceptLanguage).find(isLanguage) ?? DEFAULT_LANGUAGE;

/** The address of a page in the language that was asked for. @param lang as it was */
export const inLanguage = (path: string, lang: unknown): string =>
  typeof lang === 'string' ? `${path}?lang=${encodeURIComponent(lang)}` : path;

const languageOf = (tag: string): string => canonicalLanguage(tag.split('-', 1)[0]!.toLowerCase());

/**
 * One code for each language, as CLDR has it: browsers say `fil` and `cmn`, or `iw` as of old, where others write `tl`, `zh` and `he`. Norwegian,
 * which CLDR leaves alone, is what nearly all of its readers call Bokmål.
 * @param language in small letters; what is no code of two or three of them stays as it is
 */
export function canonicalLanguage(language: string): string {
  if (!/^[a-z]{2,3}$/.test(language)) return language;
  let name = canonical.get(language);
  if (name === undefined) {
    [name = ''] = Intl.getCanonicalLocales(language)[0]!.split('-', 1);
    if (name === 'no') name = 'nb';
    canonical.set(language, name);
  }
  return name;
}

/** Asking ICU takes 25 µs, and a browser names five languages. There are no more than 18,252 codes. */
const canonical = new Map<string, string>();

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((parameter) => parameter.trim()).find((parameter) => /^q=/i.test(parameter));
  if (quality === undefined) return 1;
  const weight = Number(quality.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}
