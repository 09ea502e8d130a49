import { expect } from 'chai';
import * as fc from 'fast-check';
import { checkDigitOf, isSscc, normalizeGtin } from '../../../shared/gs1/check-digit.ts';
import { isCset82 } from '../../../shared/gs1/cset-82.ts';
import { digitalLinkIn, digitalLinkPath, parseDigitalLink } from '../../../shared/gs1/digital-link.ts';

const CSET_82 = '!"%&\'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

describe('GS1 check digits', () => {
  // The examples of the General Specifications and of the public Digital Link documents.
  const valid = {
    '09506000134352': '09506000134352',
    '9506000134352': '09506000134352',
    '614141123452': '00614141123452',
    '95200002': '00000095200002',
    '10614141543219': '10614141543219',
    '04150567890128': '04150567890128',
    '00000000000000': '00000000000000',
  };
  for (const [text, gtin] of Object.entries(valid)) {
    it(`reads ${text} as ${gtin}`, () => expect(normalizeGtin(text)).to.equal(gtin));
  }

  it('computes the digit of an SSCC', () => {
    expect(checkDigitOf('37610425002123456')).to.equal('9');
    expect(isSscc('376104250021234569')).to.equal(true);
    for (const wrong of [
      '376104250021234568',
      '09506000134352',
      '0376104250021234569',
      ' 376104250021234569',
    ])
      expect(isSscc(wrong), wrong).to.equal(false);
  });

  it('refuses other lengths, characters and check digits', () => {
    const wrong = [
      '',
      '9506000134353',
      '950600013435',
      '1234567',
      '095060001343520',
      '0950600013435X',
      '９５２００００２',
      ' 95200002',
      '95200002\n',
    ];
    for (const text of wrong) expect(normalizeGtin(text), text).to.equal(null);
  });

  it('notices every single wrong digit', () => {
    const bodies = fc.array(fc.nat(9), { minLength: 13, maxLength: 13 });
    fc.assert(
      fc.property(bodies, fc.nat(13), fc.integer({ min: 1, max: 9 }), (digits, at, shift) => {
        const body = digits.join('');
        const gtin = body + checkDigitOf(body);
        const wrong = gtin.slice(0, at) + ((Number(gtin[at]) + shift) % 10) + gtin.slice(at + 1);
        expect(normalizeGtin(gtin)).to.equal(gtin);
        expect(normalizeGtin(wrong)).to.equal(null);
      }),
      { seed: 1 },
    );
  });
});

describe('GS1 Digital Links', () => {
  it('has the 82 characters and no other', () => {
    const ascii = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i));
    expect(ascii.filter(isCset82).join('')).to.equal(CSET_82);
    expect(CSET_82).to.have.length(82);
  });

  const valid: [path: string, parsed: object][] = [
    ['/01/09506000134352', { gtin: '09506000134352' }],
    ['01/09506000134352', { gtin: '09506000134352' }],
    ['/01/9506000134352/21/12345', { gtin: '09506000134352', serial: '12345' }],
    ['/01/09506000134352/10/ABC/21/12345', { gtin: '09506000134352', lot: 'ABC', serial: '12345' }],
    ['/01/09506000134352/22/2A/10/ABC', { gtin: '09506000134352', variant: '2A', lot: 'ABC' }],
    [
      '/01/09506000134352/22/2A/10/AB%2FC/21/%2521',
      { gtin: '09506000134352', variant: '2A', lot: 'AB/C', serial: '%21' },
    ],
    ['/01/09506000134352/21/01', { gtin: '09506000134352', serial: '01' }],
    [
      '/01/09506000134352/21/12345678901234567890',
      { gtin: '09506000134352', serial: '12345678901234567890' },
    ],
    [
      '/01/09506000134352/235/1234567890123456789012345678',
      { gtin: '09506000134352', thirdPartySerial: '1234567890123456789012345678' },
    ],
    ['/01/09506000134352/235/A1', { gtin: '09506000134352', thirdPartySerial: 'A1' }],
  ];
  for (const [path, parsed] of valid) {
    it(`reads ${path}`, () => expect(parseDigitalLink(path)).to.deep.equal(parsed));
  }

  const refused: [path: string, problem: RegExp][] = [
    ['', /begin with/],
    ['/', /begin with/],
    ['/01', /begin with/],
    ['/01/', /check digit/],
    ['/gtin/09506000134352', /begin with/],
    ['/414/9506000134352', /begin with/],
    ['/01/09506000134353', /check digit/],
    ['/01/9506000134352a', /check digit/],
    ['/01/%30%39506000134352', /check digit/],
    ['/01/09506000134352/', /must have a value/],
    ['/01/09506000134352/21', /must have a value/],
    ['/01/09506000134352/21/', /serial number/],
    ['/01/09506000134352/21/A/10/B', /order/],
    ['/01/09506000134352/10/A/22/B', /order/],
    ['/01/09506000134352/21/A/21/B', /order/],
    ['/01/09506000134352/235/A/21/B', /order/],
    ['/01/09506000134352/22/A/235/B', /alone/],
    ['/01/09506000134352/235/12345678901234567890123456789', /third-party/],
    ['/01/09506000134352/17/281231', /only/],
    ['/01/09506000134352/__proto__/A', /only/],
    ['/01/09506000134352/21/123456789012345678901', /serial number/],
    ['/01/09506000134352/10/123456789012345678901', /lot number/],
    ['/01/09506000134352/22/123456789012345678901', /variant/],
    ['/01/09506000134352/10/a%20b', /lot number/],
    ['/01/09506000134352/10/%E2%82%AC', /lot number/],
    ['/01/09506000134352/10/%', /lot number/],
    ['/01/09506000134352/10/%00', /lot number/],
    ['/01/09506000134352/10/A%0A', /lot number/],
    ['/01/09506000134352/22/%C3', /variant/],
  ];
  for (const [path, problem] of refused) {
    it(`refuses ${path || 'an empty path'}`, () => {
      expect(parseDigitalLink(path)).to.have.property('problem').that.matches(problem);
    });
  }

  it('writes what it reads', () => {
    const value = fc.string({ unit: fc.constantFrom(...CSET_82.split('')), minLength: 1, maxLength: 20 });
    const links = fc.record(
      { gtin: fc.constant('09506000134352'), variant: value, lot: value, serial: value },
      { requiredKeys: ['gtin'] },
    );
    fc.assert(
      fc.property(
        links,
        (link) => expect(parseDigitalLink(digitalLinkPath(link))).to.deep.equal(link) && true,
      ),
      { seed: 2 },
    );
  });
});

describe('a link in what somebody scanned', () => {
  it('is none with a third party’s serial, which is no unit’s here', () => {
    expect(digitalLinkIn('https://id.example/01/09506000134352/21/A1?17=281231')).to.deep.equal({
      gtin: '09506000134352',
      serial: 'A1',
    });
    expect(digitalLinkIn('https://id.example/01/09506000134352/235/TPX1')).to.equal(null);
  });
});
