/** One line and one observation for each request. The path is the route's pattern: printed codes and links stay out of the log. */
import type { Request, RequestHandler, Response } from 'express';
import { encodeId } from '../../shared/ids.ts';
import type { Actor } from '../../shared/actor.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Metrics } from '../../shared/metrics.ts';

export const accessLog =
  (log: Logger, metrics: Metrics): RequestHandler =>
  (req, res, next) => {
    const started = performance.now();
    res.on('close', () => noteRequest(log, metrics, req, res, started));
    next();
  };

/** @param started `performance.now()` at the request's arrival */
export function noteRequest(
  log: Logger,
  metrics: Metrics,
  req: Request,
  res: Response,
  started: number,
): void {
  const seconds = (performance.now() - started) / 1000;
  const route = (req.route as { path?: string } | undefined)?.path ?? '(none)';
  metrics.httpRequestSeconds.observe({ method: req.method, route, status: String(res.statusCode) }, seconds);
  const actor = res.locals.actor as Actor | undefined;
  log.info(
    {
      requestId: res.locals.requestId as string,
      method: req.method,
      route,
      status: res.statusCode,
      ms: Math.round(seconds * 1000),
      ...(actor ? { orgId: encodeId('org', actor.orgId), ...whoIs(actor) } : {}),
      ...(res.writableFinished ? {} : { aborted: true }),
    },
    'request',
  );
}

const whoIs = (actor: Actor) =>
  actor.kind === 'key' ? { keyId: encodeId('key', actor.keyId) } : { userId: encodeId('user', actor.userId) };
