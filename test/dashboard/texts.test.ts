import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { FIELD_ERRORS } from '../../shared/field-errors.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { packageRoot } from '../../shared/package-root.ts';
import { DEFAULT_POLICY } from '../../shared/risk/policy.ts';

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

/** The file with all that it imports, now or when opened. */
function importedFrom(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+\.tsx?)'/g))
    importedFrom(path.resolve(path.dirname(file), name!), known);
  return known;
}

/** Codes without a text, because nobody reads them on a screen; by the reason. */
const UNREAD: Record<string, readonly string[]> = {
  'only a program that is not the dashboard sends such a request': [
    'BODY_NOT_EMPTY',
    'EXACTLY_ONE_OF',
    'AT_MOST_ONE_OF',
    'WRONG_TYPE',
    'TOO_DEEP',
    'FORBIDDEN_KEY',
    'SPAN_TOO_LONG',
  ],
  'no keyboard types it, and a browser repairs what is pasted': ['NUL_CHARACTER', 'LONE_SURROGATE'],
  'it stands in an address that the dashboard wrote, and the screen says so as a whole': [
    'NOT_AN_ID',
    'NOT_A_CURSOR',
  ],
  'it has no meaning of its own: the sentence of the service is shown': ['INVALID'],
  'consumers meet it, on pages of the service': ['CONSENT_NEEDED'],
};
/** Actions in the sources, beside `recordAudit` or, for sign-ins that failed, in the list of their kinds. */
function recordedByHand(): string[] {
  const sources = ['api', 'shared', 'cli'].flatMap((folder) =>
    readdirSync(path.join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(packageRoot, folder, file), 'utf8')),
  );
  return sources.flatMap((source) => [
    ...[...source.matchAll(/recordAudits?\([^;]*?\baction: '(\w+)'/g)].map(([, action]) => action!),
    ...[...source.matchAll(/\baudit\(deps, db, orgId, '(\w+)'/g)].map(([, action]) => action!),
    ...[...source.matchAll(/type (?:SignInFailure|DomainNews|BlockAction) = ([^;]+);/g)].flatMap(
      ([, kinds]) => kinds!.match(/\w+/g)!,
    ),
  ]);
}

const places = (text: string): string[] => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();

/** What Arabic counts has another form after 1, 2, 3–10, 11–99 and 100: a number of any size stands before none of these. */
const COUNTED_IN_ARABIC =
  /\{\{(\w+)\}\}\s+(?:حرف|أحرف|رقم|أرقام|وحد|يوم|أيام|ساع|حدث|أحداث|عملي|زائر|زوار|خلي|خلايا|سطر|أسطر)/;

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

  it('count in the forms of each language, and in no text that has but one', () => {
    const wrong: string[] = [];
    for (const folder of [SOURCES, ...AREAS.map((area) => path.join(SCREENS, area))])
      for (const language of LANGUAGES)
        for (const [key, text] of textsOf(folder, language)) {
          const where = `${path.relative(SOURCES, folder)} ${language} ${key}: ${text}`;
          if (!PLURAL.test(key) && text.includes('{{count}}')) wrong.push(where);
          const counted = language === 'ar' ? COUNTED_IN_ARABIC.exec(text)?.[1] : undefined;
          if (counted !== undefined && !(PLURAL.test(key) && counted === 'count')) wrong.push(where);
        }
    expect(wrong).to.deep.equal([]);
  });

  for (const area of AREAS) {
    it(`are loaded with the screens of ${area} that show them`, async () => {
      const declared = readFileSync(path.join(SCREENS, area, 'area.ts'), 'utf8');
      const further = /\btexts: \[([^\]]*)\]/.exec(declared)?.[1]?.match(/[\w-]+/g) ?? [];
      const shown = new Set(
        [...importedFrom(path.join(SCREENS, area, 'area.ts'))].flatMap((file) => {
          const own = readFileSync(file, 'utf8').matchAll(/useTranslation\('([\w-]+)'|\bns: '([\w-]+)'/g);
          return [...own].map(([, hook, option]) => hook ?? option!);
        }),
      );
      for (const loaded of ['common', 'labels', area]) shown.delete(loaded);
      expect([...shown].sort()).to.deep.equal([...further].sort());
    });
  }

  for (const language of LANGUAGES) {
    it(`say in ${language} what is wrong with a value, for every code that a person can meet`, () => {
      const texts = textsOf(SOURCES, language);
      const worded = [...texts.keys()].filter((key) => key.startsWith('refused.'));
      const unread = Object.values(UNREAD).flat();
      expect([...worded.map((key) => key.slice('refused.'.length)), ...unread].sort()).to.deep.equal(
        Object.keys(FIELD_ERRORS).sort(),
      );
      for (const key of worded) {
        const known = FIELD_ERRORS[key.slice('refused.'.length) as keyof typeof FIELD_ERRORS];
        const params: readonly string[] = 'params' in known ? known.params : [];
        expect(
          params.map((name) => `{{${name}}}`),
          key,
        ).to.include.members(places(texts.get(key)!));
      }
    });
  }
  it('name every action of the audit log', () => {
    const texts = textsOf(path.join(SCREENS, 'settings'), 'en');
    const named = [...texts.keys()].flatMap((key) => /^audit\.actions\.(\w+)$/.exec(key)?.[1] ?? []);
    // What `api/audit-trail.ts` records by itself, and what is recorded where it happens.
    const around = OPERATIONS.filter(
      ({ method, access, ownTransaction }) => method !== 'get' && access.kind !== 'public' && !ownTransaction,
    ).map(({ operationId }) => operationId);
    expect(named.sort()).to.deep.equal([...new Set([...around, ...recordedByHand()])].sort());
  });

  it('name everything that a risk policy decides', () => {
    const texts = textsOf(path.join(SCREENS, 'risk-policy'), 'en');
    for (const [rule, fields] of Object.entries(DEFAULT_POLICY)) {
      expect([...texts.keys()]).to.include(`${rule}.title`);
      for (const name of Object.keys(fields))
        if (name !== 'enabled')
          expect([...texts.keys()]).to.include(name === 'windows' ? 'windows.title' : `fields.${name}.label`);
    }
  });
});
