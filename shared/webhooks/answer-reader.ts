import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** At most this much of an answer's body is taken off the wire; then the connection is dropped. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** At most this much of it, decompressed, is kept. */
const MAX_SNIPPET_BYTES = 4 * 1024;

/** Stands at the end of a snippet that is not the whole answer. */
const TRUNCATION_MARK = '… [truncated]';

const MAX_HEADERS = 40;
const MAX_HEADER_VALUE = 512;

/** Answer headers that could hold a credential of the receiver's; they are shown in the log by name only. */
const SECRET_HEADERS = new Set([
  'set-cookie',
  'set-cookie2',
  'authorization',
  'proxy-authorization',
  'cookie',
  'authentication-info',
  'proxy-authentication-info',
]);

export interface Snippet {
  /** The start of the answer as text; ends in {@link TRUNCATION_MARK} if there was more. */
  text: string;
  truncated: boolean;
}

export interface AnswerReader {
  /** Takes a piece of the body; false once enough was read and the rest can be dropped. */
  push(chunk: Buffer): boolean;
  /** What to keep, after the last byte or after `push` said false. Never rejects. */
  snippet(): Snippet | Promise<Snippet>;
}

/**
 * Reads an answer's body in bounded memory. A compressed body is taken off the wire up to {@link MAX_ANSWER_BYTES} and
 * then decompressed only until the snippet is full, so that a bomb costs no more than an honest answer.
 * @param contentEncoding the answer's `Content-Encoding`, or undefined
 */
export function createAnswerReader(contentEncoding: string | undefined): AnswerReader {
  const coding = contentEncoding?.trim().toLowerCase() ?? '';
  const isPlain = coding === '' || coding === 'identity';
  const kept: Buffer[] = [];
  const keepAtMost = isPlain ? MAX_SNIPPET_BYTES + 1 : MAX_ANSWER_BYTES;
  let keptBytes = 0;
  let readBytes = 0;
  return {
    push(chunk) {
      if (keptBytes < keepAtMost) {
        const piece = chunk.subarray(0, keepAtMost - keptBytes);
        // A copy: the chunk is a view of undici's parser memory, and holding it would hold all of that.
        kept.push(Buffer.from(piece));
        keptBytes += piece.length;
      }
      readBytes += chunk.length;
      return readBytes < MAX_ANSWER_BYTES;
    },
    snippet() {
      const body = Buffer.concat(kept);
      return isPlain ? textSnippet(body) : decompressedSnippet(body, coding);
    },
  };
}

/** The answer's headers as they are kept in the log: bounded in number and length, without credentials. */
export function loggableHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers).slice(0, MAX_HEADERS)) {
    const value = headers[name];
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    if (SECRET_HEADERS.has(name)) kept[name] = '[not kept]';
    else kept[name] = text.length > MAX_HEADER_VALUE ? `${text.slice(0, MAX_HEADER_VALUE)}…` : text;
  }
  return kept;
}

function textSnippet(body: Buffer): Snippet {
  if (body.length === 0) return { text: '', truncated: false };
  const truncated = body.length > MAX_SNIPPET_BYTES;
  // `stream` leaves out a character that the cut went through. NUL is the one character that Postgres cannot store.
  const text = new TextDecoder()
    .decode(body.subarray(0, MAX_SNIPPET_BYTES), { stream: truncated })
    .replaceAll('\0', '\u{FFFD}');
  return { text: truncated ? text + TRUNCATION_MARK : text, truncated };
}

/** zlib's streams, told to be content with a body that was cut off, since ours may be cut at 64 KB. */
function decompressor(coding: string, body: Buffer) {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ chunkSize: MAX_SNIPPET_BYTES });
    case 'br':
      return createBrotliDecompress({ chunkSize: MAX_SNIPPET_BYTES });
    case 'deflate':
      // Some servers send bare deflate data under this name; zlib's wrapper always begins with method 8.
      return ((body[0] ?? 0) & 0x0f) === 8
        ? createInflate({ chunkSize: MAX_SNIPPET_BYTES })
        : createInflateRaw({ chunkSize: MAX_SNIPPET_BYTES });
    default:
      return null;
  }
}

function decompressedSnippet(body: Buffer, coding: string): Snippet | Promise<Snippet> {
  const stream = decompressor(coding, body);
  const label = coding.slice(0, 40).replaceAll(/[^\w ,.-]/g, '?');
  const unreadable = { text: `[${body.length} bytes of ${label}]`, truncated: true };
  if (body.length === 0) return { text: '', truncated: false };
  if (stream === null) return unreadable;
  return new Promise((resolve) => {
    const output: Buffer[] = [];
    let length = 0;
    const finish = () => {
      stream.destroy();
      resolve(textSnippet(Buffer.concat(output)));
    };
    stream.on('data', (piece: Buffer) => {
      output.push(piece);
      length += piece.length;
      if (length > MAX_SNIPPET_BYTES) finish();
    });
    stream.once('end', finish);
    stream.once('error', () => (length > 0 ? finish() : resolve(unreadable)));
    stream.end(body);
  });
}
