import type { Request } from 'express';
import { AppError } from '../../shared/errors.ts';

/**
 * What was asked for, as a URL. A request may name a whole one (RFC 9112, 3.2.2), and Express takes the path even of what is none,
 * such as `http://x:99999/01/…`.
 * @throws AppError BAD_REQUEST
 */
export function requestUrl({ originalUrl }: Request): URL {
  if (!URL.canParse(originalUrl, 'http://localhost'))
    throw new AppError('BAD_REQUEST', { detail: 'the request’s target is no URL' });
  return new URL(originalUrl, 'http://localhost');
}
