/** What is no HTTP, too large or too slow before there is a request: a problem document as for every other error, then the end. */
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
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

function answerOf(error: AppError, requestId: string): string {
  const { status } = ERROR_CATALOGUE[error.code];
  const body = problemDocument(error, requestId);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    `Date: ${new Date().toUTCString()}`,
    '',
    body,
  ].join('\r\n');
}

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
    const refusal = refusalOf(error);
    const requestId = newUuid();
    const told = { requestId, code: refusal.code, reason: error.reason ?? error.code };
    // Browsers open connections ahead that they then do not need.
    if (socket.bytesRead > 0) log.info(told, 'unreadable request');
    socket.end(answerOf(refusal, requestId));
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
