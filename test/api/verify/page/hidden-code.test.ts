import { expect } from 'chai';
import { CATALOGUES, LOCALES, type Locale } from '../../../../api/verify/page/locales.ts';
import type { PageContext } from '../../../../api/verify/page/render.ts';
import { renderVerificationPage } from '../../../../api/verify/page/render.ts';
import type { VerificationResult } from '../../../../shared/scans/verdict.ts';
import { HIDDEN_CODE_OUTCOMES } from '../../../../shared/hidden-codes/service.ts';
import {
  hiddenCodeContext,
  pageContext,
  TOKEN,
  VERDICTS,
  verification,
} from '../../../support/verification-pages.ts';

describe('the hidden code on the verification page', () => {
  const render = (
    shown: VerificationResult,
    changes: Partial<PageContext> = {},
    hasHiddenCode = true,
  ): string => renderVerificationPage({ ...verification(shown), hasHiddenCode }, pageContext(shown, changes));
  const form = `action="/v/${TOKEN}/hidden-code"`;

  it('is asked for where the package has one, unless the verdict says all there is to do', () => {
    const asked = VERDICTS.filter((shown) => render(shown).includes(form));
    expect(asked).to.deep.equal(['genuine', 'suspicious', 'diverted', 'expired']);
    for (const shown of VERDICTS) expect(render(shown, {}, false)).not.to.include('hidden-code');
  });

  it('is answered by word, picture and colour, above all but the verdict', () => {
    const pages = HIDDEN_CODE_OUTCOMES.map((outcome) => render('genuine', hiddenCodeContext(outcome)));
    const told = pages.map((page) => /<section class="told (\w+)".*?<\/section>/s.exec(page)!);
    expect(told.map((section) => section[1])).to.deep.equal(HIDDEN_CODE_OUTCOMES);
    expect(new Set(told.map((section) => /<svg.*<\/svg>/s.exec(section[0])![0]))).to.have.length(3);
    for (const [n, page] of pages.entries())
      expect(page.indexOf('class="told')).to.be.within(
        page.indexOf('</h1>'),
        page.indexOf('<ol>'),
        String(n),
      );
  });

  it('is answered by the page’s title first, before what its visible code says', () => {
    const titleOf = (page: string) => /<title>(.*?)<\/title>/.exec(page)![1];
    expect(titleOf(render('genuine', hiddenCodeContext('wrong')))).to.equal(
      'Hidden code: not correct · Genuine code · Olivaia',
    );
    expect(titleOf(render('genuine'))).to.equal('Genuine code · Olivaia');
  });

  it('is asked for again where it was wrong, and not where it was right', () => {
    const asks = HIDDEN_CODE_OUTCOMES.filter((outcome) =>
      render('genuine', hiddenCodeContext(outcome)).includes(form),
    );
    expect(asks).to.deep.equal(['wrong']);
  });

  it('is left as it is typed by what completes, corrects and spells words', () => {
    const [field] = /<input\s+name="hiddenCode"[^>]*>/.exec(render('genuine'))!;
    for (const attribute of ['autocomplete="off"', 'autocorrect="off"', 'spellcheck="false"'])
      expect(field).to.include(attribute);
  });

  it('that was wrong stands in the form as it was typed, to be compared', () => {
    const told = { ...hiddenCodeContext('wrong').hiddenCode!, typed: '7k3m "q9tx' };
    expect(render('genuine', { hiddenCode: told })).to.include('value="7k3m &quot;q9tx"');
    expect(render('genuine')).not.to.match(/name="hiddenCode"[^>]*value=/);
  });

  it('is told with its moment as the language writes it, in every language', () => {
    const moments: Partial<Record<Locale, string>> = {
      en: '3 Nov 2026, 09:12:44 UTC',
      de: '03.11.2026, 09:12:44 UTC',
      ja: '2026/11/03 9:12:44 UTC',
    };
    for (const locale of LOCALES) {
      const page = render('genuine', { ...hiddenCodeContext('repeated'), locale });
      expect(page).to.include(CATALOGUES[locale].hiddenCode.repeated.title);
      expect(page).to.include('datetime="2026-11-03T09:12:44.000Z"').and.not.to.include('{date}');
      expect(page).to.include(moments[locale] ?? '2026');
    }
  });

  it('takes back that nothing is known against the product, and has the report stand open, where it speaks against it', () => {
    const { lead, leadMedium } = CATALOGUES.en.verdicts.genuine;
    const said = (page: string) =>
      [lead, leadMedium].map((sentence) => page.includes(sentence.replace('{brand}', '<bdi>Olivaia</bdi>')));
    const doubtful = (page: string) => [...said(page), page.includes('<details open>')];
    expect(doubtful(render('genuine'))).to.deep.equal([true, false, false]);
    expect(doubtful(render('genuine', hiddenCodeContext('first')))).to.deep.equal([true, false, false]);
    for (const outcome of ['repeated', 'wrong'] as const)
      expect(doubtful(render('genuine', hiddenCodeContext(outcome))), outcome).to.deep.equal([
        false,
        true,
        true,
      ]);
    const { lead: diverted } = CATALOGUES.en.verdicts.diverted;
    expect(render('diverted', hiddenCodeContext('wrong'))).to.include(
      diverted.replace('{brand}', '<bdi>Olivaia</bdi>'),
    );
  });

  it('leads from the answer to its form to the page in another language', () => {
    const answer = { ...hiddenCodeContext('wrong'), address: `/v/${TOKEN}` };
    expect(render('genuine', answer)).to.include(`href="/v/${TOKEN}?lang=fr"`);
    expect(render('genuine', hiddenCodeContext('first'))).to.include('href="?lang=fr"');
  });
});
