/**
 * Pictures of the page, drawn for it: inline SVG in the colour of the text, so that a strict policy has no say in them. Each has
 * a size of its own, which the style sheet overrules: without it they would be as wide as the screen, above the verdict.
 */
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { VerificationResult } from '../../../shared/scans/verdict.ts';

const draw = (paths: Html): Html =>
  html`<svg
    viewBox="0 0 48 48"
    width="48"
    height="48"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    stroke-width="4"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    ${paths}
  </svg>`;

/** No two are alike in outline: the verdict must be told without colour. */
export const VERDICT_ICONS: Readonly<Record<VerificationResult, Html>> = {
  genuine: draw(
    html`<path d="M24 4 41 10v13c0 10-7 17-17 21C14 40 7 33 7 23V10z" /><path d="m16 24 6 6 11-12" />`,
  ),
  suspicious: draw(
    html`<rect x="5" y="5" width="26" height="26" rx="4" /><path
        d="M38 17h1a4 4 0 0 1 4 4v18a4 4 0 0 1-4 4H21a4 4 0 0 1-4-4v-1"
      /><path d="M18 11v7m0 6.5v.1" />`,
  ),
  diverted: draw(
    html`<circle cx="24" cy="24" r="19" /><path d="M5 24h38M24 5c-11 11-11 27 0 38M24 5c11 11 11 27 0 38" />`,
  ),
  suspended: draw(html`<circle cx="24" cy="24" r="19" /><path d="M18 17v14m12-14v14" />`),
  recalled: draw(html`<path d="M16 5h16l11 11v16L32 43H16L5 32V16z" /><path d="M24 14v12m0 7.5v.1" />`),
  expired: draw(html`<path d="M11 4h26M11 44h26M14 4v6c0 8 20 20 20 28v6M34 4v6c0 8-20 20-20 28v6" />`),
  inactive: draw(
    html`<rect x="8" y="21" width="32" height="23" rx="4" /><path d="M15 21v-7a9 9 0 0 1 18 0v7m-9 9v5" />`,
  ),
  unknown: draw(
    html`<circle cx="24" cy="24" r="19" /><path d="M18 18a6 6 0 1 1 9 5c-2 1.2-3 2-3 4.5m0 6v.1" />`,
  ),
};

/** A box, as goods come in: like no verdict's. */
export const PRODUCT_ICON = draw(
  html`<path d="M24 4 42 13v22L24 44 6 35V13z" /><path d="m6 13 18 9 18-9M24 22v22" />`,
);

export const PADLOCK_ICON = draw(
  html`<rect x="9" y="21" width="30" height="22" rx="4" /><path d="M16 21v-6a8 8 0 0 1 16 0v6" />`,
);

export const CHECK_ICON = draw(html`<path d="m8 25 11 11 21-24" />`);

export const CROSS_ICON = draw(html`<path d="m10 10 28 28M38 10 10 38" />`);

/** The browser tab's picture: a touchstone with its golden streak. */
export const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#22252b"/><path d="M8 22 24 10" stroke="#e0b64a" stroke-width="4" stroke-linecap="round"/></svg>';
