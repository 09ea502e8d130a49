import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';

const BUILD = path.join(packageRoot, 'dist', 'dashboard');
/** Of script, gzipped: what somebody waits for on a slow line before the first screen. */
const FIRST_LOAD_BYTES = 250_000;

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

const manifest = (): Record<string, Chunk> =>
  JSON.parse(readFileSync(path.join(BUILD, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>;

/** A chunk with everything that it imports at once. */
function closure(
  chunks: Record<string, Chunk>,
  names: readonly string[],
  known = new Set<string>(),
): Set<string> {
  for (const name of names) {
    if (known.has(name)) continue;
    known.add(name);
    closure(chunks, chunks[name]!.imports ?? [], known);
  }
  return known;
}

const gzippedBytes = (chunks: Record<string, Chunk>, names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + statSync(path.join(BUILD, `${chunks[name]!.file}.gz`)).size, 0);

describe('the built dashboard', () => {
  it('loads no more than 250 KB of gzipped script before the sign-in shows', () => {
    const chunks = manifest();
    const entry = Object.keys(chunks).find((name) => chunks[name]!.isEntry)!;
    const english = Object.keys(chunks).find((name) => chunks[name]!.file.includes('/texts-en-'))!;
    const first = closure(chunks, [entry, english, 'src/screens/account/sign-in.tsx']);
    expect(gzippedBytes(chunks, first)).to.be.at.most(FIRST_LOAD_BYTES);
  });

  it('loads no more than 300 KB of gzipped script until a list behind the sign-in shows', () => {
    const chunks = manifest();
    const named = (part: string) => Object.keys(chunks).filter((name) => chunks[name]!.file.includes(part));
    const first = closure(chunks, [
      ...named('/index-').filter((name) => chunks[name]!.isEntry),
      ...named('/texts-en-'),
      ...named('/texts-areas-en-'),
      'src/app/shell.tsx',
      'src/screens/products/list.tsx',
    ]);
    expect(gzippedBytes(chunks, first)).to.be.at.most(300_000);
  });

  it('loads the map, the charts and the screens only when they are opened', () => {
    const chunks = manifest();
    const entry = Object.keys(chunks).find((name) => chunks[name]!.isEntry)!;
    const first = [...closure(chunks, [entry])].map((name) => chunks[name]!.file);
    for (const late of ['world-map-drawn', 'chart-drawn', 'overview', 'palette', 'shell', 'texts-areas-en'])
      expect(
        first.some((file) => file.includes(`/${late}-`)),
        late,
      ).to.equal(false);
  });

  it('keeps each script, style and picture gzipped and by brotli beside it', () => {
    for (const { file } of Object.values(manifest()))
      if (/\.(?:js|css|svg)$/.test(file))
        for (const ending of ['.gz', '.br'])
          expect(existsSync(path.join(BUILD, file + ending)), file + ending).to.equal(true);
  });
});
