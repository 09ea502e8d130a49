/** What browsers open on their way to an organization's provider and back. */
import { Router } from 'express';
import { departTo, noteReturn } from '../../shared/single-sign-on/sign-ins.ts';
import { AppError } from '../../shared/errors.ts';
import { decodeId } from '../../shared/ids.ts';
import { accountDeps } from '../account-deps.ts';
import { readCookie, TICKET_COOKIE, ticketCookie } from '../auth/cookies.ts';
import type { ApiDeps } from '../deps.ts';

/** The page of the dashboard that asks what came of it. */
const FINISH_PAGE = '/app/single-sign-on';

export function singleSignOnPages(deps: ApiDeps): Router {
  const router = Router();
  router.get('/sso/callback', async (req, res) => {
    const query = new URL(req.originalUrl, deps.config.PUBLIC_URL).searchParams;
    await noteReturn(accountDeps(deps), readCookie(req, TICKET_COOKIE), query);
    res.setHeader('Cache-Control', 'no-store');
    res.redirect(303, FINISH_PAGE);
  });
  router.get('/sso/:organizationId', async (req, res) => {
    const orgId = decodeId('org', req.params.organizationId);
    if (orgId === null) throw new AppError('NOT_FOUND', { detail: 'no such organization' });
    const { url, ticket } = await departTo(accountDeps(deps), orgId);
    res.setHeader('Cache-Control', 'no-store');
    res.append('Set-Cookie', ticketCookie(ticket));
    res.redirect(303, url);
  });
  return router;
}
