import path from 'node:path';
import { iso1A2Code } from '@rapideditor/country-coder';
import react from '@vitejs/plugin-react';
import cityMap from 'city-timezones/data/cityMap.json' with { type: 'json' };
import { defineConfig, type Plugin } from 'vite';
import atlas from 'world-atlas/countries-50m.json' with { type: 'json' };

/** The nonce's place in `index.html`; `web` puts one in for each response. */
export const NONCE_PLACEHOLDER = 'CSP_NONCE';

interface Shape {
  id?: string;
  properties?: unknown;
}

/** World-atlas without the land's outline and the English names, and with the two-letter codes that the API speaks. */
function worldMap(): Plugin {
  const id = 'virtual:world-map';
  return {
    name: 'world-map',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load(source) {
      if (source !== `\0${id}`) return null;
      const { countries } = atlas.objects;
      const geometries = (countries.geometries as Shape[]).map(({ id: numeric, ...shape }) => ({
        ...shape,
        properties: undefined,
        id: numeric === undefined ? undefined : (iso1A2Code(numeric) ?? undefined),
      }));
      const world = { ...atlas, objects: { countries: { ...countries, geometries } } };
      // Parsed as JSON, which engines do faster than the same as code.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(world))});`;
    },
  };
}

/** From how many inhabitants on a city names a place. */
const CITY_INHABITANTS = 100_000;

/** Large cities: name, country, latitude, longitude, inhabitants in thousands, the largest first. */
function cities(): Plugin {
  const id = 'virtual:cities';
  return {
    name: 'cities',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load(source) {
      if (source !== `\0${id}`) return null;
      const large = cityMap
        .filter(({ pop }) => pop >= CITY_INHABITANTS)
        .sort((a, b) => b.pop - a.pop)
        .map(({ city, iso2, lat, lng, pop }) => [
          city,
          iso2,
          Math.round(lat * 100) / 100,
          Math.round(lng * 100) / 100,
          Math.round(pop / 1000),
        ]);
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(large))});`;
    },
  };
}

/** Two files for each language: before the sign-in, and behind it. */
const textsOf = (file: string): string | null => {
  const found = /\/src\/(?:screens\/([^/]+)\/)?locales\/(\w+)\.json$/.exec(file);
  if (found === null) return null;
  const [, area = 'account', language] = found;
  return area === 'account' ? `texts-${language}` : `texts-areas-${language}`;
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react(), worldMap(), cities()],
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
    // The shapes of the countries, loaded when a map is shown.
    chunkSizeWarningLimit: 1000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: textsOf, debugName: 'texts' }] },
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
