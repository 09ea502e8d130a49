/** What an organization has written to consumers, or linked for them, in several languages. */
import { canonicalLanguage } from '../../accept-language.ts';
import { DEFAULT_LOCALE, type Reader } from './locales.ts';

interface InLanguage {
  /** ISO 639-1; null for what is for everybody. */
  readonly language: string | null;
}

interface WrittenText extends InLanguage {
  readonly text: string;
}

export type TextsByLanguage = Readonly<Record<string, string>>;

export const writtenTexts = (texts: TextsByLanguage): WrittenText[] =>
  Object.entries(texts).map(([language, text]) => ({ language, text }));

/** @returns what is in the best of the visitor's languages or the page's, else in none, in English, or first; null of nothing */
export function bestFor<One extends InLanguage>(
  all: readonly One[],
  { locale, languages = [] }: Reader,
): One | null {
  const canonical = all.map(({ language }) => language && canonicalLanguage(language));
  for (const language of [...languages, locale, null, DEFAULT_LOCALE]) {
    const index = canonical.indexOf(language);
    if (index !== -1) return all[index]!;
  }
  return all[0] ?? null;
}
