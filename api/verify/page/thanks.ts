/** The page after a report was sent by the form. */
import type { Brand } from './brand.ts';
import { PLAIN_COLOR, renderDocument } from './layout.ts';
import { CATALOGUES } from './locales.ts';
import type { Locale } from './locales.ts';
import { plainHead } from './sections.ts';

/** What the form's address says in its query where a report was filed. */
export const FILED = 'filed';

/** Send it with `pageHeaders`. */
export function renderReportThanks(brand: Brand, locale: Locale): string {
  const { thanksTitle, thanksText } = CATALOGUES[locale].report;
  return renderDocument({
    title: thanksTitle,
    brand,
    locale,
    themeColor: PLAIN_COLOR,
    main: plainHead(thanksTitle, thanksText),
    query: FILED,
  });
}
