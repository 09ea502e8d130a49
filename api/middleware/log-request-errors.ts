/** Notes every refused or failed request of a credential, after its answer. */
import type { RequestHandler } from 'express';
import type { Actor } from '../../shared/actor.ts';
import type { AppError } from '../../shared/errors.ts';
import type { RequestErrorLog } from '../../shared/request-errors/service.ts';

export const logRequestErrors =
  (requestErrors: RequestErrorLog): RequestHandler =>
  (req, res, next) => {
    // Now: by the end of the answer the request may have been destroyed, which takes its connection away, and asking it would throw.
    const ip = req.ip ?? null;
    res.on('finish', () => {
      const actor = res.locals.actor as Actor | undefined;
      if (actor === undefined || res.statusCode < 400) return;
      const problem = res.locals.problem as AppError | undefined;
      requestErrors.note({
        actor,
        method: req.method,
        route: (req.route as { path?: string } | undefined)?.path ?? '(none)',
        status: res.statusCode,
        code: problem?.code ?? null,
        detail: problem?.options.detail ?? null,
        paths: problem?.options.errors?.map(({ path }) => path) ?? [],
        requestId: res.locals.requestId as string,
        ip,
      });
    });
    next();
  };
