/** A person whose report was refused gets the form again, with what is wrong and all that was typed. */
import type { Request } from 'express';
import { MAX_PHOTO_BYTES } from '../../shared/counterfeit-reports/photos.ts';
import { ERROR_CATALOGUE, type AppError } from '../../shared/errors.ts';
import { fillHtml, html } from '../html.ts';
import type { ErrorPage } from '../middleware/problem.ts';
import { alertSection } from '../verify/page/alert.ts';
import type { Brand } from '../verify/page/brand.ts';
import { pageHeaders, PLAIN_COLOR, renderDocument } from '../verify/page/layout.ts';
import { CATALOGUES, negotiateLocale } from '../verify/page/locales.ts';
import { reportForm, type TypedReport } from '../verify/page/report-form.ts';
import { UploadedPhotos } from './intake.ts';
import { REPORT_REFUSALS } from './refusals.ts';

/** @returns null for an error that came before the form was read, or that the same form would meet again */
export function refusedReport(
  req: Request,
  error: AppError,
): { isOutage: boolean; show(brand: Brand): ErrorPage } | null {
  const isLarge = error.code === 'PAYLOAD_TOO_LARGE';
  const isMendable = isLarge || error.code === 'VALIDATION_FAILED';
  const isOutage = ERROR_CATALOGUE[error.code].status >= 500;
  // Requests are counted before they are read: what is refused for their number afterwards is one report too many.
  const mayBeSentAgain = req.body !== undefined && (isOutage || error.code === 'RATE_LIMITED');
  if (!isMendable && !mayBeSentAgain) return null;
  return { isOutage, show: (brand) => formAgain(req, error, brand) };
}

function formAgain(req: Request, error: AppError, brand: Brand): ErrorPage {
  const isLarge = error.code === 'PAYLOAD_TOO_LARGE';
  const body = (req.body ?? {}) as Readonly<Record<string, unknown>>;
  const textOf = (name: string) => (typeof body[name] === 'string' ? body[name] : '');
  const locale = negotiateLocale(req.get('accept-language'), body.lang);
  const { notSent, check, photosAgain, largePhoto, tooManyToday, fields } = REPORT_REFUSALS[locale];
  const errors = error.options.errors ?? [];
  const large = fillHtml(largePhoto, { maximum: MAX_PHOTO_BYTES / 1024 / 1024 });
  const typed: TypedReport = {
    description: textOf('description'),
    purchasedFrom: textOf('purchasedFrom'),
    contactEmail: textOf('contactEmail'),
  };
  const hadPhotos =
    isLarge ||
    errors.some(({ path }) => path.startsWith('photos')) ||
    (body.photos instanceof UploadedPhotos && body.photos.keys.length > 0);
  const alert = () => {
    if (error.code === 'RATE_LIMITED') return alertSection(tooManyToday, [], {});
    if (isLarge || error.code === 'VALIDATION_FAILED')
      return alertSection(check, isLarge ? [large] : errors, fields);
    return alertSection(CATALOGUES[locale].problems.away.text, [], {});
  };
  const main = html`<section>
    <h1>${notSent}</h1>
    ${alert()} ${hadPhotos && html`<p>${photosAgain}</p>`} ${reportForm(req.originalUrl, locale, typed)}
  </section>`;
  const page = { title: notSent, brand, locale, themeColor: PLAIN_COLOR, main, languages: false };
  return { headers: pageHeaders(locale, brand.logoUrl), body: renderDocument(page) };
}
