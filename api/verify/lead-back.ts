import type { RequestHandler } from 'express';
import { wantsPage } from './answer.ts';

/** Where the page's form is sent to, below the page of a code. */
export const FORM_PATHS = ['/v/:token', '/01/:gtin/21/:serial', '/01/:gtin/10/:lot/21/:serial'].map(
  (page) => `${page}/reports`,
);

/**
 * A form's address that a browser opens again leads back to the code: a tab that is restored after the thanks or a refusal, or Enter
 * in the bar of addresses. For programs it is no GET.
 */
export const leadBack: RequestHandler = (req, res, next) => {
  if (!wantsPage(req)) {
    next();
    return;
  }
  res.setHeader('Cache-Control', 'no-store');
  res.redirect(303, req.path.replace(/\/reports\/?$/i, ''));
};
