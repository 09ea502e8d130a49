/** Errors as visitors meet them, who opened an address with a phone: a page in their language, with the error's own status. */
import type { Request, RequestHandler, Response } from 'express';
import type { Site } from '../../shared/code-hosts/sites.ts';
import { ERROR_CATALOGUE, type AppError } from '../../shared/errors.ts';
import { presentUnknown } from '../../shared/scans/verification.ts';
import type { ApiDeps } from '../deps.ts';
import { BELOW } from '../hidden-codes/checked-code.ts';
import { offerErrorPage, type ErrorPage } from '../middleware/problem.ts';
import { wantsPage } from './answer.ts';
import { brandOfSite } from './brand-of.ts';
import { pageHeaders } from './page/layout.ts';
import { negotiateLocale } from './page/locales.ts';
import { renderProblem, type ProblemPage } from './page/problem.ts';
import { renderVerificationPage } from './page/render.ts';

/** For paths that people open: from here on, whoever asks for a page gets the errors as one. */
export const showProblems =
  (deps: ApiDeps): RequestHandler =>
  async (req, res, next) => {
    await offerProblemPage(deps, req, res);
    next();
  };

/** The same for one request. */
export async function offerProblemPage(deps: ApiDeps, req: Request, res: Response): Promise<void> {
  if (!wantsPage(req)) return;
  const site = await deps.sites.of(req.headers.host);
  offerErrorPage(res, (error) => problemPage(deps, site, req, error));
}

function problemPage({ config, clock }: ApiDeps, site: Site, req: Request, error: AppError): ErrorPage {
  const locale = negotiateLocale(req.headers['accept-language'], req.query.lang ?? langOf(req.body));
  const brand = brandOfSite(site, config);
  const headers = pageHeaders(locale, brand.logoUrl);
  const isGet = req.method === 'GET' || req.method === 'HEAD';
  const isCheck = /^\/(?:v|01)\//i.test(req.path) && (isGet || req.path.endsWith(BELOW));
  if (isGet && isCheck && error.code === 'BAD_REQUEST') {
    // A link that was misread, or made up, is for its visitor a code that nobody knows.
    const context = { brand, locale, path: '', publicUrl: site.url, positionNonce: null };
    return { headers, body: renderVerificationPage(presentUnknown(clock.now()), context) };
  }
  return { headers, body: renderProblem({ kind: kindOf(error, isGet), brand, locale, isCheck, isGet }) };
}

/** The language that a form was shown in. */
const langOf = (body: unknown): unknown => (body as { lang?: unknown } | undefined)?.lang;

function kindOf({ code }: AppError, isGet: boolean): ProblemPage['kind'] {
  if (code === 'RATE_LIMITED') return 'wait';
  if (ERROR_CATALOGUE[code].status >= 500) return 'away';
  return isGet || code === 'NOT_FOUND' || code === 'METHOD_NOT_ALLOWED' ? 'address' : 'unread';
}
