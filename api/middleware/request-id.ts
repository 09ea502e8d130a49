/** The same id in the response header, the problem document and the log. */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { newUuid } from '../../shared/ids.ts';

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/** Takes over a caller's well-formed `X-Request-Id`, so that a trace goes through; makes one otherwise. */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : newUuid();
}

export const requestId: RequestHandler = (req, res, next) => {
  const id = requestIdOf(req);
  res.locals.requestId = id;
  res.setHeader('X-Request-Id', id);
  next();
};
