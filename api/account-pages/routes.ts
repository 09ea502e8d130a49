/**
 * The addresses in mails, which outlive any page: they lead to the dashboard's pages. The token is in the fragment, which
 * browsers carry over a redirect and send to no server.
 */
import { Router } from 'express';

const PAGES = ['verify-email', 'reset-password', 'accept-invitation', 'forgot-password'];

export function accountPages(): Router {
  const router = Router();
  for (const page of PAGES) {
    router.get(`/account/${page}`, (_req, res) => {
      res.setHeader('Cache-Control', 'no-store');
      res.redirect(302, `/app/${page}`);
    });
  }
  return router;
}
