/** What all pages for consumers have around them, and the headers to send them with. */
import { html, renderHtml } from '../../html.ts';
import type { Html } from '../../html.ts';
import { DB_IP_ATTRIBUTION } from '../../../shared/places/places.ts';
import { PAGE_ASSETS } from './assets.ts';
import { brandMark, brandStripe, imageOrigins, standingLine } from './brand.ts';
import type { Brand } from './brand.ts';
import { CATALOGUES, LOCALE_NAMES, LOCALES, textDirection } from './locales.ts';
import type { Locale } from './locales.ts';

export const PAGE_TYPE = 'text/html; charset=utf-8';

/** Of the browser’s bars where there is no verdict: the neutral one, by day and by night. */
export const PLAIN_COLOR = '#45505f';

export interface LayoutOptions {
  readonly title: string;
  readonly brand: Brand;
  readonly locale: Locale;
  /** Colour of the browser's own bars, `#rrggbb`. */
  readonly themeColor: string;
  readonly main: Html;
  /** First lines of the footer. */
  readonly notes?: Html;
  /** False where the address answers no GET, so that `?lang=` would lead nowhere. */
  readonly languages?: boolean;
  /** Where a GET gives the page in another language, where the page's own address answers none. */
  readonly address?: string;
  /** Whether that GET tells the same again: the script puts it in place of the form that this answers. */
  readonly isToldAgain?: boolean;
  /** Of a page that answers a form with the form: what the script puts in its place as it is left. */
  readonly behind?: string;
  /** What that GET has to say besides the language, encoded: `code=00…`. */
  readonly query?: string | undefined;
  /** False where the page is only looked at, in a frame that runs no script. */
  readonly script?: boolean;
}

/** Renders a whole document. */
export function renderDocument(options: LayoutOptions): string {
  const { title, brand, locale, themeColor, main, notes, languages = true, script = true } = options;
  const { address = '', query } = options;
  const languageAddress = `${address}?${query === undefined ? '' : `${query}&`}lang=`;
  const again = options.isToldAgain === true && html` data-again="${languageAddress}${locale}"`;
  const behind = options.behind !== undefined && html` data-behind="${options.behind}"`;
  return renderHtml(
    html`<!doctype html>
      <html lang="${locale}" dir="${textDirection(locale)}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <meta name="theme-color" content="${themeColor}" />
          <title>${title} · ${brand.name}</title>
          <link rel="stylesheet" href="${PAGE_ASSETS.style.path}" />
          <link rel="icon" href="${PAGE_ASSETS.icon.path}" />
          ${script && html`<script defer src="${PAGE_ASSETS.script.path}" ${again}${behind}></script>`}
        </head>
        <body>
          ${brandStripe(brand)}
          <header>
            ${brandMark(brand)}
            <div><bdi>${brand.name}</bdi>${standingLine(brand, CATALOGUES[locale])}</div>
          </header>
          <main>${main}</main>
          <footer>
            ${notes}
            <p>
              <a href="${DB_IP_ATTRIBUTION.href}" rel="noreferrer" lang="en" dir="ltr"
                >${DB_IP_ATTRIBUTION.text}</a
              >
            </p>
            ${languages && languageLinks(locale, languageAddress)}
          </footer>
        </body>
      </html> `,
  );
}

/** @param address up to the language. A visitor's second look within the session is no second scan. */
function languageLinks(current: Locale, address: string): Html {
  const items = LOCALES.map((locale) => {
    const chosen = locale === current && html` aria-current="true"`;
    const name = LOCALE_NAMES[locale];
    return html`<li>
      <a href="${address}${locale}" lang="${locale}" hreflang="${locale}" ${chosen}>${name}</a>
    </li>`;
  });
  return html`<nav aria-label="${CATALOGUES[current].language}">
    <ul>
      ${items}
    </ul>
  </nav>`;
}

/**
 * The headers of a page. The policy allows this page's two files, its form and its request, and pictures from the named origins
 * alone; nothing inline, no frame, no base, no plugin.
 * @param images addresses of pictures that the page shows: the brand's logo, the product's picture.
 */
export function pageHeaders(
  locale: Locale,
  ...images: readonly (string | null | undefined)[]
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ['img-src', "'self'", ...imageOrigins(...images)].join(' '),
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Type': PAGE_TYPE,
    'Content-Language': locale,
    'Content-Security-Policy': policy.join('; '),
    'Permissions-Policy': 'geolocation=(self)',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    // Personal (the scan, the nonce) and changing with every scan.
    'Cache-Control': 'no-store',
    Vary: 'Accept, Accept-Language',
  };
}
