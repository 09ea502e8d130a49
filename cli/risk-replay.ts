/**
 * `npm run --silent risk:replay -- --input FILE [--policy FILE]`: what would these rules have said of recorded scans?
 * Reads JSON lines sorted by time (`-` for standard input) and writes one JSON line for each. A malformed line ends the run
 * with its number on standard error and exit code 1; what was scored before it has been written.
 */
import { on, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { resolvePolicy, riskPolicySchema } from '../shared/risk/policy.ts';
import type { KnownLine } from '../shared/risk/known-line.ts';
import { columnReader } from '../shared/risk/replay-columns.ts';
import { replayer, type ReplayAnswer } from '../shared/risk/replay.ts';
import type { ReaderTask, ReadPart } from './replay-reader.ts';
import { print } from './standard-output.ts';

/** Answers are gathered to this many characters before they are written. */
const WRITE_CHARACTERS = 1 << 16;

const USAGE = 'usage: risk-replay --input FILE [--policy FILE]  (what a line says: docs/risk.md, "A line")';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      input: { type: 'string' },
      policy: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return print(USAGE);
  if (values.input === undefined) throw new Error(USAGE);
  const policy = await readPolicy(values.policy);
  const answer = replayer(policy);
  const linesOf = columnReader();
  let pending = '';
  try {
    for await (const part of partsOf({ file: values.input, borderRadii: policy.diversion.borderRadii })) {
      for (const warning of part.warnings) console.error(`warning: ${warning}`);
      const { numbers } = part;
      const lineAt = linesOf(part.columns);
      for (let index = 0; index < numbers.length; index++) {
        pending += textOf(answerOrThrow(answer, lineAt(index), numbers[index]!));
        if (pending.length < WRITE_CHARACTERS) continue;
        await write(pending);
        pending = '';
      }
      if (part.failure !== null) throw new Error(part.failure);
    }
  } finally {
    await write(pending);
  }
}

/** What another thread reads and understands meanwhile. It is found beside the built program. */
async function* partsOf(task: ReaderTask): AsyncGenerator<ReadPart> {
  const fromStdin = task.file === '-';
  const reader = new Worker(new URL('replay-reader.js', import.meta.url), {
    workerData: task,
    stdin: fromStdin,
  });
  if (fromStdin) process.stdin.on('error', (error) => reader.emit('error', error)).pipe(reader.stdin!);
  try {
    for await (const [part] of on(reader, 'message') as AsyncIterable<[ReadPart]>) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      reader.postMessage('next');
      yield part;
      if (part.isLast) return;
    }
  } finally {
    // Whoever writes to it may wait for this program to end.
    if (fromStdin) process.stdin.destroy();
    await reader.terminate();
  }
}

function answerOrThrow(answer: ReturnType<typeof replayer>, line: KnownLine, number: number): ReplayAnswer {
  try {
    return answer(line);
  } catch (error) {
    throw new Error(`line ${number}: ${(error as Error).message}`, { cause: error });
  }
}

/** Most answers have no signals, and are written in a third of the time. */
function textOf({ scanId, score, result, signals }: ReplayAnswer): string {
  return signals.length > 0
    ? `${JSON.stringify({ scanId, score, result, signals })}\n`
    : `{"scanId":${JSON.stringify(scanId)},"score":${score},"result":"${result}","signals":[]}\n`;
}

async function readPolicy(file: string | undefined): Promise<ReturnType<typeof resolvePolicy>> {
  if (file === undefined) return resolvePolicy();
  const parsed = riskPolicySchema.safeParse(await readJson(file));
  if (parsed.success) {
    const policy = resolvePolicy(parsed.data);
    const { medium, suspicious } = policy.thresholds;
    if (medium <= suspicious) return policy;
    throw new Error(
      `policy ${file}: thresholds.medium: must not be above the threshold of suspicion, ${suspicious}`,
    );
  }
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'policy'}: ${issue.message}`,
  );
  throw new Error(`policy ${file}: ${problems.join('; ')}`);
}

async function readJson(file: string): Promise<unknown> {
  try {
    const text = await readFile(file, 'utf8');
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`policy ${file}: ${(error as Error).message}`, { cause: error });
  }
}

async function write(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
