/** An organization's own links about a product, one of each type, in the visitor's language where there is one. */
import type { ProductLink } from '../../../shared/products/links.ts';
import { html, webLink, type Html } from '../../html.ts';
import { textDirection, type Reader } from './locales.ts';
import { bestFor } from './own-words.ts';

/** Of the GS1 Web Vocabulary: what programs read, and says nothing to a consumer. */
const FOR_PROGRAMS = ['gs1:epcis', 'gs1:logisticsInfo', 'gs1:masterData'];

export const linkFor = (
  links: readonly ProductLink[],
  linkType: string,
  reader: Reader,
): ProductLink | null =>
  bestFor(
    links.filter((link) => link.linkType === linkType),
    reader,
  );

export function linkList(links: readonly ProductLink[], reader: Reader): Html | null {
  const types = [...new Set(links.map(({ linkType }) => linkType))];
  const lines = types
    .filter((linkType) => !FOR_PROGRAMS.includes(linkType))
    .map((linkType) => lineOf(linkFor(links, linkType, reader)!));
  return lines.length === 0
    ? null
    : html`<ul class="links">
        ${lines}
      </ul>`;
}

function lineOf({ url, title, language }: ProductLink): Html {
  const attributes =
    language === null
      ? html`dir="auto"`
      : html`lang="${language}" hreflang="${language}" dir="${textDirection(language)}"`;
  return html`<li><a href="${webLink(url)}" rel="noreferrer" ${attributes}>${title}</a></li>`;
}
