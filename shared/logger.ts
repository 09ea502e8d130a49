/** Structured logs. Whatever may carry a secret is redacted here, once, by path. */
import pg from 'pg';
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

const SECRET_PATHS = [
  'req.headers.authorization',
  'req.headers.cookie',
  'req.headers["x-api-key"]',
  'res.headers["set-cookie"]',
  '*.secret',
  '*.password',
  '*.key',
  'secret',
  'password',
  'key',
];

/** Where Postgres tells of the row or the values that it refused: visitors' addresses and browsers may be among them. */
const ROW_FIELDS = ['detail', 'where', 'internalQuery'];
/** SQLSTATE class of data exceptions, whose messages quote the value, e.g. `malformed array literal: "{203.0.113.7}"`. */
const DATA_EXCEPTION = /^22/;

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const serialized: Record<string, unknown> & Pick<pino.SerializedError, 'message' | 'stack'> = {
    ...pino.stdSerializers.err(error),
  };
  if (error instanceof AggregateError) serialized.aggregateErrors = error.errors.map(serializeError);
  if (error instanceof pg.DatabaseError) for (const field of ROW_FIELDS) delete serialized[field];
  // What the pool hangs on the error of a connection that was cut while it was idle: the whole of it, with the key that cancels its statements.
  delete serialized['client'];
  // What Redis refuses: the password is among the arguments of its first command, and visitors' addresses among those of limits.
  const { command } = serialized as { command?: { name?: unknown; args?: unknown } };
  if (Array.isArray(command?.args)) serialized['command'] = { name: command.name };
  // One of the options of an AppError, which would come with all that is left out above.
  const { options } = serialized as { options?: { cause?: unknown } };
  if (options?.cause instanceof Error)
    serialized['options'] = { ...options, cause: serializeError(options.cause) };
  // Message and stack are those of the causes, too.
  const seen = new Set<unknown>();
  for (let one: unknown = error; one instanceof Error && !seen.has(one); one = one.cause) {
    seen.add(one);
    if (!(one instanceof pg.DatabaseError) || !DATA_EXCEPTION.test(one.code ?? '')) continue;
    const unquoted = one.message.replace(/".*"/s, '"…"');
    serialized.message = serialized.message.replaceAll(one.message, () => unquoted);
    serialized.stack = serialized.stack.replaceAll(one.message, () => unquoted);
  }
  return serialized;
}

/** @param name of the process, e.g. `web` or `worker-scans`. */
export function createLogger(name: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    name,
    level,
    base: { pid: process.pid },
    serializers: { err: serializeError },
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return pino(options, destination ?? standardOutput());
}

/** Lines wait until there is a block of them, and no longer than this: a system call for each is dear where another program reads them. */
const BLOCK_BYTES = 4096;
const GATHER_MS = 50;
/** What is kept of the log while it cannot be written, as on a full disk; what comes on top of it is lost. */
const MOST_KEPT_BYTES = 1_000_000;
/** How often a process that ends tries, 100 ms apart, where whoever reads its log is behind. */
const LAST_TRIES = 20;

let output: DestinationStream | undefined;

/** One for all logs of a process, whose blocks would pass each other else. */
const standardOutput = (): DestinationStream => (output ??= openStandardOutput());

function openStandardOutput(): DestinationStream {
  let tries = Infinity;
  const stream = pino.destination({
    dest: 1,
    sync: true,
    minLength: BLOCK_BYTES,
    periodicFlush: GATHER_MS,
    maxLength: MOST_KEPT_BYTES,
    retryEAGAIN: () => tries-- > 0,
  });
  // A service whose log is lost goes on.
  stream.on('error', () => undefined);
  process.once('exit', () => {
    tries = LAST_TRIES;
    let written: number;
    stream.on('write', (bytes: number) => (written = bytes));
    // Not `flushSync`, which tries for ever where nobody reads any more or the disk is full.
    do {
      written = 0;
      stream.flush();
    } while (written > 0);
  });
  return stream;
}

/** Has what Node and the libraries warn of logged; it would stand among the log's lines as plain text. */
export function logWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning'));
}

/** For lines whose every field is known to be no secret: searching each for one costs as much as writing it. */
export const withoutRedaction = (log: Logger): Logger => log.child({}, { redact: [] });

/** A log for programs that log errors and sentences alike: as a sentence an error's message would go past what is kept out of the log. */
export const plainLogger = (log: Logger): { error: (what: unknown) => void } => ({
  error: (what) => (what instanceof Error ? log.error({ err: what }, 'an error') : log.error(what)),
});
