/**
 * Measures minting: how fast symbols are rendered beside bwip-js and zint, and how fast whole jobs run.
 * `npm run bench -- mint --json`; `--sizes=10000,100000` chooses the jobs, `--sizes=` leaves them out.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { jobsTable, measureJobs } from './lib/mint-jobs.ts';
import { measureRendering, renderingTable } from './lib/mint-render.ts';
import { numbersOf } from './lib/options.ts';
import { packageRoot } from '../shared/package-root.ts';

const SIZES = [10_000, 100_000, 1_000_000];

export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: { sizes: { type: 'string' }, 'jobs-only': { type: 'boolean', default: false } },
  });
  const sizes =
    values.sizes === undefined ? SIZES : values.sizes === '' ? [] : numbersOf('--sizes', values.sizes);
  const rendering = values['jobs-only'] ? null : await measureRendering();
  if (rendering !== null) console.log(`${renderingTable(rendering)}\n`);
  // The workers run as they are installed, not through a loader.
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: packageRoot, stdio: 'inherit' });
  const jobs = sizes.length > 0 ? await measureJobs(sizes) : [];
  console.log(jobsTable(jobs));
  return { ...rendering, jobs };
}
