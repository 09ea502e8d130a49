/** The page's word on the package's NFC tag: what a tap of it says, or that there is one to tap. */
import { fillHtml, html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { NfcTapOutcome } from '../../../shared/nfc/outcome.ts';
import type { Verification } from '../../../shared/scans/verification.ts';
import { formatNumber } from './format.ts';
import { CHECK_ICON, CROSS_ICON, VERDICT_ICONS } from './icons.ts';
import { CATALOGUES, type Locale } from './locales.ts';
import { moment, NOT_ASKED } from './sections.ts';

const ICONS: Readonly<Record<NfcTapOutcome, Html>> = {
  fresh: CHECK_ICON,
  replayed: VERDICT_ICONS.suspicious,
  invalid: CROSS_ICON,
};

/** Whether the tap speaks against the package, whatever its visible code is. */
export const tapSpeaksAgainst = ({ nfcTap }: Pick<Verification, 'nfcTap'>): boolean =>
  nfcTap !== null && nfcTap.outcome !== 'fresh';

/** First of all where somebody tapped: it is what they came for. */
export function nfcTapAnswer({ nfcTap }: Verification, locale: Locale): Html | null {
  if (nfcTap === null) return null;
  const { outcome, counter, staleSince } = nfcTap;
  const { [outcome]: told, counter: ofReading } = CATALOGUES[locale].nfc;
  const count = outcome === 'fresh' && counter !== null && html`${formatNumber(counter, locale)}`;
  const date = html`${staleSince && moment(staleSince, locale)}`;
  return html`<section class="told ${outcome}">
    <h2>${ICONS[outcome]}${told.title}</h2>
    <p>${fillHtml(told.text, { date })}</p>
    ${count && html`<p>${fillHtml(ofReading, { count })}</p>`}
  </section>`;
}

/** Nothing where the package has none, or was tapped. */
export function nfcTapSection({ hasNfcTag, nfcTap, result }: Verification, locale: Locale): Html | null {
  if (!hasNfcTag || nfcTap !== null || NOT_ASKED.includes(result)) return null;
  const { heading, text } = CATALOGUES[locale].nfc;
  return html`<section>
    <h2>${heading}</h2>
    <p>${text}</p>
  </section>`;
}
