/** What is answered at the address of an organization's own: what its codes lead to, and what a load balancer asks. */
import type { RequestHandler } from 'express';
import { AppError } from '../../shared/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { offerProblemPage } from './problem-page.ts';

const OF_CODES = /^\/(?:$|(?:v|01)\/|(?:healthz|readyz|counterfeit-reports|\.well-known\/gs1resolver)\/?$)/i;

/** The API and the dashboard stand at the service's own address alone: nobody is to sign in at one that another party can lead elsewhere. */
export const onlyCodes =
  (deps: ApiDeps): RequestHandler =>
  async (req, res, next) => {
    // The path first: whether a process lives must not wait for Postgres, which is asked about hosts.
    if (!OF_CODES.test(req.path) && (await deps.sites.of(req.headers.host)).orgId !== null) {
      // All that comes here with a browser is a consumer who mistyped.
      await offerProblemPage(deps, req, res);
      throw new AppError('NOT_FOUND', { detail: 'no such path' });
    }
    next();
  };
