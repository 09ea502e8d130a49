/**
 * `npm run bench -- NAME [--json] [options]`: loads `bench/NAME.ts` and runs it.
 * With `--json` the last line on standard output is one JSON object.
 */
import { readdir } from 'node:fs/promises';
import { BadOption } from './lib/options.ts';
import { undoAll, undoWhenCutShort } from './lib/surroundings.ts';

export interface Benchmark {
  /** @param args the words after the name; @returns the object that `--json` prints on the last line. */
  run(args: string[]): Promise<Record<string, unknown>>;
}

const [name, ...args] = process.argv.slice(2);
const known = (await readdir(import.meta.dirname, { withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name) && !entry.name.startsWith('main.'))
  .map((entry) => entry.name.replace(/\.[jt]s$/, ''));

if (name === undefined || !known.includes(name)) {
  console.error(`usage: npm run bench -- NAME [--json]\nNAME is one of: ${known.join(', ') || '(none yet)'}`);
  process.exitCode = 1;
} else {
  const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
  const benchmark = (await import(`./${name}.${extension}`)) as Benchmark;
  const isCutShort = undoWhenCutShort((code) => process.exit(code));
  try {
    const result = await benchmark.run(args.filter((arg) => arg !== '--json'));
    if (args.includes('--json')) console.log(JSON.stringify(result));
  } catch (error) {
    process.exitCode = 1;
    if (isBadOption(error)) console.error(`npm run bench -- ${name}: ${error.message}`);
    // What fails because it was interrupted is no news.
    else if (!isCutShort()) console.error(error);
  } finally {
    await undoAll();
  }
}

/** One of ours, or one that `parseArgs` does not know. */
function isBadOption(error: unknown): error is Error {
  return (
    error instanceof BadOption ||
    (error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS'))
  );
}
