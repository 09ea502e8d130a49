/** Parts that the pages of units and of products have in common. */
import { html, webLink } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { VerificationResult } from '../../../shared/scans/verdict.ts';
import { supportLink } from './brand.ts';
import type { Brand } from './brand.ts';
import { digitsOf, formatMoment } from './format.ts';
import { PADLOCK_ICON } from './icons.ts';
import type { Locale } from './locales.ts';
import type { Messages } from './messages.ts';

/** Verdicts that say all there is to do, whichever package it is: no hidden code is asked for, nor a tap. */
export const NOT_ASKED: readonly VerificationResult[] = ['recalled', 'suspended', 'inactive', 'unknown'];

/** A line of a list of facts; nothing where there is nothing to say. */
export function fact(label: string | Html, value: Html | string | false | null | undefined): Html | null {
  return value
    ? html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`
    : null;
}

/** Of which the page's script makes one in the visitor's own time. */
export function moment(iso: string, locale: Locale): Html {
  return html`<time datetime="${iso}" data-moment="${digitsOf(locale)}">${formatMoment(iso, locale)}</time>`;
}

/** The product's picture and name. */
export function productHead(name: string, imageUrl: string | null): Html {
  const image = webLink(imageUrl);
  return html`<div class="product">
    ${image && html`<img src="${image}" alt="" width="80" height="80" loading="lazy" referrerpolicy="no-referrer" />`}<b
      ><bdi>${name}</bdi></b
    >
  </div>`;
}

/** What the visitor does next, and whom to ask. */
export function stepsSection(
  steps: readonly string[],
  brand: Brand,
  messages: Messages,
  say: (s: string) => Html,
): Html {
  return html`<section>
    <h2>${messages.next}</h2>
    <ol>
      ${steps.map((step) => html`<li>${say(step)}</li>`)}
    </ol>
    ${contactLine(brand, messages, say)}
  </section>`;
}

function contactLine(brand: Brand, messages: Messages, say: (s: string) => Html): Html | null {
  const link = supportLink(brand);
  return link === null
    ? null
    : html`<p class="contact"><a href="${link}" rel="noreferrer">${say(messages.contact)}</a></p>`;
}

export function addressSection(publicUrl: string, messages: Messages): Html {
  const { heading, text, note } = messages.address;
  // Breaks, where it must, before a dot: half a name at the end of a line is what imitators bank on.
  const [scheme = '', host = ''] = new URL(publicUrl).origin.split('//');
  const labels = host.split('.').map((label, i) => (i === 0 ? html`${label}` : html`<wbr />.${label}`));
  return html`<section>
    <h2>${heading}</h2>
    <p>${text}</p>
    <p class="address" dir="ltr">
      ${PADLOCK_ICON}<span translate="no">${scheme}//<wbr />${labels}/</span>
    </p>
    <p class="soft">${note}</p>
  </section>`;
}

/** What a page says first that gives no verdict. */
export const plainHead = (title: string, text: string): Html =>
  html`<section class="verdict plain">
    <h1>${title}</h1>
    <p>${text}</p>
  </section>`;
