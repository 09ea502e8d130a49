/** The page after a report was sent by the form. */
import { html } from '../../html.ts';
import type { Brand } from './brand.ts';
import { PLAIN_COLOR, renderDocument } from './layout.ts';
import { CATALOGUES } from './locales.ts';
import type { Locale } from './locales.ts';

/** Send it with `pageHeaders` and status 201. */
export function renderReportThanks(brand: Brand, locale: Locale): string {
  const { thanksTitle, thanksText } = CATALOGUES[locale].report;
  const main = html`<section class="verdict plain">
    <h1>${thanksTitle}</h1>
    <p>${thanksText}</p>
  </section>`;
  return renderDocument({
    title: thanksTitle,
    brand,
    locale,
    themeColor: PLAIN_COLOR,
    main,
    languages: false,
  });
}
