import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { PAGE_ASSETS } from '../../../../api/verify/page/assets.ts';
import { pageHeaders } from '../../../../api/verify/page/layout.ts';
import { CATALOGUES, LOCALES } from '../../../../api/verify/page/locales.ts';
import { renderVerificationPage } from '../../../../api/verify/page/render.ts';
import { renderReportThanks } from '../../../../api/verify/page/thanks.ts';
import {
  BRAND,
  pageContext,
  SERVICE,
  TOKEN,
  VERDICTS,
  verification,
} from '../../../support/verification-pages.ts';

const LIMIT_BYTES = 30_000;
const EVIL = `"><img src=x onerror=alert(1)>'\``;

describe('the verification page', () => {
  for (const verdict of VERDICTS) {
    it(`tells ${verdict} by word, picture and colour, and what to do`, () => {
      const page = renderVerificationPage(verification(verdict), pageContext(verdict));
      const { title, steps } = CATALOGUES.en.verdicts[verdict];
      expect(page)
        .to.include(`<h1>${title}</h1>`)
        .and.to.match(new RegExp(`class="verdict ${verdict}">\\s*<svg`));
      expect(page.match(/<ol>(.*?)<\/ol>/s)![1]!.match(/<li>/g)).to.have.length(steps.length);
      expect(PAGE_ASSETS.style.body).to.match(new RegExp(`\\.${verdict}[,{]`));
      const themeColor = /name="theme-color" content="(#\w+)"/.exec(page)![1]!;
      expect(PAGE_ASSETS.style.body).to.match(new RegExp(`\\.${verdict}[^}]*--verdict:${themeColor}`));
    });
  }

  it('fits into 30 kB with all its files, uncompressed, in every language', () => {
    const files = Object.values(PAGE_ASSETS).reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    for (const locale of LOCALES) {
      for (const verdict of VERDICTS) {
        const page = renderVerificationPage(
          verification(verdict, 'https://x.example/a.png'),
          pageContext(verdict, { locale }),
        );
        expect(files + Buffer.byteLength(page), `${verdict} in ${locale}`).to.be.at.most(LIMIT_BYTES);
      }
    }
    const page = renderVerificationPage(verification('suspicious'), pageContext('suspicious'));
    const compressed = [page, ...Object.values(PAGE_ASSETS).map(({ body }) => body)].map(
      (body) => gzipSync(body).length,
    );
    expect(compressed.reduce((sum, bytes) => sum + bytes)).to.be.at.most(LIMIT_BYTES / 3);
  });

  it('needs nothing inline, and names its files by their content', () => {
    for (const verdict of VERDICTS) {
      const page = renderVerificationPage(verification(verdict), pageContext(verdict));
      expect(page).not.to.match(/<style|<script(?![^>]* src=)| style=| on\w+=|javascript:/i);
    }
    for (const { path } of Object.values(PAGE_ASSETS))
      expect(path).to.match(/^\/assets\/verify\.[0-9a-f]{12}\.(css|js|svg)$/);
  });

  it('escapes everything that an organization, a product or an address may say', () => {
    const result = verification('suspicious', `javascript:${EVIL}`);
    const product = { ...result.product, name: EVIL, brand: EVIL, gtin: EVIL };
    const unit = { serial: EVIL, lot: EVIL, expiresOn: EVIL };
    const scan = { ...result.scan, at: EVIL, firstScannedAt: EVIL, country: EVIL };
    const brand = {
      name: EVIL,
      logoUrl: 'data:text/html,x',
      color: `#fff"${EVIL}`,
      support: 'javascript:alert(1)',
      message: EVIL,
    };
    const context = pageContext('suspicious', { brand, path: EVIL, positionNonce: EVIL });
    const page = renderVerificationPage({ ...result, product, unit, scan }, context);
    expect(page).not.to.match(/<img|javascript:|data:text/);
    expect(page.match(/<script/g)).to.have.length(1);
  });

  it('says only what it knows', () => {
    const result = verification('genuine');
    const bare = {
      ...result,
      product: { ...result.product, brand: null, gtin: null },
      unit: { serial: '1', lot: null, expiresOn: null },
      scan: { ...result.scan, count: 1, country: null },
    };
    const page = renderVerificationPage(bare, pageContext('genuine', { positionNonce: null }));
    for (const label of ['Brand', 'Lot', 'Expires', 'GTIN', 'First check', 'Country'])
      expect(page).not.to.include(`<dt>${label}`);
    expect(page).not.to.include('class="position"');
    expect(page).to.include('Checked 1 time<');
  });

  it('gives reasons for a possible copy and for nothing else', () => {
    const page = renderVerificationPage(verification('suspicious'), pageContext('suspicious'));
    expect(page)
      .to.include(CATALOGUES.en.reasons.clone)
      .and.to.include(CATALOGUES.en.reasons.impossible_travel);
    expect(page).not.to.include(CATALOGUES.en.reasons.excessive_scanning);
    const recalled = { ...verification('suspicious'), result: 'recalled' as const };
    expect(renderVerificationPage(recalled, pageContext('recalled'))).not.to.include(
      CATALOGUES.en.reasons.clone,
    );
  });

  it('reports an unknown code without its token, and never repeats it', () => {
    const page = renderVerificationPage(verification('unknown'), pageContext('unknown'));
    expect(page).to.include('action="/counterfeit-reports"').and.not.to.include(TOKEN);
  });

  it('names the configured address, whatever its path', () => {
    const page = renderVerificationPage(
      verification('genuine'),
      pageContext('genuine', { publicUrl: 'https://a.example:8443/x' }),
    );
    expect(page.replaceAll(/<wbr ?\/?>/g, '')).to.include('>https://a.example:8443/<');
  });

  it('carries the attribution of the location data', () => {
    const page = renderVerificationPage(verification('genuine'), pageContext('genuine'));
    expect(page).to.match(/<a\s+href="https:\/\/db-ip\.com\/"[^>]*>IP Geolocation by DB-IP<\/a/);
  });

  it('links to a mail address or a web address for support, and to nothing else', () => {
    const page = (support: string | null) =>
      renderVerificationPage(
        verification('genuine'),
        pageContext('genuine', { brand: { ...BRAND, support } }),
      );
    expect(page('care@olivaia.example')).to.include('href="mailto:care@olivaia.example"');
    expect(page('https://olivaia.example/help')).to.include('href="https://olivaia.example/help"');
    for (const support of [null, 'tel', 'javascript:alert(1)'])
      expect(page(support)).not.to.include('class="contact"');
  });

  it('draws the first letter of a brand without a logo in ink that can be read', () => {
    const page = (color: string | null) =>
      renderVerificationPage(verification('genuine'), pageContext('genuine', { brand: { ...BRAND, color } }));
    expect(page('#ffee00')).to.match(/fill="#ffee00"[\s\S]*fill="#000"/);
    expect(page('#10106a')).to.match(/fill="#10106a"[\s\S]*fill="#fff"/);
    expect(page('red')).to.match(/fill="#45505f"[\s\S]*fill="#fff"/);
  });

  it('allows pictures from the named origins alone', () => {
    const headers = pageHeaders(
      'de',
      'https://cdn.example/logo.svg',
      null,
      'javascript:alert(1)',
      'https://cdn.example/b.png',
    );
    expect(headers['Content-Security-Policy']).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https://cdn.example; " +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers).to.include({
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Language': 'de',
    });
  });

  it('thanks for a report in the visitor’s language', () => {
    expect(renderReportThanks(SERVICE, 'ar'))
      .to.include('<html lang="ar" dir="rtl">')
      .and.to.include('<h1>شكرًا لك</h1>')
      // Whoever reports a fake is not shown what a genuine one looks like.
      .and.not.to.match(/genuine|#0a6b3b/);
  });
});
