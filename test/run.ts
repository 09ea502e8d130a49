/**
 * `npm test`: every test file, in mocha processes side by side (lanes), each with its own throw-away services. Arguments are
 * files or options for one mocha alone. The last line is the totals of all: `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { redisProgram } from '../launcher/redis-program.ts';
import { chromiumProgram } from './support/chromium-program.ts';

interface Totals {
  passes: number;
  failures: number;
  pending: number;
  failed: { title: string; error: string }[];
}

const ROOT = path.join(import.meta.dirname, '..');
// Not bin/mocha.js, which starts this in a process of its own and lets that live on when it is ended by SIGTERM.
const MOCHA = realpathSync(path.join(ROOT, 'node_modules', 'mocha', 'lib', 'cli', 'cli.js'));
/** One more than processors: each lane waits now and then, for a browser, a queue or a timeout. */
const LANES = Math.min(3, availableParallelism() + 1);

/**
 * The dashboard's stories are half of everything, and so two folders here: those that look at the sample data, which take as long
 * to make as two stories do, and the others.
 */
const ON_SAMPLE_DATA = 'dashboard, on sample data';
const LOOKS_AT_SAMPLE_DATA = /\bstack\.sample\(\)/;

/**
 * Folders that take longest, in seconds as they were measured side by side; what is not named counts by its number of files.
 * Only the balance depends on it.
 */
const WEIGHTS: Record<string, number> = {
  [ON_SAMPLE_DATA]: 915,
  dashboard: 1125,
  chaos: 250,
  browser: 220,
  launcher: 120,
  'api/reference': 155,
  api: 125,
  workers: 90,
  bench: 82,
  cli: 80,
  'shared/barcodes': 65,
  'api/barcode-jobs': 60,
  'shared/scans': 50,
  docs: 40,
  'sample-data': 37,
  'api/consignments': 28,
  'shared/webhooks': 25,
  'shared/risk': 25,
  migrations: 20,
  'api/verify': 20,
  'api/auth': 20,
};
const SECONDS_A_FILE = 2;

async function testFiles(): Promise<string[]> {
  const entries = await readdir(path.join(ROOT, 'test'), { recursive: true });
  return entries.filter((name) => name.endsWith('.test.ts')).sort();
}

function folderOf(file: string): string {
  if (
    file.startsWith('dashboard/') &&
    LOOKS_AT_SAMPLE_DATA.test(readFileSync(path.join(ROOT, 'test', file), 'utf8'))
  )
    return ON_SAMPLE_DATA;
  return file.startsWith('shared/') || file.startsWith('api/') ? path.dirname(file) : file.split('/')[0]!;
}

/** Whole folders, heaviest first, each to the lane that has least: a folder's files share what they load. */
function share(files: readonly string[]): string[][] {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = folderOf(file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const weighed = [...folders]
    .map(([folder, members]) => ({ members, weight: WEIGHTS[folder] ?? members.length * SECONDS_A_FILE }))
    .sort((a, b) => b.weight - a.weight);
  const lanes = Array.from({ length: LANES }, () => ({ weight: 0, files: [] as string[] }));
  for (const { members, weight } of weighed) {
    const lightest = lanes.reduce((a, b) => (a.weight <= b.weight ? a : b));
    lightest.weight += weight;
    lightest.files.push(...members.map((file) => path.join('test', file)));
  }
  return lanes.map((lane) => lane.files);
}

/** @returns mocha's exit code. Its output goes out live where `live`, else in one piece at the end. */
function runMocha(args: readonly string[], env: NodeJS.ProcessEnv, live: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import=tsx', '--enable-source-maps', MOCHA, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    const output: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    process.on('SIGTERM', forward);
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('SIGTERM', forward);
      process.stdout.write(Buffer.concat(output));
      resolve(code ?? 1);
    });
  });
}

/** Before the first test. Without a browser its tests are left out and counted as skipped; with CI=true nothing runs. */
function findBrowser(): void {
  try {
    process.env['CHROMIUM_PATH'] = chromiumProgram(process.env, (line) => console.log(line));
    console.log(`browser tests: ${process.env['CHROMIUM_PATH']}`);
  } catch (error) {
    if (process.env['CI']) throw error;
    console.log(`${(error as Error).message}\nThe browser tests are skipped.`);
  }
}

findBrowser();
// Before the lanes begin, or each of them would have it installed at the same time.
if (!process.env['REDIS_URL']) redisProgram((line) => console.log(line));
const given = process.argv.slice(2);
if (given.length > 0) {
  process.exitCode = await runMocha(given, {}, true);
} else {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-totals-'));
  try {
    const lanes = share(await testFiles());
    const files = lanes.map((_, lane) => path.join(folder, `${lane}.json`));
    const codes = await Promise.all(
      lanes.map((names, lane) => runMocha(names, { TEST_TOTALS_FILE: files[lane]! }, lane === 0)),
    );
    const totals = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Totals),
    );
    // Again, at the end: thousands of lines stand between a lane's own list and the last line.
    for (const { title, error } of totals.flatMap(({ failed }) => failed)) {
      console.log(`\nfailed: ${title}\n${error}\n`);
    }
    const sum = (key: Exclude<keyof Totals, 'failed'>) => totals.reduce((total, one) => total + one[key], 0);
    const skipped = sum('pending') > 0 ? `, ${sum('pending')} skipped` : '';
    console.log(`${sum('passes')} passed, ${sum('failures')} failed${skipped}`);
    process.exitCode = codes.find((code) => code !== 0) ?? 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
