import { expect } from 'chai';
import { PAGE_ASSETS } from '../../../../api/verify/page/assets.ts';
import { CATALOGUES, LOCALES } from '../../../../api/verify/page/locales.ts';
import { renderProductPage } from '../../../../api/verify/page/product.ts';
import {
  BRAND,
  pageContext,
  PRODUCT_CODES,
  productInformation,
} from '../../../support/verification-pages.ts';

const LIMIT_BYTES = 30_000;
const EVIL = `"><img src=x onerror=alert(1)>'\``;

describe('the page of a code that names a product', () => {
  it('gives no verdict: neither its words, nor its pictures, nor its colours, nor the brand’s thanks', () => {
    for (const locale of LOCALES) {
      const page = renderProductPage(productInformation('product'), pageContext('genuine', { locale }));
      const { productCode, verdicts, evidence } = CATALOGUES[locale];
      expect(page).to.include(`<h1>${productCode.title}</h1>`).and.to.include(productCode.lead);
      for (const { title } of Object.values(verdicts)) expect(page, locale).not.to.include(title);
      expect(page).not.to.include(evidence).and.not.to.include(BRAND.message!.slice(0, 40));
      expect(page).not.to.match(/class="verdict (?!plain")/);
      expect(page.match(/<ol>(.*?)<\/ol>/s)![1]!.match(/<li>/g)).to.have.length(productCode.steps.length);
      expect(page).not.to.match(/<script|<form|data-nonce/);
    }
  });

  it('tells a recall first, and that it is no verdict on the piece below it', () => {
    for (const locale of LOCALES) {
      const context = pageContext('recalled', { locale });
      const page = renderProductPage(productInformation('recalled-lot'), context);
      const { productCode, verdicts } = CATALOGUES[locale];
      expect(page).to.include(`<h1>${verdicts.recalled.title}</h1>`).and.to.include('verdict recalled');
      expect(page).to.include('recall@olivaia.example').and.to.include('L2610-A');
      expect(page.indexOf(productCode.lead)).to.be.greaterThan(page.indexOf('class="recall"'));
    }
  });

  it('fits into 30 kB with all its files, uncompressed, in every language', () => {
    const files = Object.values(PAGE_ASSETS).reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    for (const locale of LOCALES)
      for (const code of PRODUCT_CODES) {
        const information = productInformation(code, 'https://x.example/a.png');
        const page = renderProductPage(information, pageContext('genuine', { locale }));
        expect(files + Buffer.byteLength(page), `${code} in ${locale}`).to.be.at.most(LIMIT_BYTES);
        expect(page).not.to.match(/<style| style=| on\w+=|javascript:/i);
      }
  });

  it('escapes everything that an organization, a product or an address may say', () => {
    const information = {
      message: EVIL,
      organization: { name: EVIL, domain: EVIL },
      product: { name: EVIL, brand: EVIL, imageUrl: `javascript:${EVIL}`, gtin: EVIL },
      lot: EVIL,
      recall: { messages: { en: EVIL }, contact: `javascript:${EVIL}` },
    };
    const brand = {
      name: EVIL,
      logoUrl: 'data:x',
      color: EVIL,
      support: 'javascript:x',
      message: EVIL,
      messages: { en: EVIL },
      domain: EVIL,
      isUnconfirmed: false,
    };
    const page = renderProductPage(information, pageContext('genuine', { brand }));
    expect(page).not.to.match(/<img|href="javascript:|data:x/);
  });
});
