import { expect } from 'chai';
import type { SymbologySpec } from '../../../shared/barcodes/symbology.ts';
import { type SymbologySubject, validateSymbology } from '../../../shared/barcodes/validate-symbology.ts';

const YEAR = new Date().getUTCFullYear();

const subject: SymbologySubject = {
  baseUrl: 'https://verify.example.com',
  gtin: '09506000134352',
  lot: 'LOT42',
  expiresOn: '2027-12-31',
  serial: 'A7K2M9PX4QRW',
};

const refused: [
  title: string,
  spec: Record<string, unknown>,
  about: Partial<SymbologySubject>,
  path: string,
][] = [
  ['an unknown symbology', { type: 'morse' }, {}, 'type'],
  ['a symbology named like a property of objects', { type: 'constructor' }, {}, 'type'],
  ['a scale beyond 32', { type: 'qr-url', scale: 33 }, {}, 'scale'],
  ['a fraction of a pixel', { type: 'qr-url', scale: 1.5 }, {}, 'scale'],
  ['a negative quiet zone', { type: 'qr-url', quietZone: -1 }, {}, 'quietZone'],
  ['a quiet zone beyond 64 modules', { type: 'qr-url', quietZone: 65 }, {}, 'quietZone'],
  ['a resolution of no printer', { type: 'qr-url', dpi: 10 }, {}, 'dpi'],
  ['a resolution of none yet', { type: 'qr-url', dpi: 2401 }, {}, 'dpi'],
  ['error correction that does not exist', { type: 'qr-url', errorCorrection: 'X' }, {}, 'errorCorrection'],
  [
    'error correction for Data Matrix',
    { type: 'datamatrix-url', errorCorrection: 'H' },
    {},
    'errorCorrection',
  ],
  ['a colour by name', { type: 'qr-url', foreground: 'navy' }, {}, 'foreground'],
  ['a background that is markup', { type: 'qr-url', background: '"/><script>' }, {}, 'background'],
  ['light on dark', { type: 'qr-url', foreground: '#ffffff', background: '#000000' }, {}, 'foreground'],
  ['grey on grey', { type: 'qr-url', foreground: '#777777', background: '#dddddd' }, {}, 'foreground'],
  ['red bars, which a laser does not see', { type: 'code128', foreground: '#cc0000' }, {}, 'foreground'],
  ['a GS1 symbol without a GTIN', { type: 'gs1-datamatrix' }, { gtin: undefined }, 'gtin'],
  ['a Digital Link without a GTIN', { type: 'gs1-digital-link' }, { gtin: undefined }, 'gtin'],
  ['a wrong check digit', { type: 'gs1-datamatrix' }, { gtin: '09506000134353' }, 'gtin'],
  ['a GTIN-14 in EAN-13', { type: 'ean13' }, { gtin: '19506000134359' }, 'gtin'],
  ['a GTIN-13 in EAN-8', { type: 'ean8' }, {}, 'gtin'],
  ['a lot outside character set 82', { type: 'gs1-datamatrix' }, { lot: 'LOT#1' }, 'lot'],
  ['a lot of 21 characters', { type: 'gs1-datamatrix' }, { lot: 'L'.repeat(21) }, 'lot'],
  ['a lot that a Digital Link loses', { type: 'gs1-digital-link' }, { lot: '..' }, 'lot'],
  ['a serial that a Digital Link loses', { type: 'gs1-digital-link' }, { serial: '.' }, 'serial'],
  ['the 30th of February', { type: 'gs1-datamatrix' }, { expiresOn: '2027-02-30' }, 'expiresOn'],
  [
    'an expiry that reads as long ago',
    { type: 'gs1-datamatrix' },
    { expiresOn: `${YEAR + 51}-01-01` },
    'expiresOn',
  ],
  [
    'an expiry that reads as far ahead',
    { type: 'gs1-digital-link' },
    { expiresOn: `${YEAR - 50}-12-31` },
    'expiresOn',
  ],
  ['a serial outside character set 82', { type: 'gs1-datamatrix' }, { serial: 'Ä1' }, 'serial'],
  ['a serial of 21 characters', { type: 'gs1-datamatrix' }, { serial: 'A'.repeat(21) }, 'serial'],
  ['an empty serial', { type: 'code128' }, { serial: '' }, 'serial'],
  ['letters in Interleaved 2 of 5', { type: 'interleaved2of5' }, {}, 'serial'],
  ['an odd number of digits there', { type: 'interleaved2of5' }, { serial: '12345' }, 'serial'],
  ['small letters in Code 39', { type: 'code39' }, { serial: 'abc' }, 'serial'],
  // 16 for the GTIN, 8 for the expiry, 10 for the lot, a separator, and 14 for the serial: 49 of 48.
  ['one more than GS1-128 holds', { type: 'gs1-128' }, { lot: 'L'.repeat(8) }, 'type'],
  [
    'an address too long for a symbol',
    { type: 'qr-url' },
    { baseUrl: `https://${'a'.repeat(5000)}` },
    'type',
  ],
];

describe('validateSymbology', () => {
  for (const [title, spec, about, path] of refused) {
    it(`refuses ${title}`, () => {
      const errors = validateSymbology(spec as unknown as SymbologySpec, { ...subject, ...about });
      expect(errors.map((error) => error.path)).to.deep.equal([path]);
    });
  }

  it('reports every problem at once', () => {
    const spec: SymbologySpec = {
      type: 'gs1-datamatrix',
      scale: 0,
      errorCorrection: 'H',
      foreground: '#eeeeee',
    };
    const errors = validateSymbology(spec, { ...subject, gtin: undefined, lot: '' });
    expect(errors.map(({ path }) => path)).to.have.members([
      'scale',
      'errorCorrection',
      'foreground',
      'gtin',
      'lot',
    ]);
  });

  it('accepts what can be made', () => {
    const accepted: [SymbologySpec, Partial<SymbologySubject>][] = [
      [
        { type: 'qr-url', errorCorrection: 'H', scale: 32, quietZone: 0, dpi: 300, text: true },
        { gtin: undefined },
      ],
      [{ type: 'qr-url', foreground: '#cc0000', quietZone: 64, dpi: 2400 }, {}],
      [{ type: 'gs1-128' }, { lot: 'L'.repeat(7) }],
      [{ type: 'gs1-digital-link' }, { gtin: '96385074', lot: 'A/B?C', serial: `!"%&'()*+,-./:;<=>?` }],
      [{ type: 'gs1-datamatrix' }, { lot: '(10)', serial: 'abc_DEF' }],
      [{ type: 'gs1-datamatrix' }, { lot: '..', serial: '.' }],
      [{ type: 'gs1-digital-link' }, { lot: '...', serial: '.-' }],
      [{ type: 'gs1-128' }, { lot: undefined, expiresOn: undefined }],
      [{ type: 'gs1-128' }, { expiresOn: `${YEAR + 50}-12-31` }],
      [{ type: 'gs1-datamatrix' }, { expiresOn: `${YEAR - 49}-01-01` }],
      [{ type: 'qr-url' }, { expiresOn: '9999-12-31' }],
      [{ type: 'ean13' }, { gtin: '036000291452' }],
      [{ type: 'itf14' }, { gtin: '19506000134359' }],
      [{ type: 'interleaved2of5' }, { serial: '123456' }],
    ];
    for (const [spec, about] of accepted) {
      expect(validateSymbology(spec, { ...subject, ...about }), JSON.stringify([spec, about])).to.deep.equal(
        [],
      );
    }
  });
});
