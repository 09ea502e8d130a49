import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { iso1A2Code } from '@rapideditor/country-coder';
import react from '@vitejs/plugin-react';
import cityMap from 'city-timezones/data/cityMap.json' with { type: 'json' };
import { defineConfig, type Plugin } from 'vite';
import atlas from 'world-atlas/countries-50m.json' with { type: 'json' };

/** The nonce's place in `index.html`; `web` puts one in for each response. */
export const NONCE_PLACEHOLDER = 'CSP_NONCE';

const SCREENS = path.join(import.meta.dirname, 'src', 'screens');

interface Shape {
  id?: string;
  properties?: unknown;
}

/**
 * `virtual:NAME` is the address of a file of figures: fetched and parsed as JSON, which engines do faster than the same as
 * script, and beside the scripts that draw it.
 */
function figures(name: string, make: () => unknown): Plugin {
  const id = `virtual:${name}`;
  let isServed = false;
  return {
    name: `figures-${name}`,
    configResolved({ command }) {
      isServed = command === 'serve';
    },
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load(source) {
      if (source !== `\0${id}`) return null;
      const text = JSON.stringify(make());
      if (isServed)
        return `export default ${JSON.stringify(`data:application/json,${encodeURIComponent(text)}`)};`;
      const file = this.emitFile({ type: 'asset', name: `${name}.json`, source: text });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}

/** World-atlas without the land's outline and the English names, and with the two-letter codes that the API speaks. */
function worldMap() {
  const { countries } = atlas.objects;
  const geometries = (countries.geometries as Shape[]).map(({ id: numeric, ...shape }) => ({
    ...shape,
    properties: undefined,
    id: numeric === undefined ? undefined : (iso1A2Code(numeric) ?? undefined),
  }));
  return { ...atlas, objects: { countries: { ...countries, geometries } } };
}

/** From how many inhabitants on a city names a place. */
const CITY_INHABITANTS = 100_000;

/** Large cities: name, country, latitude, longitude, inhabitants in thousands, the largest first. */
const cities = () =>
  cityMap
    .filter(({ pop }) => pop >= CITY_INHABITANTS)
    .sort((a, b) => b.pop - a.pop)
    .map(({ city, iso2, lat, lng, pop }) => [
      city,
      iso2,
      Math.round(lat * 100) / 100,
      Math.round(lng * 100) / 100,
      Math.round(pop / 1000),
    ]);

const LABEL = /\b(?:label|keywords): '([\w.]+)'/g;

type Texts = { [key: string]: string | Texts };

/** @returns of the texts those at these keys, `keys.title`. */
function pick(texts: Texts, keys: readonly string[]): Texts {
  const heads = new Set(keys.map((key) => key.split('.')[0]!));
  return Object.fromEntries(
    [...heads].map((head) => {
      const text = texts[head];
      const below = keys.filter((key) => key.startsWith(`${head}.`)).map((key) => key.slice(head.length + 1));
      return [head, typeof text === 'object' ? pick(text, below) : text!];
    }),
  );
}

/** `virtual:labels/LANGUAGE`: of each area's texts those that its `area.ts` names, which the navigation shows everywhere. */
function labels(): Plugin {
  const prefix = 'virtual:labels/';
  return {
    name: 'labels',
    resolveId: (source) => (source.startsWith(prefix) ? `\0${source}` : null),
    async load(source) {
      if (!source.startsWith(`\0${prefix}`)) return null;
      const language = source.slice(`\0${prefix}`.length);
      const named = (await readdir(SCREENS)).map(async (area) => {
        const [declared, texts] = [`${area}/area.ts`, `${area}/locales/${language}.json`].map((file) =>
          path.join(SCREENS, file),
        ) as [string, string];
        this.addWatchFile(declared);
        this.addWatchFile(texts);
        const keys = [...(await readFile(declared, 'utf8')).matchAll(LABEL)].map(([, key]) => key!);
        return [area, pick(JSON.parse(await readFile(texts, 'utf8')) as Texts, keys)] as const;
      });
      const all = Object.fromEntries(await Promise.all(named));
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(all))});`;
    },
  };
}

/** For each language one file of what is shown before the sign-in; behind it each area has its own. */
const textsOf = (file: string): string | null => {
  const found = /\/src\/(?:screens\/account\/)?locales\/(\w+)\.json$/.exec(file);
  return found && `texts-${found[1]}`;
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react(), labels(), figures('world-map', worldMap), figures('cities', cities)],
  html: { cspNonce: NONCE_PLACEHOLDER },
  logLevel: 'warn',
  build: {
    outDir: path.join(import.meta.dirname, '..', 'dist', 'dashboard'),
    emptyOutDir: true,
    target: 'es2022',
    // Of browsers that know light-dark() themselves: lowered, it would want a color-scheme in each file.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    // A picture as data: would need a hole in the policy.
    assetsInlineLimit: 0,
    // Before it is gzipped; `test/dashboard/first-load.test.ts` holds what comes over the wire.
    chunkSizeWarningLimit: 600,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: textsOf, debugName: 'texts' },
            // What every page needs, in one file: smaller, and asked for once.
            { name: 'base', tags: ['$initial'] },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/sign-up', '/v/', '/artifacts', '/report-photos', '/account', '/ops'].map((prefix) => [
        prefix,
        { target: process.env['TOUCHSTONE_URL'] ?? 'http://localhost:3000', changeOrigin: true },
      ]),
    ),
  },
});
