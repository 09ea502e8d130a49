/** `GET /ops/status`: the installation's state as JSON, for the dashboard's operator screen and for scripts. */
import { Router } from 'express';
import { readStatus } from '../../shared/installation/service.ts';
import type { ApiDeps } from '../deps.ts';
import { limitByAddress } from '../middleware/rate-limit.ts';
import { ATTEMPTS_PER_MINUTE, isOperator } from './operator.ts';
import { AppError } from '../../shared/errors.ts';

export function operatorStatus(deps: ApiDeps): Router {
  const { config, redis } = deps;
  const router = Router();
  router.get(
    '/ops/status',
    limitByAddress({ redis, prefix: config.QUEUE_PREFIX, name: 'ops', perMinute: ATTEMPTS_PER_MINUTE }),
    async (req, res) => {
      if (!isOperator(config, req)) {
        // Of no scheme that browsers know, or they would ask for a password over the screen that has a form for it.
        throw new AppError('UNAUTHENTICATED', {
          detail: 'operator credentials are needed, as HTTP Basic',
          headers: { 'WWW-Authenticate': 'Operator realm="Touchstone operations"' },
        });
      }
      res.setHeader('Cache-Control', 'no-store');
      res.json(await readStatus(deps));
    },
  );
  return router;
}
