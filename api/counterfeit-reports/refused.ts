/** A person whose report was refused gets the form again, with what is wrong and all that was typed. */
import type { Request } from 'express';
import { MAX_PHOTO_BYTES } from '../../shared/counterfeit-reports/photos.ts';
import type { AppError } from '../../shared/errors.ts';
import { fillHtml, html } from '../html.ts';
import type { ErrorPage } from '../middleware/problem.ts';
import { alertSection } from '../verify/page/alert.ts';
import type { Brand } from '../verify/page/brand.ts';
import { pageHeaders, PLAIN_COLOR, renderDocument } from '../verify/page/layout.ts';
import { negotiateLocale } from '../verify/page/locales.ts';
import { reportForm, type TypedReport } from '../verify/page/report-form.ts';
import { UploadedPhotos } from './intake.ts';
import { REPORT_REFUSALS } from './refusals.ts';

/** @returns null for an error that the sender cannot mend in the form */
export function refusedReport(req: Request, error: AppError, brand: Brand): ErrorPage | null {
  const isLarge = error.code === 'PAYLOAD_TOO_LARGE';
  if (!isLarge && error.code !== 'VALIDATION_FAILED') return null;
  const body = (req.body ?? {}) as Readonly<Record<string, unknown>>;
  const textOf = (name: string) => (typeof body[name] === 'string' ? body[name] : '');
  const locale = negotiateLocale(req.get('accept-language'), body.lang);
  const { notSent, check, photosAgain, largePhoto, fields } = REPORT_REFUSALS[locale];
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
  const main = html`<section>
    <h1>${notSent}</h1>
    ${alertSection(check, isLarge ? [large] : errors, fields)} ${hadPhotos && html`<p>${photosAgain}</p>`}
    ${reportForm(req.originalUrl, locale, typed)}
  </section>`;
  const page = { title: notSent, brand, locale, themeColor: PLAIN_COLOR, main, languages: false };
  return { headers: pageHeaders(locale, brand.logoUrl), body: renderDocument(page) };
}
