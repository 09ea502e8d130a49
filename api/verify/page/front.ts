/** The page of the service's own address: what it is for, and a field for a code that no camera can read. */
import { html } from '../../html.ts';
import { alertSection, wrongOnly } from './alert.ts';
import type { Brand } from './brand.ts';
import { PLAIN_COLOR, renderDocument } from './layout.ts';
import { CATALOGUES, type Locale } from './locales.ts';
import { addressSection, plainHead } from './sections.ts';

export interface FrontPage {
  /** The service's own, or that of whose address it is. */
  readonly brand: Brand;
  /** Whether the dashboard stands at the same address. */
  readonly hasDashboard: boolean;
  readonly locale: Locale;
  readonly publicUrl: string;
  /** What was typed and is no code. */
  readonly refused: string | null;
}

/** As long as a GS1 Digital Link may reasonably be; what is behind it is cut off. */
export const MAX_TYPED = 500;

/** Send it with `pageHeaders`. */
export function renderFrontPage({ brand, hasDashboard, locale, publicUrl, refused }: FrontPage): string {
  const messages = CATALOGUES[locale];
  const { title, text, typed, check, incomplete, brands } = messages.front;
  const main = html`${plainHead(title, text)}
    <section>
      ${refused !== null && alertSection(incomplete, [], {}, locale)}
      <form action="/">
        <label
          >${typed}<input
            name="code"
            value="${refused ?? ''}"
            required
            maxlength="${String(MAX_TYPED)}"
            dir="ltr"
            autocomplete="off"
            autocorrect="off"
            autocapitalize="characters"
            spellcheck="false"
            enterkeyhint="go"
            ${refused !== null && wrongOnly}
        /></label>
        <button>${check}</button>
        <input type="hidden" name="lang" value="${locale}" />
      </form>
    </section>
    ${addressSection(publicUrl, messages)}`;
  const query = refused === null ? undefined : `code=${encodeURIComponent(refused)}`;
  const notes = hasDashboard ? { notes: html`<p><a href="/app">${brands}</a></p>` } : {};
  return renderDocument({ title, brand, locale, themeColor: PLAIN_COLOR, main, ...notes, query });
}
