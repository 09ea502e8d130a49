/**
 * Takes out of `dist` what was compiled from a file that is no longer there, as after checking out another release: a migration
 * that stays behind would be run. `node --import tsx cli/prune-build.ts [ROOT]`.
 */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** With builds of their own. */
const OTHERS = new Set(['dashboard', 'replay']);
const COMPILED = /\.js(?:\.map)?$/;

const root = process.argv[2] ?? path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');

for (const folder of await readdir(dist, { withFileTypes: true })) {
  if (OTHERS.has(folder.name) || folder.name.startsWith('dashboard-')) continue;
  const files = folder.isDirectory()
    ? await readdir(path.join(dist, folder.name), { recursive: true })
    : [''];
  for (const file of files.filter((name) => COMPILED.test(path.join(folder.name, name)))) {
    const compiled = path.join(folder.name, file);
    if (!existsSync(path.join(root, compiled.replace(COMPILED, '.ts')))) await rm(path.join(dist, compiled));
  }
}
