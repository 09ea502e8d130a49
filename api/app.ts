/** The application: what happens to a request, in order. */
import type { RequestListener } from 'node:http';
import express, { Router, type Express } from 'express';
import helmet from 'helmet';
import { AppError } from '../shared/errors.ts';
import type { Metrics } from '../shared/metrics.ts';
import { artifactDownloads } from './barcode-jobs/download.ts';
import { singleSignOnPages } from './single-sign-on/pages.ts';
import { accountPages } from './account-pages/routes.ts';
import { formPage, REPORT_FORMS } from './counterfeit-reports/form-pages.ts';
import { dashboard } from './dashboard/routes.ts';
import type { ApiDeps } from './deps.ts';
import { accessLog } from './middleware/access-log.ts';
import { createAuthenticate } from './middleware/authenticate.ts';
import { HIDDEN_CODE_PAGES, hiddenCodePage } from './hidden-codes/page.ts';
import { crossOrigin, otherDigitalLinks } from './gs1/links.ts';
import { errorHandler, notFound } from './middleware/problem.ts';
import { limitByAddress } from './middleware/rate-limit.ts';
import { logRequestErrors } from './middleware/log-request-errors.ts';
import { requestId } from './middleware/request-id.ts';
import { mountOperations } from './mount.ts';
import './validation-messages.ts';
import { OPERATIONS } from './operations.ts';
import { bullBoard } from './ops/bull-board.ts';
import { ATTEMPTS_PER_MINUTE } from './ops/operator.ts';
import { reference } from './reference/routes.ts';
import { pageAssets } from './verify/assets.ts';
import { fastLane } from './verify/fast-lane.ts';
import { frontPage } from './verify/front.ts';
import { headersOf, HOT_PATH, hotRoute } from './verify/hot-route.ts';
import { createScanLimiter, limitScans } from './verify/limiter.ts';
import { onlyCodes } from './verify/own-hosts.ts';
import { showProblems } from './verify/problem-page.ts';
import { readUndecodableCodes } from './verify/undecodable.ts';

/** Strict for everything; the few pages that need more say so themselves. */
const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
  },
  // Not for hosts below: an organization may lead its whole domain's bare name here.
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  referrerPolicy: { policy: 'no-referrer' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
});

/** What anybody may send, and what costs a hash, a row or a mail each. */
const PUBLIC_FORMS = [
  '/sign-up',
  '/contact',
  '/api/v1/auth/forgot-password',
  '/api/v1/auth/reset-password',
  '/api/v1/auth/accept-invitation',
];

/** What everybody in one office does, behind one address. */
const SESSION_PATHS = [
  '/api/v1/auth/sign-in',
  '/api/v1/auth/refresh',
  '/api/v1/auth/sign-out',
  '/api/v1/auth/check-link',
  '/api/v1/auth/single-sign-on',
  '/sso',
];

/** Listens to a server's requests; all but the fast lane's go to Express. */
export type App = RequestListener & { express: Express };

/** @param deps with a Redis that is ready: the limiters load their script at once. */
export function createApp(deps: ApiDeps, metrics: Metrics): App {
  const { config, log, redis } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', config.TRUST_PROXY);
  app.set('query parser', 'simple');
  // Every answer of the API is for one caller and one moment; an ETag over it costs a hash and saves nothing.
  app.set('etag', false);
  const authenticate = createAuthenticate(deps);
  const limit = (name: string, perMinute: number) =>
    limitByAddress({ redis, prefix: config.QUEUE_PREFIX, name, perMinute });

  const scanLimiter = createScanLimiter({
    redis,
    prefix: config.QUEUE_PREFIX,
    perMinute: config.RATE_LIMIT_VERIFY_PER_MINUTE,
  });
  const fixedHeaders = headersOf(securityHeaders);
  app.use(readUndecodableCodes);
  app.get(HOT_PATH, hotRoute(deps, metrics, scanLimiter, fixedHeaders));
  app.use(requestId, accessLog(log, metrics), securityHeaders);
  app.use('/api/v1', logRequestErrors(deps.requestErrors));
  app.use(pageAssets());
  app.use(onlyCodes(deps));
  app.use(['/v', '/01', '/counterfeit-reports', '/c'], showProblems(deps));
  app.use(['/01', '/.well-known/gs1resolver'], crossOrigin);
  for (const { path, codeOf } of REPORT_FORMS)
    app.get(path, limit('report-pages', config.RATE_LIMIT_VERIFY_PER_MINUTE), formPage(deps, codeOf));
  app.use(['/v', '/01'], limitScans(scanLimiter));
  for (const { path, checkedCode } of HIDDEN_CODE_PAGES) app.get(path, hiddenCodePage(deps, checkedCode));
  app.use(
    REPORT_FORMS.map(({ path }) => path),
    limit('reports', config.RATE_LIMIT_PUBLIC_PER_MINUTE),
  );
  app.use('/report-photos', limit('photos', config.RATE_LIMIT_VERIFY_PER_MINUTE));
  app.use('/c', limit('consignment', config.RATE_LIMIT_PUBLIC_PER_MINUTE));
  app.use('/.well-known/gs1resolver', limit('resolver', config.RATE_LIMIT_VERIFY_PER_MINUTE));
  // A job may have thousands of parts, and their links are signed.
  app.use('/artifacts', limit('download', config.RATE_LIMIT_API_PER_MINUTE));
  app.use(PUBLIC_FORMS, limit('public', config.RATE_LIMIT_PUBLIC_PER_MINUTE));
  app.use(SESSION_PATHS, limit('session', config.RATE_LIMIT_VERIFY_PER_MINUTE));
  app.use('/ops', limit('ops', ATTEMPTS_PER_MINUTE));
  const operations = Router();
  const mounted = OPERATIONS.filter(({ access }) => config.OPS_PUBLIC || access.kind !== 'operator');
  mountOperations(operations, deps, mounted, authenticate);
  app.use(operations);
  app.use('/01', otherDigitalLinks);
  app.use(artifactDownloads(deps));
  app.use(frontPage(deps));
  app.use(accountPages());
  app.use(singleSignOnPages(deps));
  app.use(dashboard(deps.config));
  app.use(reference(config.PUBLIC_URL));
  if (config.OPS_PUBLIC) app.use(bullBoard(deps));
  // Everything under /api/v1 needs a credential, also what is not there.
  app.use('/api/v1', async (req, res) => {
    await authenticate(req, res);
    throw new AppError('NOT_FOUND', { detail: 'no such path' });
  });
  app.use(notFound);
  app.use(errorHandler(log));
  return Object.assign(fastLane(deps, metrics, scanLimiter, fixedHeaders, app), { express: app });
}
