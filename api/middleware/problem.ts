/** Every error leaves as RFC 9457 `application/problem+json`; no stack trace, no driver's message. */
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { AppError, ERROR_CATALOGUE, isOutage } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';

export function sendProblem(res: Response, error: AppError): void {
  const { status, title } = ERROR_CATALOGUE[error.code];
  const { detail, errors, extensions, headers } = error.options;
  res.locals.problem = error;
  if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer realm="touchstone"');
  if (error.code === 'UNAVAILABLE') res.setHeader('Retry-After', '5');
  // A shared cache may keep a 404 for as long as it sees fit, where nothing is said.
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers ?? {})) res.setHeader(name, value);
  res
    .status(status)
    .type('application/problem+json')
    .send(
      JSON.stringify({
        ...extensions,
        type: `urn:touchstone:error:${error.code.toLowerCase().replaceAll('_', '-')}`,
        title,
        status,
        detail: detail ?? title,
        code: error.code,
        requestId: res.locals.requestId as string,
        ...(errors ? { errors } : {}),
      }),
    );
}

// Errors of body-parser, by their `type`: https://github.com/expressjs/body-parser#errors
const BODY_ERRORS: Record<string, () => AppError> = {
  'entity.parse.failed': () => new AppError('MALFORMED_JSON'),
  'entity.too.large': () => new AppError('PAYLOAD_TOO_LARGE'),
  'encoding.unsupported': () =>
    new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: 'this content encoding is not supported' }),
  'charset.unsupported': () => new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: 'the body must be UTF-8' }),
  'request.size.invalid': () =>
    new AppError('BAD_REQUEST', { detail: 'the body is shorter than its Content-Length' }),
  'request.aborted': () => new AppError('BAD_REQUEST', { detail: 'the request was aborted' }),
};

/** @returns the error as a caller may see it; INTERNAL for whatever is not foreseen. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { type, status } = (error ?? {}) as { type?: string; status?: number };
  if (type !== undefined && Object.hasOwn(BODY_ERRORS, type)) return BODY_ERRORS[type]!();
  if (error instanceof URIError)
    return new AppError('BAD_REQUEST', { detail: 'the path is not valid UTF-8' });
  if (isOutage(error)) return new AppError('UNAVAILABLE', { cause: error });
  if (status === 400 || (error as { code?: string }).code === 'Z_DATA_ERROR') {
    return new AppError('BAD_REQUEST', { detail: 'the body cannot be decoded' });
  }
  return new AppError('INTERNAL', { cause: error });
}

export const errorHandler =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, _req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const problem = toAppError(error);
    const requestId = res.locals.requestId as string;
    if (problem.code === 'INTERNAL') log.error({ err: error, requestId }, 'request failed');
    else if (problem.code === 'UNAVAILABLE') log.warn({ err: error, requestId }, 'request refused');
    sendProblem(res, problem);
  };

export const notFound: RequestHandler = () => {
  throw new AppError('NOT_FOUND', { detail: 'no such path' });
};
