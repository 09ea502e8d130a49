/**
 * Texts: `src/locales/` is the namespace `common`, `screens/AREA/locales/` the namespace AREA, loaded with the area's first
 * screen. What the navigation says of all areas (the keys that each `area.ts` names) is the namespace `labels`, by area.
 */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isLanguage, LANGUAGES, preferredLanguage, storeLanguage, type Language } from './languages.ts';
import { inTexts, isolated, regional } from './phrases.ts';

/** The namespace of what the navigation says. */
const LABELS = 'labels';

interface Texts {
  [key: string]: string | Texts;
}

const files = import.meta.glob<Texts>(['../locales/*.json', '../screens/*/locales/*.json'], {
  import: 'default',
});

const labels: Record<Language, () => Promise<{ default: Texts }>> = {
  en: () => import('virtual:labels/en'),
  de: () => import('virtual:labels/de'),
  fr: () => import('virtual:labels/fr'),
  es: () => import('virtual:labels/es'),
  ja: () => import('virtual:labels/ja'),
  ar: () => import('virtual:labels/ar'),
};

async function textsOf(language: Language, namespace: string): Promise<Texts> {
  if (namespace === LABELS) return (await labels[language]()).default;
  const folder = namespace === 'common' ? '..' : `../screens/${namespace}`;
  return files[`${folder}/locales/${language}.json`]!();
}

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

/** What is shown, or was: changing the language changes all of it. */
const needed = new Set(['common']);
const loading = new Map<string, Promise<void>>();

function loadNamespace(language: Language, namespace: string): Promise<void> {
  const id = `${language} ${namespace}`;
  if (!loading.has(id))
    loading.set(
      id,
      read(language, namespace).catch((error: unknown) => {
        loading.delete(id);
        throw error;
      }),
    );
  return loading.get(id)!;
}

async function read(language: Language, namespace: string): Promise<void> {
  const texts = withRoundMillions(await textsOf(language, namespace));
  i18next.addResourceBundle(language, namespace, texts, true, true);
}

async function load(language: Language): Promise<void> {
  await Promise.all([...needed].map((namespace) => loadNamespace(language, namespace)));
}

/** The texts of these areas, in the language of now and in each that is chosen later. */
export function loadTexts(areas: readonly string[]): Promise<void> {
  for (const area of areas) needed.add(area);
  return load(currentLanguage());
}

/** The names of all places, for the navigation. */
export const loadLabels = (): Promise<void> => loadTexts([LABELS]);

function applyToDocument(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].direction;
}

export async function startI18n(): Promise<void> {
  const language = preferredLanguage();
  const formatter = inTexts((tag) => regional(tag, navigator.languages));
  await i18next
    .use(formatter)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      ns: ['common'],
      defaultNS: 'common',
      resources: {},
      // React escapes what it shows.
      interpolation: {
        escapeValue: true,
        alwaysFormat: true,
        escape: (value) => (LANGUAGES[currentLanguage()].direction === 'ltr' ? isolated(value) : value),
      },
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
