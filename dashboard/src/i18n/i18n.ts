/**
 * Texts: `src/locales/` is the namespace `common`, `screens/AREA/locales/` the namespace AREA. All texts of one language are
 * one file of the build, loaded before the first screen.
 */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isLanguage, LANGUAGES, preferredLanguage, storeLanguage, type Language } from './languages.ts';

type Texts = { default: Record<string, unknown> };

const files = import.meta.glob<Texts>(['../locales/*.json', '../screens/*/locales/*.json']);

const partsOf = (file: string) => {
  const [, area, language] = /(?:screens\/([^/]+)\/)?locales\/(\w+)\.json$/.exec(file)!;
  return { namespace: area ?? 'common', language: language! };
};

const loaded = new Set<Language>();

async function load(language: Language): Promise<void> {
  if (loaded.has(language)) return;
  const wanted = Object.entries(files).filter(([file]) => partsOf(file).language === language);
  await Promise.all(
    wanted.map(async ([file, read]) => {
      const texts = await read();
      i18next.addResourceBundle(language, partsOf(file).namespace, texts.default, true, true);
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
