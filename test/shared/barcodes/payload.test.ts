import { expect } from 'chai';
import { elementString, elementStringText } from '../../../shared/barcodes/gs1.ts';
import { payloadShape, symbolPayload } from '../../../shared/barcodes/payload.ts';
import { hasShape } from '../../../shared/barcodes/payload-shape.ts';

const subject = {
  baseUrl: 'https://Verify.example.com/',
  gtin: '9506000134352',
  lot: 'A/1',
  expiresOn: '2027-12-31',
};
const unit = { serial: 'S?1', token: '0123456789ABCDEFGHJKMNPQ' };

describe('symbolPayload', () => {
  it('puts the verification address in capitals', () => {
    expect(symbolPayload('qr-url', subject, unit)).to.equal(
      'HTTPS://VERIFY.EXAMPLE.COM/V/0123456789ABCDEFGHJKMNPQ',
    );
  });

  it('orders a Digital Link as the standard does, and encodes what a path cannot hold', () => {
    const link = 'https://Verify.example.com/01/09506000134352/10/A%2F1/21/S%3F1?17=271231';
    expect(symbolPayload('gs1-digital-link', subject, unit)).to.equal(link);
  });

  it('separates elements of variable length, except the last', () => {
    expect(symbolPayload('gs1-datamatrix', subject, unit)).to.equal('01095060001343521727123110A/1\x1d21S?1');
    expect(elementString({ gtin: '96385074', serial: '7' })).to.equal('0100000096385074217');
    expect(elementStringText({ gtin: '96385074', lot: 'L', serial: '7' })).to.equal(
      '(01)00000096385074(10)L(21)7',
    );
  });

  it('gives the GTIN in the length of its symbology', () => {
    expect(symbolPayload('ean13', { ...subject, gtin: '036000291452' }, unit)).to.equal('0036000291452');
    expect(symbolPayload('itf14', subject, unit)).to.equal('09506000134352');
  });
});

describe('payloadShape', () => {
  it('describes what a job’s payloads have in common', () => {
    const plain = { ...unit, serial: 'A1B2' };
    const shape = payloadShape('gs1-digital-link', subject, plain, 'AB12')!;
    expect(shape.suffix).to.equal('?17=271231');
    expect(shape.length).to.equal(4);
    expect(
      hasShape(shape, symbolPayload('gs1-digital-link', subject, { ...plain, serial: 'BBBB' })),
    ).to.equal(true);
    expect(hasShape(shape, symbolPayload('gs1-digital-link', subject, { ...plain, serial: 'BBB' }))).to.equal(
      false,
    );
  });

  it('leaves serials that a link must encode out of the shape', () => {
    const shape = payloadShape('gs1-digital-link', subject, { ...unit, serial: 'AB/1' }, 'AB12/?')!;
    expect(shape.alphabet).to.equal('AB12');
  });

  it('has none where nothing varies', () => {
    expect(payloadShape('ean13', subject, unit, 'AB')).to.equal(undefined);
  });
});
