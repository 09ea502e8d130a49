import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';

const SOURCES = path.join(packageRoot, 'dashboard', 'src');
const SCREENS = path.join(SOURCES, 'screens');
const LANGUAGES = readdirSync(path.join(SOURCES, 'locales')).map((file) => path.parse(file).name);
const AREAS = readdirSync(SCREENS);
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

type Texts = { [key: string]: string | Texts };

/** Every text by its key, `signIn.title`. */
const flat = (texts: Texts, prefix = ''): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flat(value, `${prefix}${key}.`),
  );

const textsOf = (folder: string, language: string): Map<string, string> =>
  new Map(flat(JSON.parse(readFileSync(path.join(folder, 'locales', `${language}.json`), 'utf8')) as Texts));

/** The keys that a language needs for what English says: its own forms of a plural. */
function expectedKeys(english: Iterable<string>, language: string): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  // French and Spanish have "many" only for round millions; the dashboard writes them like "other" when it loads texts.
  const needed = language === 'fr' || language === 'es' ? forms.filter((form) => form !== 'many') : forms;
  const keys = [...english].flatMap((key) =>
    PLURAL.test(key) ? needed.map((form) => key.replace(PLURAL, `_${form}`)) : [key],
  );
  return [...new Set(keys)].sort();
}

const places = (text: string): string[] => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();

describe('the texts of the dashboard', () => {
  for (const folder of [SOURCES, ...AREAS.map((area) => path.join(SCREENS, area))]) {
    for (const language of LANGUAGES) {
      it(`of ${path.relative(SOURCES, folder) || 'the shell'} are whole in ${language}`, () => {
        const english = textsOf(folder, 'en');
        const own = textsOf(folder, language);
        expect([...own.keys()].sort()).to.deep.equal(expectedKeys(english.keys(), language));
        for (const [key, text] of own) {
          expect(text.trim(), key).to.not.equal('');
          // Singular, dual and none may say the number in words.
          if (!PLURAL.test(key) || key.endsWith('_other'))
            expect(places(text), key).to.deep.equal(places(english.get(key)!));
        }
      });
    }
  }
});
