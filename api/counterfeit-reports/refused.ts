/** A person whose report was refused gets the form again, with what is wrong and all that was typed. */
import type { Request } from 'express';
import { MAX_PHOTO_BYTES } from '../../shared/counterfeit-reports/photos.ts';
import type { AppError } from '../../shared/errors.ts';
import { inLanguage } from '../accept-language.ts';
import { fillHtml, html, type Html } from '../html.ts';
import type { ErrorPage } from '../middleware/problem.ts';
import { alertSection } from '../verify/page/alert.ts';
import type { Brand } from '../verify/page/brand.ts';
import { pageHeaders, PLAIN_COLOR, renderDocument } from '../verify/page/layout.ts';
import { CATALOGUES, negotiateLocale, type Locale } from '../verify/page/locales.ts';
import { reportForm, type TypedReport } from '../verify/page/report-form.ts';
import { UploadedPhotos } from './intake.ts';
import { REPORT_REFUSALS } from './refusals.ts';

/** @returns the page, for a brand; null for an error that came before the form was read, or that the same form would meet again */
export function refusedReport(req: Request, error: AppError): ((brand: Brand) => ErrorPage) | null {
  const body = (req.body ?? {}) as Readonly<Record<string, unknown>>;
  const locale = negotiateLocale(req.get('accept-language'), body.lang);
  const alert = alertOf(error, req.body !== undefined, locale);
  if (alert === null) return null;
  const { notSent, photosAgain } = REPORT_REFUSALS[locale];
  const textOf = (name: string) => (typeof body[name] === 'string' ? body[name] : '');
  const typed: TypedReport = {
    description: textOf('description'),
    purchasedFrom: textOf('purchasedFrom'),
    contactEmail: textOf('contactEmail'),
  };
  const errors = error.code === 'PAYLOAD_TOO_LARGE' ? [{ path: 'photos' }] : (error.options.errors ?? []);
  const hadPhotos =
    errors.some(({ path }) => path.startsWith('photos')) ||
    (body.photos instanceof UploadedPhotos && body.photos.originals.length > 0);
  const main = html`<section>
    <h1>${notSent}</h1>
    ${alert} ${hadPhotos && html`<p>${photosAgain}</p>`} ${reportForm(req.originalUrl, locale, typed, errors)}
  </section>`;
  // That of a form leads back to its code, where there is one.
  const behind = inLanguage(req.path === '/counterfeit-reports' ? '/' : req.baseUrl + req.path, locale);
  return (brand) => {
    const page = { title: notSent, brand, locale, themeColor: PLAIN_COLOR, main, languages: false, behind };
    return { headers: pageHeaders(locale, brand.logoUrl), body: renderDocument(page) };
  };
}

/** What is wrong, or null. @param isRead whether there is anything typed to keep */
function alertOf({ code, status, options }: AppError, isRead: boolean, locale: Locale): Html | null {
  const { check, largePhoto, tooManyToday, fields } = REPORT_REFUSALS[locale];
  if (code === 'VALIDATION_FAILED') return alertSection(check, options.errors ?? [], fields, locale);
  if (code === 'PAYLOAD_TOO_LARGE') {
    const large = fillHtml(largePhoto, { maximum: MAX_PHOTO_BYTES / 1024 / 1024 });
    return alertSection(check, [large], fields, locale);
  }
  if (!isRead) return null;
  // Requests are counted before they are read: what is refused for their number afterwards is one report too many.
  if (code === 'RATE_LIMITED') return alertSection(tooManyToday, [], fields, locale);
  return status >= 500 ? alertSection(CATALOGUES[locale].problems.away.text, [], fields, locale) : null;
}
