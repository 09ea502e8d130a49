/** The code below a layer of the package: the page asks for it, and tells what one that was entered says. */
import { fillHtml, html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { HiddenCodeAnswer } from '../../../shared/hidden-codes/service.ts';
import type { Verification } from '../../../shared/scans/verification.ts';
import { CHECK_ICON, CROSS_ICON, VERDICT_ICONS } from './icons.ts';
import { CATALOGUES, type Locale } from './locales.ts';
import { moment, NOT_ASKED } from './sections.ts';

export interface ToldOfHiddenCode extends Pick<HiddenCodeAnswer, 'outcome' | 'firstEnteredAt'> {
  /** As it was entered, to be compared where it is wrong. */
  readonly typed?: string;
}

interface Context {
  readonly locale: Locale;
  readonly path: string;
  readonly hiddenCode?: ToldOfHiddenCode | undefined;
}

const ICONS: Readonly<Record<HiddenCodeAnswer['outcome'], Html>> = {
  first: CHECK_ICON,
  repeated: VERDICT_ICONS.suspicious,
  wrong: CROSS_ICON,
};

/** Whether what was entered speaks against the package, whatever its visible code is. */
export const speaksAgainst = ({ hiddenCode }: Pick<Context, 'hiddenCode'>): boolean =>
  hiddenCode !== undefined && hiddenCode.outcome !== 'first';

/** Of what is said of the code that was entered. */
const TOLD = 'told';

/** It takes the focus, as an alert does, and is read out by its name: it is what the visitor pressed the button for. */
export function hiddenCodeAnswer({ hiddenCode, locale, path }: Context): Html | null {
  if (hiddenCode === undefined) return null;
  const { outcome, firstEnteredAt, typed = '' } = hiddenCode;
  const { title, text } = CATALOGUES[locale].hiddenCode[outcome];
  const date = html`${firstEnteredAt && moment(firstEnteredAt.toISOString(), locale)}`;
  return html`<section class="told ${outcome}" aria-labelledby="${TOLD}" tabindex="-1" autofocus>
    <h2 id="${TOLD}">${ICONS[outcome]}${title}</h2>
    <p>${fillHtml(text, { date })}</p>
    ${outcome === 'wrong' && form(path, locale, html` value="${typed}" aria-invalid="true" aria-describedby="${TOLD}"`)}
  </section>`;
}

/** Nothing where the package has none, or the visitor has entered one. */
export function hiddenCodeSection(
  { hasHiddenCode, result }: Verification,
  { hiddenCode, locale, path }: Context,
): Html | null {
  if (!hasHiddenCode || hiddenCode !== undefined || path === '' || NOT_ASKED.includes(result)) return null;
  const { heading, text } = CATALOGUES[locale].hiddenCode;
  return html`<section>
    <h2>${heading}</h2>
    <p>${text}</p>
    ${form(path, locale)}
  </section>`;
}

/** @param attributes of the field */
function form(path: string, locale: Locale, attributes: Html | null = null): Html {
  const { label, check } = CATALOGUES[locale].hiddenCode;
  return html`<form method="post" action="${path}/hidden-code">
    <input type="hidden" name="lang" value="${locale}" />
    <label
      >${label}<input
        name="hiddenCode"
        required
        maxlength="40"
        dir="ltr"
        autocomplete="off"
        autocapitalize="characters"
        autocorrect="off"
        spellcheck="false"
        ${attributes}
    /></label>
    <button>${check}</button>
  </form>`;
}
