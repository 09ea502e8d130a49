/** `GET /` for people: who opens the service's own address, as the pages of codes ask everybody to look at it. */
import { Router } from 'express';
import { digitalLinkPath } from '../../shared/gs1/digital-link.ts';
import { gs1In } from '../../shared/gs1/element-string.ts';
import { plainLetters } from '../../shared/units/base32.ts';
import { tokenIn } from '../../shared/units/token.ts';
import type { ApiDeps } from '../deps.ts';
import { wantsPage } from './answer.ts';
import { brandOfSite } from './brand-of.ts';
import { MAX_TYPED, renderFrontPage } from './page/front.ts';
import { pageHeaders } from './page/layout.ts';
import { negotiateLocale } from './page/locales.ts';

export function frontPage({ config, sites }: Pick<ApiDeps, 'config' | 'sites'>): Router {
  const router = Router();
  router.get('/', async (req, res, next) => {
    if (!wantsPage(req)) {
      next();
      return;
    }
    const { lang, code } = req.query;
    const locale = negotiateLocale(req.headers['accept-language'], lang);
    const typed = typeof code === 'string' ? code.slice(0, MAX_TYPED).trim() : '';
    const path = typed === '' ? null : pathOf(typed);
    if (path !== null) {
      res.setHeader('Cache-Control', 'no-store');
      res.redirect(303, `${path}?lang=${locale}`);
      return;
    }
    const refused = typed === '' ? null : typed;
    const site = await sites.of(req.headers.host);
    const brand = brandOfSite(site, config);
    res.status(refused === null ? 200 : 422).set(pageHeaders(locale, brand.logoUrl));
    const hasDashboard = site.orgId === null;
    res.send(renderFrontPage({ brand, hasDashboard, locale, publicUrl: site.url, refused }));
  });
  return router;
}

/** Where a code is checked that somebody typed or copied; null for what has not the form of one. */
function pathOf(typed: string): string | null {
  // What a keyboard for Japanese types is wider, and the same; soft hyphens and marks of direction, which come with what was copied, nobody sees.
  const text = plainLetters(typed);
  const link = gs1In(text);
  if (link !== null) return digitalLinkPath(link);
  const token = tokenIn(text);
  return token === null ? null : `/v/${token}`;
}
