/** What an organization has written to consumers in several languages. */
import { canonicalLanguage } from '../../accept-language.ts';

export type TextsByLanguage = Readonly<Record<string, string>>;

/** A text and its language, as the organization wrote that. */
export type WrittenText = readonly [language: string, text: string];

/** @returns the text in the first of these languages that has one. */
export function textIn(texts: TextsByLanguage, languages: readonly string[]): WrittenText | null {
  const written = new Map(Object.entries(texts).map((one) => [canonicalLanguage(one[0]), one]));
  for (const language of languages) {
    const found = written.get(language);
    if (found !== undefined) return found;
  }
  return null;
}

export const firstText = (texts: TextsByLanguage): WrittenText | null => Object.entries(texts)[0] ?? null;
