/** What browsers open on their way to an organization's provider and back. */
import { Router } from 'express';
import { noteReturn } from '../../shared/single-sign-on/sign-ins.ts';
import { AppError } from '../../shared/errors.ts';
import { decodeId } from '../../shared/ids.ts';
import { accountDeps } from '../account-deps.ts';
import { readCookie, TICKET_COOKIE } from '../auth/cookies.ts';
import type { ApiDeps } from '../deps.ts';

/** The page of the dashboard that asks what came of it. */
const FINISH_PAGE = '/app/single-sign-on';
/** The one that has a button to the organization's provider. */
const BEGIN_PAGE = '/app/sign-in';

export function singleSignOnPages(deps: ApiDeps): Router {
  const router = Router();
  router.get('/sso/callback', async (req, res) => {
    const query = new URL(req.originalUrl, deps.config.PUBLIC_URL).searchParams;
    await noteReturn(accountDeps(deps), readCookie(req, TICKET_COOKIE), query);
    res.setHeader('Cache-Control', 'no-store');
    res.redirect(303, FINISH_PAGE);
  });
  // Not to the provider at once: whoever signs up may name one, and would have links here that lead to any place, or sign people in
  // who did not ask for it.
  router.get('/sso/:organizationId', (req, res) => {
    const { organizationId } = req.params;
    if (decodeId('org', organizationId) === null)
      throw new AppError('NOT_FOUND', { detail: 'no such organization' });
    res.setHeader('Cache-Control', 'no-store');
    res.redirect(303, `${BEGIN_PAGE}?organization=${organizationId}`);
  });
  return router;
}
