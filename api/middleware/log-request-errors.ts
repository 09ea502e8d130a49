/** Notes every refused or failed request of a credential, after its answer. */
import type { RequestHandler } from 'express';
import type { Actor } from '../../shared/actor.ts';
import type { RequestErrorLog } from '../../shared/request-errors/service.ts';

export const logRequestErrors =
  (requestErrors: RequestErrorLog): RequestHandler =>
  (req, res, next) => {
    res.on('finish', () => {
      const actor = res.locals.actor as Actor | undefined;
      if (actor === undefined || res.statusCode < 400) return;
      requestErrors.note({
        actor,
        method: req.method,
        route: (req.route as { path?: string } | undefined)?.path ?? '(none)',
        status: res.statusCode,
        code: (res.locals.errorCode as string | undefined) ?? null,
        requestId: res.locals.requestId as string,
        ip: req.ip ?? null,
      });
    });
    next();
  };
