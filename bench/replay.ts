/**
 * `npm run bench -- replay [--units N] [--copies N] [--unnamed] [--file FILE] [--json]`: how fast `risk:replay` reads scans, and in how
 * much memory. A seeded trace of one generator is written as lines in order of time; `--copies` repeats every line for so
 * many units of the same life, with ids of their own, so that ten million lines need no ten million objects here.
 * `--unnamed` leaves the lots' names out of the lines.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../shared/package-root.ts';
import { numberOf } from './lib/options.ts';
import { atEnd, temporaryFolder } from './lib/surroundings.ts';
import { inOrderOfTime } from './lib/risk/detectors.ts';
import { journeys } from './lib/risk/journeys.ts';
import { lineOf } from './lib/risk/line.ts';

const SEED = 1;
const WRITE_CHARACTERS = 1 << 20;
const LOOK_MS = 100;
/** Of Linux, for `/proc`: a hundredth of a second. */
const TICKS_PER_SECOND = 100;

/** @param args `--units` of the trace (default 390,000, which makes about 1.2 million lines) */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: {
      units: { type: 'string', default: '390000' },
      copies: { type: 'string', default: '1' },
      unnamed: { type: 'boolean', default: false },
      file: { type: 'string' },
    },
  });
  const units = numberOf('--units', values.units);
  const copies = numberOf('--copies', values.copies);
  const folder = temporaryFolder();
  const file = values.file ?? join(folder, 'scans.jsonl');
  const trace = values.file === undefined ? await writeTrace(file, units, copies, values.unnamed) : {};
  const result = { ...trace, ...(await replay(file)) };
  console.log(result);
  return result;
}

/** @returns lines, and units that were scanned at all. */
async function writeTrace(file: string, units: number, copies: number, unnamed: boolean) {
  const traces = journeys(SEED, units).filter(({ scans }) => scans.length > 0);
  const order = inOrderOfTime(traces);
  const output = createWriteStream(file);
  let pending = '';
  for (const { unit, index } of order) {
    const trace = traces[unit]!;
    const line = lineOf(trace, trace.scans[index]!);
    for (let copy = 0; copy < copies; copy += 1) {
      const own = (id: string) => (copy === 0 ? id : `${id}~${copy}`);
      const named = unnamed ? {} : { batchId: own(trace.lotId) };
      pending += `${JSON.stringify({ ...line, scanId: own(line.scanId), unitId: own(line.unitId), ...named })}\n`;
    }
    if (pending.length < WRITE_CHARACTERS) continue;
    if (!output.write(pending)) await once(output, 'drain');
    pending = '';
  }
  output.end(pending);
  await once(output, 'close');
  return { lines: order.length * copies, units: traces.length * copies };
}

/** Runs what `npm run risk:replay` runs. The hash is of all that it wrote: the same lines give the same one. */
async function replay(file: string) {
  const started = performance.now();
  const child = spawn(process.execPath, [join(packageRoot, 'dist/cli/risk-replay.js'), '--input', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(() => child.kill());
  const hash = createHash('sha256');
  let answers = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) answers += 1;
  });
  let used = { cpuSeconds: 0, peakMb: 0 };
  const looks = setInterval(() => {
    used = usageOf(child.pid!) ?? used;
  }, LOOK_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(looks);
  if (code !== 0) throw new Error(`the replay ended with ${code}`);
  const seconds = (performance.now() - started) / 1000;
  return {
    answers,
    seconds: Number(seconds.toFixed(1)),
    lines_per_s: Math.round(answers / seconds),
    lines_per_cpu_s: Math.round(answers / used.cpuSeconds),
    peak_mb: used.peakMb,
    sha256: hash.digest('hex'),
  };
}

/** Up to the last look before the process ended; null when it is gone. */
function usageOf(pid: number): { cpuSeconds: number; peakMb: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    if (peak === null) return null;
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      peakMb: Math.round(Number(peak[1]) / 1024),
    };
  } catch {
    return null;
  }
}
