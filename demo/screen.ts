/** What the demo shows: steps, a progress bar, a table. Colours and the moving bar only on a terminal. */
import { SingleBar } from 'cli-progress';

export interface Screen {
  title(text: string): void;
  /** A step that is done, with the time since the step before. */
  step(text: string): void;
  /** Something that a person should know. */
  note(text: string): void;
  progress(label: string, total: number): Progress;
  table(title: string, rows: readonly Row[]): void;
}

export interface Progress {
  update(done: number): void;
  stop(): void;
}

export interface Row {
  holds: boolean;
  label: string;
  text: string;
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, cyan: 36 } as const;
const WIDTH = 78;

/** @param stream of a terminal, or of a pipe, which gets plain lines. */
export function createScreen(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Screen {
  const isTerminal = stream.isTTY;
  const isColoured = isTerminal && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb';
  const paint = (style: keyof typeof CODES, text: string): string =>
    isColoured ? `\u001B[${CODES[style]}m${text}\u001B[0m` : text;
  const line = (text = ''): void => {
    stream.write(`${text}\n`);
  };
  let since = performance.now();
  const lap = (): string => {
    const seconds = (performance.now() - since) / 1000;
    since = performance.now();
    return `${seconds.toFixed(1)} s`;
  };
  const mark = (holds: boolean): string => (holds ? paint('green', '✓') : paint('red', '✗'));

  return {
    title(text) {
      line();
      line(`  ${paint('bold', text)}`);
      line();
      since = performance.now();
    },
    step(text) {
      line(`  ${mark(true)} ${text.padEnd(WIDTH - 12)}${paint('dim', lap().padStart(8))}`);
    },
    note: (text) => line(`    ${paint('dim', text)}`),
    progress: isTerminal
      ? (label, total) => movingBar(stream, `${label} ${paint('cyan', '{bar}')} {value}/{total}`, total)
      : (label, total) => plainProgress((done) => line(`    ${label} ${done}/${total}`), total),
    table(title, rows) {
      const width = Math.max(...rows.map((row) => row.label.length));
      line();
      line(`  ${paint('bold', title)}`);
      line(`  ${paint('dim', '─'.repeat(WIDTH - 4))}`);
      for (const { holds, label, text } of rows) {
        line(`  ${mark(holds)} ${paint('bold', label.padEnd(width))}  ${holds ? text : paint('red', text)}`);
      }
      line(`  ${paint('dim', '─'.repeat(WIDTH - 4))}`);
    },
  };
}

function movingBar(stream: NodeJS.WriteStream, format: string, total: number): Progress {
  const bar = new SingleBar({
    stream,
    format: `    ${format}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 32,
    hideCursor: true,
    clearOnComplete: true,
    // Ctrl-C is the demo's own business: the bar's handler would end the process before it has cleaned up.
    gracefulExit: false,
  });
  bar.start(total, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}

/** A line whenever another quarter is done: a log should not be full of bars. */
function plainProgress(print: (done: number) => void, total: number): Progress {
  let shown = -1;
  return {
    update(done) {
      const quarter = Math.floor((4 * done) / total);
      if (quarter === shown) return;
      shown = quarter;
      print(done);
    },
    stop: () => undefined,
  };
}
