/** The page after a report was sent by the form. */
import type { Brand } from './brand.ts';
import { PLAIN_COLOR, renderDocument } from './layout.ts';
import { CATALOGUES } from './locales.ts';
import type { Locale } from './locales.ts';
import { plainHead } from './sections.ts';

/** Send it with `pageHeaders` and status 201. */
export function renderReportThanks(brand: Brand, locale: Locale): string {
  const { thanksTitle, thanksText } = CATALOGUES[locale].report;
  return renderDocument({
    title: thanksTitle,
    brand,
    locale,
    themeColor: PLAIN_COLOR,
    main: plainHead(thanksTitle, thanksText),
    languages: false,
  });
}
