/**
 * Texts: `src/locales/` is the namespace `common`, `screens/AREA/locales/` the namespace AREA. All texts of one language are
 * one file of the build, loaded before the first screen.
 */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isLanguage, LANGUAGES, preferredLanguage, storeLanguage, type Language } from './languages.ts';

interface Texts {
  [key: string]: string | Texts;
}

const files = import.meta.glob<{ default: Texts }>(['../locales/*.json', '../screens/*/locales/*.json']);

const partsOf = (file: string) => {
  const [, area, language] = /(?:screens\/([^/]+)\/)?locales\/(\w+)\.json$/.exec(file)!;
  return { namespace: area ?? 'common', language: language! };
};

/** French and Spanish count round millions apart (`many`) but write them like all others. */
const withRoundMillions = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([key, value]): [string, string | Texts][] => {
      if (typeof value !== 'string') return [[key, withRoundMillions(value)]];
      const many = key.replace(/_other$/, '_many');
      return many === key || many in texts
        ? [[key, value]]
        : [
            [key, value],
            [many, value],
          ];
    }),
  );

const loaded = new Set<Language>();

async function load(language: Language): Promise<void> {
  if (loaded.has(language)) return;
  const wanted = Object.entries(files).filter(([file]) => partsOf(file).language === language);
  await Promise.all(
    wanted.map(async ([file, read]) => {
      const texts = await read();
      i18next.addResourceBundle(
        language,
        partsOf(file).namespace,
        withRoundMillions(texts.default),
        true,
        true,
      );
    }),
  );
  loaded.add(language);
}

function applyToDocument(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].direction;
}

export async function startI18n(): Promise<void> {
  const language = preferredLanguage();
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    ns: ['common'],
    defaultNS: 'common',
    resources: {},
    interpolation: { escapeValue: false },
    returnNull: false,
    showSupportNotice: false,
  } as Parameters<typeof i18next.init>[0]);
  await load(language);
  applyToDocument(language);
}

export async function changeLanguage(language: Language): Promise<void> {
  await load(language);
  storeLanguage(language);
  applyToDocument(language);
  await i18next.changeLanguage(language);
}

export const currentLanguage = (): Language => {
  const { language } = i18next;
  return isLanguage(language) ? language : 'en';
};
