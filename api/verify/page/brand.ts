/** How an organization appears on the page; for an unknown code, how the service itself does. */
import { fillHtml, html, mailLink, webLink } from '../../html.ts';
import type { Html } from '../../html.ts';
import { CHECK_ICON } from './icons.ts';
import { textDirection, type Reader } from './locales.ts';
import type { Messages } from './messages.ts';
import { bestFor, writtenTexts, type TextsByLanguage } from './own-words.ts';

export interface Brand {
  readonly name: string;
  readonly logoUrl: string | null;
  /** `#rrggbb`; anything else is passed over. */
  readonly color: string | null;
  /** A mail address or a web address. */
  readonly support: string | null;
  /** Plain text for consumers; an empty line begins a paragraph. */
  readonly message: string | null;
  /** The same for those who read these languages. */
  readonly messages: TextsByLanguage;
  /** As `shownDomain` gives it; null where it has shown to hold none. */
  readonly domain: string | null;
  /** Whether visitors are told that its name is its own word: not of the service, nor where the operator makes all organizations. */
  readonly isUnconfirmed: boolean;
}

const NEUTRAL_COLOR = '#45505f';
const characters = new Intl.Segmenter();

/** Presentation attributes of SVG carry the colour, as the policy allows no inline style. */
export function brandStripe(brand: Brand): Html {
  return html`<svg class="stripe" width="100%" height="6" aria-hidden="true">
    <rect width="100%" height="100%" fill="${colorOf(brand)}" />
  </svg>`;
}

/** The logo, or the name's first letter in the brand's colour; the name itself always stands beside it. */
export function brandMark(brand: Brand): Html {
  const logo = webLink(brand.logoUrl);
  if (logo) return html`<img src="${logo}" alt="" height="40" referrerpolicy="no-referrer" />`;
  const color = colorOf(brand);
  const [first] = characters.segment(brand.name.trim());
  const initial = first?.segment.toUpperCase() ?? '';
  return html`<svg viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
    <circle cx="20" cy="20" r="20" fill="${color}" />
    <text x="20" y="27" text-anchor="middle" font-size="20" font-weight="600" fill="${inkOn(color)}">
      ${initial}
    </text>
  </svg>`;
}

/** Below the name: the domain that the organization has shown to hold, or that nobody has checked the name. */
export function standingLine({ domain, isUnconfirmed }: Brand, { issuer }: Messages): Html | null {
  if (domain !== null)
    return html`<small
      >${CHECK_ICON} <span>${fillHtml(issuer.confirmed, { domain: domainName(domain) })}</span></small
    >`;
  return isUnconfirmed ? html`<small>${issuer.unconfirmed}</small>` : null;
}

/** The same at more length. */
export function issuerSection(brand: Brand, { issuer }: Messages): Html | null {
  const { domain, isUnconfirmed } = brand;
  if (domain === null && !isUnconfirmed) return null;
  const names = {
    brand: html`<bdi>${brand.name}</bdi>`,
    domain: domainName(domain ?? ''),
  };
  return html`<section>
    <h2>${issuer.heading}</h2>
    <p>${fillHtml(domain === null ? issuer.unchecked : issuer.holds, names)}</p>
  </section>`;
}

const domainName = (domain: string): Html => html`<b dir="ltr" translate="no">${domain}</b>`;

/** @returns the address of the brand's support as a link, or null when there is none that is safe. */
export function supportLink(brand: Brand): string | null {
  return mailLink(brand.support) ?? webLink(brand.support);
}

/**
 * What the organization tells everybody, in the best language for the visitor.
 * @returns its paragraphs, as an empty line tells them apart
 */
export function messageParagraphs({ message, messages }: Brand, reader: Reader): Html[] {
  const forAll = message === null ? [] : [{ language: null, text: message }];
  const { language, text } = bestFor([...writtenTexts(messages), ...forAll], reader) ?? NOTHING;
  const attributes =
    language === null ? html`dir="auto"` : html`lang="${language}" dir="${textDirection(language)}"`;
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p ${attributes}>${paragraph}</p>`);
}

const NOTHING = { language: null, text: '' };

/** Origins that the page's images may come from, for the `img-src` of its policy. */
export function imageOrigins(...addresses: readonly (string | null | undefined)[]): string[] {
  const links = addresses.map(webLink).filter((link) => link !== null);
  return [...new Set(links.map((link) => new URL(link).origin))];
}

function colorOf(brand: Brand): string {
  return brand.color && /^#[0-9a-f]{6}$/i.test(brand.color) ? brand.color : NEUTRAL_COLOR;
}

/** Black or white, whichever contrasts more (relative luminance as in WCAG 2.2; the two are level at 0.179). */
function inkOn(color: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! > 0.179 ? '#000' : '#fff';
}
