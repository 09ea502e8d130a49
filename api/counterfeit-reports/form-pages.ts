/** What a browser finds at the address that a form is sent to: thanks, or the way back to the code. */
import type { Request, RequestHandler } from 'express';
import type { Site } from '../../shared/code-hosts/sites.ts';
import type { Db } from '../../shared/db.ts';
import { findOrganizationOfCode } from '../../shared/counterfeit-reports/service.ts';
import type { BrandedOrganization } from '../../shared/scans/organization.ts';
import { inLanguage } from '../accept-language.ts';
import type { ApiDeps } from '../deps.ts';
import { wantsPage } from '../verify/answer.ts';
import { brandAt } from '../verify/brand-of.ts';
import { pageHeaders } from '../verify/page/layout.ts';
import { negotiateLocale, type Locale } from '../verify/page/locales.ts';
import { FILED, renderReportThanks } from '../verify/page/thanks.ts';
import { codeOfLink, codeOfToken, noCode, type CodeOf } from './code-of.ts';

/** Below the page of a code, and for what is none. */
export const REPORT_FORMS: readonly { readonly path: string; readonly codeOf: CodeOf }[] = [
  { path: '/v/:token/reports', codeOf: codeOfToken },
  { path: '/01/:gtin/21/:serial/reports', codeOf: codeOfLink },
  { path: '/01/:gtin/10/:lot/21/:serial/reports', codeOf: codeOfLink },
  { path: '/counterfeit-reports', codeOf: noCode },
];

/** Where the thanks for a report are shown, by a GET: loaded again or come back to, they send nothing a second time. */
export const thanksAddress = (req: Request, locale: Locale): string =>
  `${req.baseUrl + req.path}?${FILED}&lang=${locale}`;

/**
 * Opened by a browser, the form's address thanks for what was filed, and otherwise leads back to the code: a tab that is restored
 * after a refusal, or Enter in the bar of addresses. For programs it is no GET.
 */
export const formPage =
  (deps: ApiDeps, codeOf: CodeOf): RequestHandler =>
  async (req, res, next) => {
    const isFiled = req.query[FILED] !== undefined;
    if (!wantsPage(req) || (!isFiled && codeOf === noCode)) {
      next();
      return;
    }
    if (!isFiled) {
      res.setHeader('Cache-Control', 'no-store');
      res.redirect(303, inLanguage(req.path.replace(/\/reports\/?$/i, ''), req.query.lang));
      return;
    }
    const locale = negotiateLocale(req.get('accept-language'), req.query.lang);
    // The thanks are the service's own where the database is away: the report is filed.
    const organization = await organizationOf(deps, deps.db, req, codeOf).catch(() => null);
    const site = await deps.sites.of(req.headers.host);
    const { headers, body } = thanksPage(deps, site, locale, organization);
    res.set(headers).send(body);
  };

/** @param organization whose page the reporter comes from; null for the service’s own */
export function thanksPage(
  { config }: ApiDeps,
  site: Site,
  locale: Locale,
  organization: BrandedOrganization | null,
): { headers: Record<string, string>; body: string } {
  const brand = brandAt(site, organization, config);
  return { headers: pageHeaders(locale, brand.logoUrl), body: renderReportThanks(brand, locale) };
}

export async function organizationOf(
  deps: ApiDeps,
  db: Db,
  req: Request,
  codeOf: CodeOf,
): Promise<BrandedOrganization | null> {
  const code = await codeOf(deps, db, req);
  return findOrganizationOfCode(db, code?.bytes ?? null, await deps.sites.of(req.headers.host));
}
