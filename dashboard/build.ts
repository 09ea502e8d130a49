/**
 * Builds the dashboard into `dist/dashboard`, with each file compressed beside it, and only where something changed since the
 * last time: `npm start`, the demo and the tests all begin with a build.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = path.join(import.meta.dirname, '..');
const TARGET = path.join(ROOT, 'dist', 'dashboard');
const STAMP = '.built-from';
const COMPRESSED = /\.(?:js|css|svg|json)$/;

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** Of every source and of every package's version. */
async function digestOfSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of [
    ...(await filesBelow(import.meta.dirname)).sort(),
    path.join(ROOT, 'package-lock.json'),
  ])
    hash.update(`${path.relative(ROOT, file)}\0`).update(await readFile(file));
  return hash.digest('hex');
}

async function compress(folder: string): Promise<void> {
  const files = (await filesBelow(folder)).filter((file) => COMPRESSED.test(file));
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file);
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      };
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

const digest = await digestOfSources();
const stamp = path.join(TARGET, STAMP);
if (!existsSync(stamp) || (await readFile(stamp, 'utf8')) !== digest) {
  const { build } = await import('vite');
  // Put in place at the end, whole: another build, or a web process, may be at work beside this one.
  const draft = `${TARGET}-${process.pid}`;
  await mkdir(path.dirname(TARGET), { recursive: true });
  await build({ configFile: path.join(import.meta.dirname, 'vite.config.ts'), build: { outDir: draft } });
  await compress(path.join(draft, 'assets'));
  await writeFile(path.join(draft, STAMP), digest);
  await rm(TARGET, { recursive: true, force: true });
  await rename(draft, TARGET);
}
