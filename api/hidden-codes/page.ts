/** What a browser finds at the address that a hidden code is sent to: the answer once more, or the way back to the unit's page. */
import type { RequestHandler } from 'express';
import { findAnswer } from '../../shared/hidden-codes/service.ts';
import { inLanguage } from '../accept-language.ts';
import type { ApiDeps } from '../deps.ts';
import { withNfcTap } from '../nfc/looked.ts';
import { look, sendPage, wantsPage } from '../verify/answer.ts';
import { sessionOf } from '../verify/session.ts';
import { BELOW, codeOfCheckedLink, codeOfCheckedToken, type CheckedCodeOf } from './checked-code.ts';

export const HIDDEN_CODE_PAGES: readonly { readonly path: string; readonly checkedCode: CheckedCodeOf }[] = [
  { path: `/v/:token${BELOW}`, checkedCode: codeOfCheckedToken },
  { path: `/01/:gtin/21/:serial${BELOW}`, checkedCode: codeOfCheckedLink },
  { path: `/01/:gtin/10/:lot/21/:serial${BELOW}`, checkedCode: codeOfCheckedLink },
];

/**
 * Tells a visitor who has entered the right code what it says: loaded again or come back to, it is sent no second time. Nothing in the
 * address says so, which could be made up: it is looked up by the visitor's cookie. For programs it is no GET.
 */
export const hiddenCodePage =
  (deps: ApiDeps, checkedCode: CheckedCodeOf): RequestHandler =>
  async (req, res, next) => {
    if (!wantsPage(req)) {
      next();
      return;
    }
    const { scanned, page } = checkedCode(req);
    // The look of who brings no cookie is made there: here it would be one more scan.
    const isStranger = sessionOf(req, deps.config.PUBLIC_URL) === null;
    const looked = isStranger
      ? null
      : await withNfcTap(deps, await look(deps, scanned, req, req.ip ?? '', null), req, true);
    const scan = looked?.verified.scan ?? null;
    const hiddenCode = scan === null ? null : await findAnswer(deps.db, scan.id);
    if (looked === null || hiddenCode === null) {
      res.setHeader('Cache-Control', 'no-store');
      res.redirect(303, inLanguage(page, req.query.lang));
      return;
    }
    sendPage(deps, looked, { path: page, lang: req.query.lang, hiddenCode }, req, res);
  };
