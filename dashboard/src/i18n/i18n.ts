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

/** Before the sign-in nobody waits for the texts of what lies behind it. */
type Part = 'gate' | 'areas';

const partOf = (namespace: string): Part => (GATE.has(namespace) ? 'gate' : 'areas');
const GATE = new Set(['common', 'account']);
const needed = new Set<Part>(['gate']);
const loading = new Map<string, Promise<void>>();

function loadPart(language: Language, part: Part): Promise<void> {
  const id = `${language} ${part}`;
  if (!loading.has(id))
    loading.set(
      id,
      read(language, part).catch((error: unknown) => {
        loading.delete(id);
        throw error;
      }),
    );
  return loading.get(id)!;
}

async function read(language: Language, part: Part): Promise<void> {
  await Promise.all(
    Object.entries(files).map(async ([file, open]) => {
      const { namespace, language: own } = partsOf(file);
      if (own !== language || partOf(namespace) !== part) return;
      i18next.addResourceBundle(language, namespace, withRoundMillions((await open()).default), true, true);
    }),
  );
}

async function load(language: Language): Promise<void> {
  await Promise.all([...needed].map((part) => loadPart(language, part)));
}

/** The texts of every area, for whoever is signed in. */
export function loadAreaTexts(): Promise<void> {
  needed.add('areas');
  return load(currentLanguage());
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
