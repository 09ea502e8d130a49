/**
 * The page of a code that names a product or a lot: what that is, and that no verdict is given. An imitation can carry
 * such a code as well as the original, so nothing here may look like one: no fill of colour, no tick, no thanks of the brand.
 */
import { html, fillHtml } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { ProductLink } from '../../../shared/products/links.ts';
import type { ProductInformation } from '../../../shared/scans/product-information.ts';
import { issuerSection, type Brand } from './brand.ts';
import { PRODUCT_ICON, VERDICT_ICONS } from './icons.ts';
import { PLAIN_COLOR, renderDocument } from './layout.ts';
import { CATALOGUES, type Reader } from './locales.ts';
import type { Messages } from './messages.ts';
import { linkList } from './own-links.ts';
import { recallSection } from './recall.ts';
import { THEME_COLORS } from './render.ts';
import { addressSection, stepsSection, fact, productHead } from './sections.ts';

export interface ProductPageContext extends Reader {
  readonly brand: Brand;
  /** The organization's own, about the product. */
  readonly links?: readonly ProductLink[];
  /** The configured public address, never the request's Host header. */
  readonly publicUrl: string;
}

/** Renders the page. Send it with `pageHeaders`. */
export function renderProductPage(item: ProductInformation, context: ProductPageContext): string {
  const { brand, locale, publicUrl, links = [] } = context;
  const messages = CATALOGUES[locale];
  const brandName = html`<bdi>${brand.name}</bdi>`;
  const say = (sentence: string): Html => fillHtml(sentence, { brand: brandName });
  const { recalled } = messages.verdicts;
  const head = item.recall === null ? messages.productCode : recalled;
  const main = html` <section class="verdict ${item.recall === null ? 'plain' : 'recalled'}">
      ${item.recall === null ? PRODUCT_ICON : VERDICT_ICONS.recalled}
      <h1>${head.title}</h1>
      <p class="name"><bdi>${item.product.name}</bdi></p>
      <p>${say(head.lead)}</p>
    </section>
    <div class="column">
      ${recallSection(item, context)} ${stepsSection(head.steps, brand, messages, say)}
      ${item.recall !== null && noVerdict(messages)}
    </div>
    <div class="column">
      ${productSection(item, messages, linkList(links, context))} ${issuerSection(brand, messages)}
      ${addressSection(publicUrl, messages)}
    </div>`;
  return renderDocument({
    title: head.title,
    brand,
    locale,
    themeColor: item.recall === null ? PLAIN_COLOR : THEME_COLORS.recalled,
    main,
    script: false,
  });
}

/** Below a recall, which comes first: that the code says nothing of the single piece. */
function noVerdict({ productCode }: Messages): Html {
  return html`<section>
    <h2>${productCode.title}</h2>
    <p>${productCode.lead}</p>
  </section>`;
}

function productSection({ product, lot }: ProductInformation, messages: Messages, links: Html | null): Html {
  const label = messages.product;
  return html`<section>
    <h2>${label.heading}</h2>
    ${productHead(product.name, product.imageUrl)}
    <dl>
      ${[
        fact(label.brand, product.brand && html`<bdi>${product.brand}</bdi>`),
        fact(label.lot, lot && html`<bdi dir="ltr">${lot}</bdi>`),
        fact(label.gtin, html`<bdi dir="ltr">${product.gtin}</bdi>`),
      ]}
    </dl>
    ${links}
  </section>`;
}
