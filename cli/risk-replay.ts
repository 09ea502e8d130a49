/**
 * `npm run --silent risk:replay -- --input FILE [--policy FILE]`: what would these rules have said of recorded scans?
 * Reads JSON lines sorted by time (`-` for standard input) and writes one JSON line for each. A malformed line ends the run
 * with its number on standard error and exit code 1; what was scored before it has been written.
 */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { resolvePolicy, riskPolicySchema } from '../shared/risk/policy.ts';
import { replayer } from '../shared/risk/replay.ts';

/** Answers are gathered to this many characters before they are written. */
const WRITE_CHARACTERS = 1 << 16;
const READ_BYTES = 1 << 19;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { input: { type: 'string' }, policy: { type: 'string' } } });
  if (values.input === undefined) throw new Error('usage: risk-replay --input FILE [--policy FILE]');
  const answer = replayer(await readPolicy(values.policy));
  const input =
    values.input === '-' ? process.stdin : createReadStream(values.input, { highWaterMark: READ_BYTES });
  let number = 0;
  let pending = '';
  try {
    for await (const lines of linesOf(input)) {
      for (const line of lines) {
        number++;
        if (line === '' || line === '\r') continue;
        pending += `${JSON.stringify(answerOrThrow(answer, line, number))}\n`;
        if (pending.length < WRITE_CHARACTERS) continue;
        await write(pending);
        pending = '';
      }
    }
  } finally {
    await write(pending);
  }
}

function answerOrThrow(answer: ReturnType<typeof replayer>, line: string, number: number): unknown {
  try {
    return answer(line);
  } catch (error) {
    throw new Error(`line ${number}: ${(error as Error).message}`, { cause: error });
  }
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
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`policy ${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Whole lines, by the chunk: several times as fast as `node:readline`. */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string[]> {
  input.setEncoding('utf8');
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') yield [rest];
}

async function write(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
}

// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
