import { expect } from 'chai';
import * as fc from 'fast-check';
import { elementString, elementStringText } from '../../../shared/barcodes/gs1.ts';
import { CSET_82_CLASS } from '../../../shared/gs1/cset-82.ts';
import { elementStringIn, gs1In, withoutInnerSpaces } from '../../../shared/gs1/element-string.ts';
import type { Keyring } from '../../../shared/keyring.ts';
import { scannedUnitIn } from '../../../shared/units/scanned.ts';

const KEYS: Keyring = [{ id: 't1', bytes: Buffer.alloc(32, 1) }];
const GTIN = '09506000134352';
const GS = '\x1d';

describe('GS1 element strings', () => {
  const understood: Record<string, object> = {
    // As printed below a symbol.
    [`(01)${GTIN}(21)7K2M`]: { serial: '7K2M' },
    [`(01) ${GTIN} (10) L1 (21) 7K2M`]: { lot: 'L1', serial: '7K2M' },
    [`(01)${GTIN}(17)271231(10)A(b)c(21)1`]: { lot: 'A(b)c', serial: '1' },
    [`(01)${GTIN}`]: {},
    // As scanners send them.
    [`]d201${GTIN}10L1${GS}21X`]: { lot: 'L1', serial: 'X' },
    [`]C101${GTIN}21X`]: { serial: 'X' },
    [`${GS}01${GTIN}21X`]: { serial: 'X' },
    [`]e301${GTIN}21X`]: { serial: 'X' },
    [`]J101${GTIN}21X`]: { serial: 'X' },
    [`]Q3${GS}01${GTIN}${GS}21X${GS}`]: { serial: 'X' },
    [`01${GTIN}1727123110L1${GS}21SERIAL`]: { lot: 'L1', serial: 'SERIAL' },
    [`01${GTIN}21SERIAL`]: { serial: 'SERIAL' },
    // A character more than a serial may have.
    [`01${GTIN}21XYZ`]: { serial: 'XYZ' },
    // Said twice.
    [`]d201${GTIN}21X${GS}01${GTIN}`]: { serial: 'X' },
    // In another order, with what says nothing of a unit between them.
    [`]d210L1${GS}21X${GS}91free text${GS}3103001750${'01' + GTIN}`]: { lot: 'L1', serial: 'X' },
    [`]d201${GTIN}22V${GS}21X`]: { variant: 'V', serial: 'X' },
    [`]d203${GTIN}201121X${GS}4140614141000005${'01' + GTIN}`]: { serial: 'X' },
    // A whole that holds others: the inner GTIN is another identifier.
    [`]d20034012345000000001301${GTIN}21X`]: { serial: 'X' },
  };
  for (const [text, parts] of Object.entries(understood)) {
    it(`reads ${JSON.stringify(text)}`, () =>
      expect(elementStringIn(text)).to.deep.equal({ gtin: GTIN, ...parts }));
  }

  it('knows where an element of predefined length ends, without a separator', () => {
    // Figure 7.8.5-2 of the General Specifications: the length with the identifier itself.
    const lengths: Record<string, number> = { '00': 20, '02': 16, '03': 16, '04': 18, 20: 4, 41: 16 };
    for (let ai = 11; ai <= 19; ai += 1) lengths[ai] = 8;
    for (let ai = 31; ai <= 36; ai += 1) lengths[ai] = 10;
    for (const [ai, length] of Object.entries(lengths)) {
      // Of nines, which begin an element that the separator would have to end.
      const element = ai.padEnd(length, '9');
      expect(elementStringIn(`]d2${element}01${GTIN}21X`), ai).to.deep.equal({ gtin: GTIN, serial: 'X' });
      expect(elementStringIn(`]d201${GTIN}21X${GS}${element.slice(0, -1)}`), ai).to.equal(null);
    }
  });

  const others: Record<string, string> = {
    'a wrong check digit': `(01)09506000134353(21)7K2M`,
    'a GTIN of thirteen digits': `(01)9506000134352(21)7K2M`,
    'no GTIN': `(21)7K2M(10)L1`,
    'a GTIN of what it holds': `(02)${GTIN}(37)12`,
    'two GTINs': `(01)${GTIN}(01)04006381333931(21)X`,
    'a serial of 21 characters': `(01)${GTIN}(21)${'X'.repeat(21)}`,
    'a serial that GS1 has no character of': `(01)${GTIN}(21)7 K#2`,
    'no serial where one is announced': `(01)${GTIN}(21)`,
    'a third party’s serial': `]d201${GTIN}2350123`,
    'text before it': `x(01)${GTIN}(21)7K2M`,
    'an element that is cut short': `]d2010950600`,
    'a separator within a GTIN': `]d20109506${GS}00013435221X`,
    'letters for an identifier': `]d201${GTIN}XX1`,
    'what may be a serial': `01${GTIN}`,
    'what may be a serial, and looks like more': `01${GTIN}21XY`,
    'half a character': `(01)${GTIN}(21)\ud83d`,
    nothing: '',
  };
  for (const [name, text] of Object.entries(others)) {
    it(`has nothing to say of ${name}`, () => expect(elementStringIn(text)).to.equal(null));
  }

  it('reads whatever this service puts into a symbol, as scanned and as printed', () => {
    const value = fc.stringMatching(new RegExp(`^[${CSET_82_CLASS}]{1,20}$`));
    fc.assert(
      fc.property(value, fc.option(value, { nil: undefined }), fc.boolean(), (serial, lot, expires) => {
        const unit = {
          gtin: GTIN,
          serial,
          ...(lot !== undefined && { lot }),
          ...(expires && { expiresOn: '2027-12-31' }),
        };
        const said = { gtin: GTIN, serial, ...(lot !== undefined && { lot }) };
        expect(elementStringIn(`]d2${elementString(unit)}`)).to.deep.equal(said);
        // A part in parentheses that looks like an identifier cannot be told from one by anybody.
        if (!/\(\d{2,4}\)/.test(serial + (lot ?? '')))
          expect(elementStringIn(elementStringText(unit))).to.deep.equal(said);
      }),
      { seed: 1 },
    );
  });

  it('is quick to say so of a long text made to take long', () => {
    const pieces = ['01/', '01/12345670/', '01/12345670/10/A/21/', '(01)', '99\x1d', '/?\n'];
    const texts = [
      ...pieces.map((piece) => piece.repeat(10_000 / piece.length)),
      `${'x'.repeat(9_990)}/y?z\n`,
    ];
    const startedAt = performance.now();
    for (let i = 0; i < 5; i++)
      for (const text of texts) expect(scannedUnitIn(KEYS, text), text.slice(0, 20)).to.equal(null);
    expect((performance.now() - startedAt) / 5 / texts.length).to.be.below(20);
  });

  it('leaves links to those who read links', () => {
    expect(gs1In(`https://id.example.com/01/${GTIN}/21/7K2M?17=271231`)).to.deep.equal({
      gtin: GTIN,
      serial: '7K2M',
    });
    // An address with parts of its own before the longest link there is, whose lot and serial look like its beginning.
    expect(gs1In(`HTTPS://ID.EXAMPLE.COM/01/a/01/01/${GTIN}/22/01/10/01/21/01/#top`)).to.deep.equal({
      gtin: GTIN,
      variant: '01',
      lot: '01',
      serial: '01',
    });
    expect(gs1In(`(01)${GTIN}(21)7K2M`)).to.deep.equal({ gtin: GTIN, serial: '7K2M' });
    expect(gs1In('7K2M')).to.equal(null);
  });

  it('are each one piece of a text where they stand with spaces in them', () => {
    for (const [text, pieces] of [
      [`(01) ${GTIN} (21) 7K2M`, [`(01)${GTIN}(21)7K2M`]],
      [
        `7K2N (01)${GTIN} (10)  H7\t(21)7K2M  (01) ${GTIN} (21) 7K2O`,
        ['7K2N', `(01)${GTIN}(10)H7(21)7K2M`, `(01)${GTIN}(21)7K2O`],
      ],
      ['A(1) (B) (2)', ['A(1)', '(B)', '(2)']],
      [`(01) ${GTIN} (21) 7K2M\n(01) ${GTIN} (21) 7K2N`, [`(01)${GTIN}(21)7K2M`, `(01)${GTIN}(21)7K2N`]],
    ] as const)
      expect(withoutInnerSpaces(text).split(/\s+/), text).to.deep.equal(pieces);
    const startedAt = performance.now();
    for (const piece of [' ', '(01) ', ' (21)', '\t(']) withoutInnerSpaces(piece.repeat(200_000));
    expect(performance.now() - startedAt).to.be.below(2_000);
  });
});
