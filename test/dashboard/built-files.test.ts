import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';

const BUILD = path.join(packageRoot, 'dist', 'dashboard');

interface Chunk {
  file: string;
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

describe('the built dashboard', () => {
  it('loads the map, the charts and the screens only when they are opened', () => {
    const chunks = manifest();
    const page = readFileSync(path.join(BUILD, 'index.html'), 'utf8');
    const named = Object.keys(chunks).filter((name) => page.includes(`src="/app/${chunks[name]!.file}"`));
    expect(named).to.not.be.empty;
    const first = [...closure(chunks, named)];
    for (const late of [
      'src/app/palette.tsx',
      'src/app/shell.tsx',
      'src/components/chart-drawn.tsx',
      'src/components/menu-button-drawn.tsx',
      'src/components/remote-select-drawn.tsx',
      'src/components/world-map-drawn.tsx',
      'src/screens/overview/locales/en.json',
      'src/screens/overview/overview.tsx',
    ]) {
      expect(chunks).to.have.property(late);
      expect(first).to.not.include(late);
    }
  });

  it('keeps each script, style and picture gzipped and by brotli beside it', () => {
    for (const { file } of Object.values(manifest()))
      if (/\.(?:js|css|svg)$/.test(file))
        for (const ending of ['.gz', '.br'])
          expect(existsSync(path.join(BUILD, file + ending)), file + ending).to.equal(true);
  });
});
