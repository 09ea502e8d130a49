import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { PAGE_ASSETS } from '../../../../api/verify/page/assets.ts';
import { pageHeaders } from '../../../../api/verify/page/layout.ts';
import { CATALOGUES, LOCALES, readerOf, type Locale } from '../../../../api/verify/page/locales.ts';
import { renderVerificationPage } from '../../../../api/verify/page/render.ts';
import { renderReportThanks } from '../../../../api/verify/page/thanks.ts';
import type { CloneSignal, RiskLevel } from '../../../../shared/risk/types.ts';
import type { PublicSignal } from '../../../../shared/scans/public-signals.ts';
import type { VerificationResult } from '../../../../shared/scans/verdict.ts';
import type { Verification } from '../../../../shared/scans/verification.ts';
import {
  BRAND,
  hiddenCodeContext,
  pageContext,
  SERVICE,
  TOKEN,
  VERDICTS,
  verification,
} from '../../../support/verification-pages.ts';

const LIMIT_BYTES = 30_000;
const CLONE_REASONS = ['places', 'not-shipped', 'consumed', 'hidden-code', 'nfc-tap', 'confirmed'] as const;
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
      const signals = [
        ...CLONE_REASONS.map(clone),
        { type: 'impossible_travel' },
        { type: 'excessive_scanning' },
      ];
      const copied = atRisk('expired', 'high', signals as Partial<PublicSignal>[]);
      const wrong = { ...pageContext('expired', { locale }), ...hiddenCodeContext('wrong') };
      const page = renderVerificationPage({ ...copied, hasHiddenCode: true }, wrong);
      expect(files + Buffer.byteLength(page), `all reasons in ${locale}`).to.be.at.most(LIMIT_BYTES);
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
      messages: { [EVIL]: EVIL },
      domain: EVIL,
      isUnconfirmed: false,
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

  const clone = (reason: CloneSignal['reason']): Partial<PublicSignal> => ({ type: 'clone', reason });
  const atRisk = (
    result: VerificationResult,
    level: RiskLevel,
    signals: readonly Partial<PublicSignal>[] = [],
  ): Verification => ({
    ...verification(result),
    risk: { level, signals: signals.map((signal) => ({ weight: 40, ...signal })) as PublicSignal[] },
  });
  const pageOf = (shown: Verification, locale: Locale = 'en') =>
    renderVerificationPage(shown, pageContext(shown.result, { locale }));
  const listOf = (page: string, heading: string) =>
    new RegExp(`<h2>${heading}</h2>\\s*<[ou]l>(.*?)</[ou]l>`, 's')
      .exec(page)?.[1]!
      .match(/(?<=<li>)[^]*?(?=<\/li>)/g) ?? [];

  for (const locale of LOCALES) {
    const { reasons, why } = CATALOGUES[locale];
    it(`tells in ${locale} each sign of a copy by a sentence of its own`, () => {
      const { lead, leadConfirmed } = CATALOGUES[locale].verdicts.suspicious;
      for (const reason of CLONE_REASONS) {
        const page = pageOf(atRisk('suspicious', 'high', [clone(reason)]), locale);
        const isDecided = reason === 'confirmed';
        expect(listOf(page, why), reason).to.deep.equal(isDecided ? [] : [reasons.clone[reason]]);
        // What a person found says nothing of how the code was scanned.
        expect(page.includes(`<p>${lead}</p>`), reason).to.equal(!isDecided);
        expect(page.includes(`<p>${leadConfirmed}</p>`), reason).to.equal(isDecided);
      }
      const all = [...Object.values(reasons.clone), reasons.impossible_travel, reasons.excessive_scanning];
      expect(new Set(all)).to.have.property('size', CLONE_REASONS.length + 2);
    });

    it(`says in ${locale} nothing that a medium risk contradicts`, () => {
      const { lead, leadMedium } = CATALOGUES[locale].verdicts.genuine;
      const said = (level: RiskLevel, sentence: string) =>
        pageOf(atRisk('genuine', level, [clone('not-shipped')]), locale).includes(
          `<p>${sentence.replace('{brand}', '<bdi>Olivaia</bdi>')}</p>`,
        );
      for (const level of ['none', 'low'] as const) expect(said(level, lead), level).to.equal(true);
      expect(said('medium', lead)).to.equal(false);
      expect(said('medium', leadMedium)).to.equal(true);
    });

    it(`tells in ${locale} of an expired product with a copied code both, and takes a report`, () => {
      const { suspicious, expired } = CATALOGUES[locale].verdicts;
      const page = pageOf(atRisk('expired', 'high', [clone('places')]), locale);
      expect(page)
        .to.include(`<h1>${expired.title}</h1>`)
        .and.to.include(`<h2>${suspicious.title}</h2>`)
        .and.to.include(`<p>${suspicious.lead}</p>`)
        .and.to.include('<details open>');
      expect(listOf(page, why)).to.deep.equal([reasons.clone.places]);
      const diversion = { type: 'diversion', reason: 'unit-doubtful' } as const;
      const decided = pageOf(atRisk('expired', 'high', [clone('confirmed'), diversion]), locale);
      expect(decided).to.include(`<p>${suspicious.leadConfirmed}</p>`).and.not.to.include(`<h2>${why}</h2>`);
      const report = suspicious.steps.at(-1)!.replace('{brand}', '<bdi>Olivaia</bdi>');
      expect(listOf(page, CATALOGUES[locale].next)).to.deep.equal([...expired.steps, report]);
    });
  }

  it('says of no place that one product cannot have been there: a gift can, and all visitors may have been at one', () => {
    const impossible =
      /cannot|nicht gewesen|pas pu|no puede|non può|niet geweest|nie mógł|não pode|bulunamayacağı|あり得ない|不可能|لا يمكن/;
    for (const locale of LOCALES)
      expect(CATALOGUES[locale].reasons.clone.places, locale).not.to.match(impossible);
  });

  it('tells several reasons each once, in the order of the signals, and no diversion among them', () => {
    const { reasons, why } = CATALOGUES.en;
    const types = ['impossible_travel', 'diversion', 'excessive_scanning'] as const;
    const [travel, diversion, excessive] = types.map((type) => ({ type }));
    const signals = [travel!, clone('places'), clone('consumed'), clone('places'), excessive!, diversion!];
    expect(listOf(pageOf(atRisk('suspicious', 'high', signals)), why)).to.deep.equal([
      reasons.impossible_travel,
      reasons.clone.places,
      reasons.clone.consumed,
      reasons.excessive_scanning,
    ]);
  });

  it('calls no code copied because of a signal without weight, and tells of it where something was merely noticed', () => {
    const { reasons, why, noticed } = CATALOGUES.en;
    const travel = { type: 'impossible_travel', weight: 0 } as const;
    const copied = pageOf(atRisk('suspicious', 'high', [travel, clone('places')]));
    expect(listOf(copied, why)).to.deep.equal([reasons.clone.places]);
    const inDoubt = pageOf(atRisk('genuine', 'medium', [travel, clone('places')]));
    expect(listOf(inDoubt, noticed)).to.deep.equal([reasons.impossible_travel, reasons.clone.places]);
  });

  it('gives reasons for a possible copy and for nothing else', () => {
    const others = VERDICTS.filter((verdict) => verdict !== 'suspicious' && verdict !== 'expired');
    for (const shown of [
      ...others.map((verdict) => atRisk(verdict, 'high', [clone('places')])),
      atRisk('expired', 'medium', [clone('places')]),
      atRisk('suspicious', 'high'),
    ])
      expect(pageOf(shown), shown.result).not.to.include(CATALOGUES.en.why);
    expect(pageOf(atRisk('expired', 'medium', [clone('places')])))
      .not.to.include('<details open>')
      .and.not.to.include(CATALOGUES.en.verdicts.suspicious.title);
  });

  it('says what is known of a genuine code in doubt, and nothing beside one that is not', () => {
    const { reasons, noticed } = CATALOGUES.en;
    const page = (level: RiskLevel) => pageOf(atRisk('genuine', level, [clone('consumed')]));
    expect(listOf(page('medium'), noticed)).to.deep.equal([reasons.clone.consumed]);
    expect(page('low')).to.not.include(noticed).and.not.to.include(reasons.clone.consumed);
  });

  it('reports an unknown code with what was scanned, and a link without a code without', () => {
    const actionOf = (path: string) =>
      /action="([^"]*)"/.exec(
        renderVerificationPage(verification('unknown'), pageContext('unknown', { path })),
      )![1];
    expect(actionOf(`/v/${TOKEN}`)).to.equal(`/v/${TOKEN}/reports`);
    expect(actionOf('')).to.equal('/counterfeit-reports');
  });

  it('tells of a recall in the best of the visitor’s languages, also in one that the page does not have', () => {
    const recall = { messages: { he: 'החזר', en: 'Return it', sv: 'Lämna tillbaka den' }, contact: null };
    const said = (languages: string[], locale: Locale = 'en') =>
      /<p lang="(\w+)" dir/.exec(
        renderVerificationPage(
          { ...verification('recalled'), recall },
          pageContext('recalled', { locale, languages }),
        ),
      )![1];
    expect(said(['sv', 'en'])).to.equal('sv');
    expect(said(['en', 'sv'])).to.equal('en');
    expect(said(['fi', 'he', 'en'])).to.equal('he');
    expect(said(['fi', 'de'], 'de')).to.equal('en');
    expect(said([])).to.equal('en');
  });

  it('writes a recall’s message in its language’s direction, whatever its first word is', () => {
    const directionOf = (language: string) =>
      new RegExp(`<p lang="${language}" dir="(\\w+)">Olivaia `).exec(
        renderVerificationPage(
          {
            ...verification('recalled'),
            recall: { messages: { [language]: 'Olivaia (L2610)' }, contact: null },
          },
          pageContext('recalled', { languages: [language] }),
        ),
      )![1];
    for (const language of ['ar', 'fa', 'he', 'iw', 'ur']) expect(directionOf(language)).to.equal('rtl');
    for (const language of ['de', 'az', 'ja']) expect(directionOf(language)).to.equal('ltr');
  });

  it('says what the organization tells everybody in the visitor’s language, else without a language, else in English', () => {
    const said = (message: string | null, messages: Record<string, string>, ...languages: string[]) => {
      const context = pageContext('genuine', { brand: { ...BRAND, message, messages }, languages });
      return renderVerificationPage(verification('genuine'), context).match(
        /<p [^>]*>[^<]*Olivaia[^<]*<\/p>/g,
      );
    };
    const messages = { de: 'Von Olivaia.\n\nDanke, Olivaia', en: 'By Olivaia', ar: 'Olivaia شكرا' };
    expect(said('Olivaia!', messages, 'fi', 'de', 'en')).to.deep.equal([
      '<p lang="de" dir="ltr">Von Olivaia.</p>',
      '<p lang="de" dir="ltr">Danke, Olivaia</p>',
    ]);
    expect(said('Olivaia!', messages, 'ar')).to.deep.equal(['<p lang="ar" dir="rtl">Olivaia شكرا</p>']);
    // Whoever reads none of them has a page in English, and the words to go with it.
    expect(said('Olivaia!', messages, 'fi')).to.deep.equal(['<p lang="en" dir="ltr">By Olivaia</p>']);
    expect(said('Olivaia!', { de: 'Von Olivaia' }, 'fi')).to.deep.equal(['<p dir="auto">Olivaia!</p>']);
    expect(said(null, messages, 'fi')).to.deep.equal(['<p lang="en" dir="ltr">By Olivaia</p>']);
    expect(said(null, { de: 'Von Olivaia' }, 'fi')).to.deep.equal(['<p lang="de" dir="ltr">Von Olivaia</p>']);
    expect(said(null, {}, 'fi')).to.equal(null);
  });

  it('tells of a recall in a language that browsers and brands have different codes of', () => {
    const messages = { en: 'Return it', no: 'Lever den tilbake', he: 'החזר', tl: 'Ibalik ito' };
    const said = (acceptLanguage: string) =>
      /<p lang="(\w+)" dir/.exec(
        renderVerificationPage(
          { ...verification('recalled'), recall: { messages, contact: null } },
          pageContext('recalled', readerOf(acceptLanguage)),
        ),
      )![1];
    expect(said('nb-NO,nb;q=0.9')).to.equal('no');
    expect(said('fil-PH,fil;q=0.9,en;q=0.8')).to.equal('tl');
    expect(said('iw-IL,en;q=0.8')).to.equal('he');
    expect(said('no')).to.equal('no');
    expect(said('x-nonsense,q1,en')).to.equal('en');
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
