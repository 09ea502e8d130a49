import { expect } from 'chai';
import { CATALOGUES } from '../../../../api/verify/page/locales.ts';
import { renderVerificationPage } from '../../../../api/verify/page/render.ts';
import { NFC_TAP_OUTCOMES } from '../../../../shared/nfc/outcome.ts';
import type { VerificationResult } from '../../../../shared/scans/verdict.ts';
import {
  hiddenCodeContext,
  nfcTapFields,
  pageContext,
  VERDICTS,
  verification,
  type NfcTapState,
} from '../../../support/verification-pages.ts';

const { nfc, verdicts } = CATALOGUES.en;

describe('the NFC tag on the verification page', () => {
  const render = (state: NfcTapState, shown: VerificationResult = 'genuine', locale: 'en' | 'de' = 'en') =>
    renderVerificationPage(
      { ...verification(shown), ...nfcTapFields(state) },
      pageContext(shown, { locale }),
    );
  const toldOn = (page: string) => /<section class="told (\w+)".*?<\/section>/s.exec(page);

  it('is to be tapped where the package has one, unless the verdict says all there is to do', () => {
    const asked = VERDICTS.filter((shown) => render('asked', shown).includes(nfc.text));
    expect(asked).to.deep.equal(['genuine', 'suspicious', 'diverted', 'expired']);
    for (const outcome of NFC_TAP_OUTCOMES) expect(render(outcome)).not.to.include(nfc.text);
    expect(renderVerificationPage(verification('genuine'), pageContext('genuine'))).not.to.include(nfc.text);
  });

  it('has said what it says by word, picture and colour, above all but the verdict, whatever that is', () => {
    for (const shown of VERDICTS) {
      const pages = NFC_TAP_OUTCOMES.map((outcome) => render(outcome, shown));
      const told = pages.map((page) => toldOn(page)!);
      expect(told.map((section) => section[1])).to.deep.equal(NFC_TAP_OUTCOMES);
      expect(new Set(told.map((section) => /<svg.*<\/svg>/s.exec(section[0])![0]))).to.have.length(3);
      for (const [n, outcome] of NFC_TAP_OUTCOMES.entries())
        expect(told[n]![0]).to.include(nfc[outcome].title);
      for (const page of pages)
        expect(page.indexOf('class="told')).to.be.within(page.indexOf('</h1>'), page.indexOf('<ol>'));
    }
  });

  it('is in the page’s title first, before what the visible code says, and behind a hidden code that was entered', () => {
    const titleOf = (page: string) => /<title>(.*?)<\/title>/.exec(page)![1];
    expect(titleOf(render('replayed'))).to.equal('Chip: answer used before · Genuine code · Olivaia');
    expect(titleOf(render('asked'))).to.equal('Genuine code · Olivaia');
    const tapped = { ...verification('genuine'), ...nfcTapFields('fresh') };
    const context = pageContext('genuine', hiddenCodeContext('wrong'));
    expect(titleOf(renderVerificationPage(tapped, context))).to.equal(
      'Hidden code: not correct · Genuine code · Olivaia',
    );
  });

  it('says the number of the reading with an answer that is new, and the day with one that is not', () => {
    expect(toldOn(render('fresh'))![0]).to.include('reading number 61 of the chip');
    expect(toldOn(render('fresh'))![0]).not.to.include('<time');
    expect(toldOn(render('replayed'))![0]).to.include('<time datetime="2026-11-03T09:12:44.000Z"');
    for (const outcome of ['replayed', 'invalid'] as const)
      expect(toldOn(render(outcome))![0]).not.to.include('61');
    const tapped = {
      ...nfcTapFields('fresh'),
      nfcTap: { outcome: 'fresh', counter: 16_777_215, staleSince: null },
    } as const;
    const german = pageContext('genuine', { locale: 'de' });
    const page = renderVerificationPage({ ...verification('genuine'), ...tapped }, german);
    expect(toldOn(page)![0]).to.include('Nummer 16.777.215');
  });

  it('speaks against the package where it is not new: no word that nothing does, and the report’s form stands open', () => {
    for (const outcome of NFC_TAP_OUTCOMES) {
      const page = render(outcome);
      expect(page.includes('<details open>'), outcome).to.equal(outcome !== 'fresh');
      const lead = outcome === 'fresh' ? verdicts.genuine.lead : verdicts.genuine.leadMedium;
      expect(page).to.include(lead.replace('{brand}', '<bdi>Olivaia</bdi>'));
    }
  });
});
