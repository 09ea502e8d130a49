/** One line and one observation for each request. The path is the route's pattern: printed codes and links stay out of the log. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { encodeId } from '../../shared/ids.ts';
import type { Actor } from '../../shared/actor.ts';
import { withoutRedaction, type Logger } from '../../shared/logger.ts';
import type { Metrics } from '../../shared/metrics.ts';

export function accessLog(log: Logger, metrics: Metrics): RequestHandler {
  const lines = linesOfRequests(log);
  return (req, res, next) => {
    const started = performance.now();
    res.on('close', () => noteRequest(lines, metrics, req, res, started));
    next();
  };
}

/** Where lines of requests go: what they hold is written below, and none of it is a secret. */
export const linesOfRequests = withoutRedaction;

/** @param started `performance.now()` at the request's arrival */
export function noteRequest(
  log: Logger,
  metrics: Metrics,
  req: Request,
  res: Response,
  started: number,
): void {
  const route = (req.route as { path?: string } | undefined)?.path ?? '(none)';
  const actor = res.locals.actor as Actor | undefined;
  observeRequest(
    log,
    metrics,
    { req, res, route, requestId: res.locals.requestId as string, started },
    actor && { orgId: encodeId('org', actor.orgId), ...whoIs(actor) },
  );
}

/** Asked every few seconds by whatever watches the process: only a bad answer is news. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

export interface Answered {
  req: IncomingMessage;
  res: ServerResponse;
  /** Pattern of the path. */
  route: string;
  requestId: string;
  /** `performance.now()` at the request's arrival. */
  started: number;
}

export function observeRequest(
  log: Logger,
  metrics: Metrics,
  { req, res, route, requestId, started }: Answered,
  who?: Record<string, string>,
): void {
  const seconds = (performance.now() - started) / 1000;
  const { method = '' } = req;
  const { statusCode: status } = res;
  metrics.httpRequestSeconds.observe({ method, route, status: String(status) }, seconds);
  const level = PROBES.has(route) && status < 400 ? 'debug' : 'info';
  log[level](
    {
      requestId,
      method,
      route,
      status,
      ms: Math.round(seconds * 1000),
      ...who,
      ...(res.writableFinished ? {} : { aborted: true }),
    },
    'request',
  );
}

const whoIs = (actor: Actor) =>
  actor.kind === 'key' ? { keyId: encodeId('key', actor.keyId) } : { userId: encodeId('user', actor.userId) };
