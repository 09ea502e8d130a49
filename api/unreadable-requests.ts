/** What is no HTTP, too large or too slow before there is a request: a problem document as for every other error, then the end. */
import { STATUS_CODES, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, ERROR_CATALOGUE } from '../shared/errors.ts';
import { newUuid } from '../shared/ids.ts';
import type { Logger } from '../shared/logger.ts';
import { problemDocument } from './middleware/problem.ts';

/** An error of Node's HTTP parser (https://nodejs.org/api/http.html#event-clienterror), with the parser's words for it. */
interface ParserError extends Error {
  code?: string;
  reason?: string;
}

// With the statuses that Node itself would answer.
const REFUSALS: Record<string, () => AppError> = {
  ERR_HTTP_REQUEST_TIMEOUT: () => new AppError('REQUEST_TIMEOUT'),
  HPE_HEADER_OVERFLOW: () => new AppError('HEADERS_TOO_LARGE'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    new AppError('PAYLOAD_TOO_LARGE', { detail: 'the extensions of the body’s chunks are too large' }),
};

function refusalOf({ code = '', reason }: ParserError): AppError {
  const known = REFUSALS[code];
  if (known !== undefined) return known();
  const detail = 'the request is not valid HTTP';
  return new AppError('BAD_REQUEST', { detail: reason ? `${detail}: ${reason}` : detail });
}

interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Logs it as well. @param reason as the parser says it */
function refusalFor(error: AppError, log: Logger, reason?: string): Refusal {
  const requestId = newUuid();
  if (reason !== undefined) log.info({ requestId, code: error.code, reason }, 'unreadable request');
  const body = problemDocument(error, requestId);
  return {
    status: ERROR_CATALOGUE[error.code].status,
    headers: {
      Connection: 'close',
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      Date: new Date().toUTCString(),
    },
    body,
  };
}

const asText = ({ status, headers, body }: Refusal): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');

/** Refuses what names no host, as HTTP/1.1 wants it (RFC 9112, 3.2), where Node would do so without a word. */
export const withHost =
  (listener: RequestListener, log: Logger): RequestListener =>
  (req, res) => {
    if (req.headers.host !== undefined || req.httpVersion === '1.0') return listener(req, res);
    const refusal = new AppError('BAD_REQUEST', { detail: 'the request has no Host header' });
    const { status, headers, body } = refusalFor(refusal, log, 'no Host');
    res.writeHead(status, headers).end(body);
  };

/** Answers what `server` cannot read, with a line in the log for each. */
export function refuseUnreadable(server: Server, log: Logger): void {
  const answering = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('request', ({ socket }, res) => {
    const open = answering.get(socket) ?? new Set();
    answering.set(socket, open.add(res));
    res.once('close', () => open.delete(res));
  });
  const refuse = (error: ParserError, socket: Socket): void => {
    const open = [...(answering.get(socket) ?? [])];
    // What came whole is done, so it has its own answer. Only what came behind it is refused.
    const before = open.findLast(({ req }) => req.complete);
    if (before !== undefined) {
      before.once('close', () => refuse(error, socket));
      return;
    }
    // In the middle of an answer, another's first line would be part of it.
    if (open.some((res) => res.headersSent) || !socket.writable) {
      socket.destroy();
      return;
    }
    // Browsers open connections ahead that they then do not need, which is nothing to log.
    const reason = socket.bytesRead > 0 ? (error.reason ?? error.code) : undefined;
    socket.end(asText(refusalFor(refusalOf(error), log, reason)));
    // Whatever else comes is read by nobody.
    socket.destroySoon();
  };
  const refused = new WeakSet<Socket>();
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const isLost = !/^(?:HPE|ERR_HTTP)_/.test(error.code ?? '');
    if (isLost) socket.destroy();
    // The parser complains again of each packet that follows.
    if (isLost || refused.has(socket)) return;
    refused.add(socket);
    refuse(error, socket);
  });
}
