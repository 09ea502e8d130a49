/**
 * Every error leaves as RFC 9457 `application/problem+json`, or as a page where a person is to read it; no stack trace, no
 * driver's message.
 */
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { AppError, ERROR_CATALOGUE, isPassing } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { StorageFailedError } from '../../shared/storage/storage-failure.ts';

export interface ErrorPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @returns null for an error that it has no page for */
export type ErrorPageOf = (error: AppError) => Promise<ErrorPage | null> | ErrorPage | null;

/** Shows this request's errors as a page; what was offered before is asked where this one has none, or fails. */
export function offerErrorPage(res: Response, pageOf: ErrorPageOf): void {
  const before = (res.locals.errorPages ?? []) as readonly ErrorPageOf[];
  res.locals.errorPages = [pageOf, ...before];
}

export const offersErrorPage = (res: Response): boolean => res.locals.errorPages !== undefined;

async function errorPageOf(res: Response, error: AppError): Promise<ErrorPage | null> {
  for (const pageOf of (res.locals.errorPages ?? []) as readonly ErrorPageOf[]) {
    try {
      const page = await pageOf(error);
      if (page !== null) return page;
    } catch {
      // A page may need what is just away. The error itself is told by the next one.
    }
  }
  return null;
}

/** The problem document, as JSON. */
export function problemDocument(error: AppError, requestId: string): string {
  const { status, title } = ERROR_CATALOGUE[error.code];
  const { detail, errors, extensions } = error.options;
  return JSON.stringify({
    ...extensions,
    type: `urn:touchstone:error:${error.code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    detail: detail ?? title,
    code: error.code,
    requestId,
    ...(errors ? { errors } : {}),
  });
}

/** @param page in place of the problem document */
function sendProblem(res: Response, error: AppError, page: ErrorPage | null = null): void {
  const { status } = ERROR_CATALOGUE[error.code];
  res.locals.problem = error;
  if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer realm="touchstone"');
  if (error.code === 'UNAVAILABLE') res.setHeader('Retry-After', '5');
  // A shared cache may keep a 404 for as long as it sees fit, where nothing is said.
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries({ ...page?.headers, ...error.options.headers }))
    res.setHeader(name, value);
  res.status(status);
  if (page !== null) {
    res.send(page.body);
    return;
  }
  res.type('application/problem+json').send(problemDocument(error, res.locals.requestId as string));
}

// Errors of body-parser, and of what it asks, by their `type`: https://github.com/expressjs/body-parser#errors
const BODY_ERRORS: Record<string, () => AppError> = {
  'entity.parse.failed': () => new AppError('MALFORMED_JSON'),
  'entity.not.utf8': () => new AppError('MALFORMED_JSON', { detail: 'the body is not valid UTF-8' }),
  'entity.too.large': () => new AppError('PAYLOAD_TOO_LARGE'),
  'parameters.too.many': () => new AppError('PAYLOAD_TOO_LARGE', { detail: 'the form has too many fields' }),
  'encoding.unsupported': () =>
    new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: 'this content encoding is not supported' }),
  'charset.unsupported': () => new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: 'the body must be UTF-8' }),
  'request.size.invalid': () =>
    new AppError('BAD_REQUEST', { detail: 'the body is shorter than its Content-Length' }),
  'request.aborted': () => new AppError('BAD_REQUEST', { detail: 'the request was aborted' }),
};

/** @returns the error as a caller may see it; INTERNAL for whatever is not foreseen. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { type, status } = (error ?? {}) as { type?: string; status?: number };
  if (type !== undefined && Object.hasOwn(BODY_ERRORS, type)) return BODY_ERRORS[type]!();
  if (error instanceof URIError)
    return new AppError('BAD_REQUEST', { detail: 'the path is not valid UTF-8' });
  if (isPassing(error) || error instanceof StorageFailedError)
    return new AppError('UNAVAILABLE', { cause: error });
  // Such as gzip that is broken: http-errors wraps what the decoder says.
  if (status === 400) return new AppError('BAD_REQUEST', { detail: 'the body cannot be decoded' });
  return new AppError('INTERNAL', { cause: error });
}

export const errorHandler =
  (log: Logger): ErrorRequestHandler =>
  async (error: unknown, _req, res, _next) => {
    const problem = toAppError(error);
    const requestId = res.locals.requestId as string;
    if (problem.code === 'INTERNAL') log.error({ err: error, requestId }, 'request failed');
    else if (problem.code === 'UNAVAILABLE') log.warn({ err: error, requestId }, 'request refused');
    // Amid a body nothing can be said any more: it ends before its end.
    if (res.headersSent) {
      res.destroy();
      return;
    }
    sendProblem(res, problem, await errorPageOf(res, problem));
  };

export const notFound: RequestHandler = () => {
  throw new AppError('NOT_FOUND', { detail: 'no such path' });
};
