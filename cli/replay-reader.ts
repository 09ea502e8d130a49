/**
 * The thread of `risk:replay` that reads: lines are understood here while those before them are judged in the main thread, which takes
 * about twice as long. The main thread asks for each part, so that only a few wait for it, however long the file is.
 */
import { on } from 'node:events';
import { createReadStream } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { lineKnower, type KnownLine } from '../shared/risk/known-line.ts';
import { columnWriter, type ReplayColumns } from '../shared/risk/replay-columns.ts';
import { lineReader } from '../shared/risk/replay-line.ts';

export interface ReaderTask {
  /** `-` for standard input. */
  file: string;
  /** `diversion.borderRadii` of the policy. */
  borderRadii: number;
}

/** Some lines that follow each other. */
export interface ReadPart {
  columns: ReplayColumns;
  /** The number of each line, from 1 on: empty ones are left out. */
  numbers: Uint32Array;
  /** What is odd about these lines, each with a line's number, and no reason to stop. */
  warnings: readonly string[];
  /** What is wrong with what comes after these lines; then nothing more is read. */
  failure: string | null;
  isLast: boolean;
}

const READ_BYTES = 1 << 19;
/** No scan takes that: where a line is longer, the input is something else, such as one JSON array. */
const MAX_LINE = 1 << 16;
/** A character, as JavaScript counts them, is three bytes of UTF-8 at the most. */
const MAX_LINE_BYTES = 3 * MAX_LINE;
/** No byte of a longer character is the same. */
const LINE_END = 10;
const PARTS_AHEAD = 3;

/** Most lines are long, and looked at once. */
const isBlank = (text: string): boolean => text.length < 100 && text.trim() === '';

/** Editors and exports of Windows put it before the first line. */
const BYTE_ORDER_MARK = '\uFEFF';

/** What the lines say, up to the first that says nothing. */
function partReader(borderRadii: number): (texts: readonly (string | null)[]) => ReadPart {
  let number = 0;
  let warnings: string[] = [];
  const read = lineReader((warning) => warnings.push(`line ${number}: ${warning}`));
  const know = lineKnower(borderRadii);
  return (texts) => {
    const lines: KnownLine[] = [];
    const numbers: number[] = [];
    warnings = [];
    let failure: string | null = null;
    for (const text of texts) {
      number += 1;
      if (text !== null && isBlank(text)) continue;
      try {
        if (text === null) throw new Error('not UTF-8');
        if (text.length > MAX_LINE)
          throw new Error(`longer than ${MAX_LINE} characters; expected one JSON object a line`);
        lines.push(know(read(text)));
        numbers.push(number);
      } catch (error) {
        failure = `line ${number}: ${(error as Error).message}`;
        break;
      }
    }
    return partOf(lines, numbers, failure, warnings);
  };
}

const toColumns = columnWriter();

const partOf = (
  lines: readonly KnownLine[],
  numbers: readonly number[],
  failure: string | null,
  warnings: readonly string[] = [],
): ReadPart => ({
  columns: toColumns(lines),
  numbers: Uint32Array.from(numbers),
  warnings,
  failure,
  isLast: failure !== null,
});

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @returns null for what is no UTF-8: with one character in the place of all that is not, two ids would be one. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function decodedLines(bytes: Buffer): (string | null)[] {
  const text = decoded(bytes);
  if (text !== null) return text.split('\n');
  const lines: (string | null)[] = [];
  for (let start = 0, end = 0; end !== -1; start = end + 1) {
    end = bytes.indexOf(LINE_END, start);
    lines.push(decoded(bytes.subarray(start, end === -1 ? bytes.length : end)));
  }
  return lines;
}

/** Whole lines, by the chunk: several times as fast as `node:readline`. */
async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<(string | null)[]> {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  const wholeLines = (bytes: Buffer) => {
    const lines = decodedLines(bytes);
    if (isFirst && lines[0]?.startsWith(BYTE_ORDER_MARK)) lines[0] = lines[0].slice(1);
    isFirst = false;
    return lines;
  };
  for await (const chunk of input) {
    const end = chunk.lastIndexOf(LINE_END);
    if (end === -1) rest = Buffer.concat([rest, chunk]);
    else {
      yield wholeLines(Buffer.concat([rest, chunk.subarray(0, end)]));
      rest = chunk.subarray(end + 1);
    }
    if (rest.length <= MAX_LINE_BYTES) continue;
    // Too long, whatever it is, and cut amid a character perhaps.
    yield [rest.toString()];
    return;
  }
  if (rest.length > 0) yield wholeLines(rest);
}

async function* partsOf({ file, borderRadii }: ReaderTask): AsyncGenerator<ReadPart> {
  const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: READ_BYTES });
  const understand = partReader(borderRadii);
  try {
    for await (const texts of linesOf(input)) yield understand(texts);
    yield { ...partOf([], [], null), isLast: true };
  } catch (error) {
    yield partOf([], [], (error as Error).message);
  }
}

const port = parentPort!;
const requests = on(port, 'message');
let ahead = 0;
for await (const part of partsOf(workerData as ReaderTask)) {
  if (ahead === PARTS_AHEAD) await requests.next();
  else ahead += 1;
  port.postMessage(part);
  if (part.isLast) break;
}
port.close();
