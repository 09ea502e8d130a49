import { expect } from 'chai';
import fc from 'fast-check';
import { planEncodation } from '../../../shared/barcodes/datamatrix-encodation.ts';
import { learnDataMatrixTable } from '../../../shared/barcodes/datamatrix-table.ts';
import { elementString } from '../../../shared/barcodes/gs1.ts';
import { imagePng } from '../../../shared/barcodes/image-png.ts';
import { captionedImage } from '../../../shared/barcodes/captioned-image.ts';
import { emptyMatrix, matrixWords, sameMatrix } from '../../../shared/barcodes/module-matrix.ts';
import { encodeReference } from '../../../shared/barcodes/reference-encoder.ts';
import { TOKEN_ALPHABET } from '../../../shared/barcodes/payload.ts';
import { readSymbol } from '../../support/read-symbol.ts';

const BLACK_ON_WHITE = { foreground: '#000000', background: '#ffffff' };
const codes = (text: string) => Array.from(text, (character) => character.charCodeAt(0));

describe('learnDataMatrixTable', () => {
  it('equals bwip-js given the same codewords, and a decoder reads the payload back', async () => {
    const lot = fc.string({
      unit: fc.constantFrom(...Array.from('ABCxyz019-_/(+')),
      minLength: 1,
      maxLength: 20,
    });
    const alphabets = fc.constantFrom(
      '0123456789',
      'ABCDEFGHJKLMNPQRSTUVWXYZ23456789',
      'abcXYZ0123456789',
      'AB-./_09',
    );
    await fc.assert(
      fc.asyncProperty(
        lot,
        alphabets,
        fc.integer({ min: 1, max: 20 }),
        fc.integer(),
        async (lot, alphabet, length, seed) => {
          const [serial] = fc.sample(
            fc.string({
              unit: fc.constantFrom(...Array.from(alphabet)),
              minLength: length,
              maxLength: length,
            }),
            { seed, numRuns: 1 },
          );
          const whole = elementString({
            gtin: '09506000134352',
            lot,
            expiresOn: '2027-12-31',
            serial: serial!,
          });
          const prefix = whole.slice(0, whole.length - length);
          const learned = learnDataMatrixTable({ prefix, length, alphabet, suffix: '' }, true)!;
          const values = new Uint16Array(learned.units);
          expect(learned.read(whole, values)).to.equal(true);
          const made = emptyMatrix(learned.table.width, learned.table.height);
          learned.table.evaluate(values, matrixWords(made));
          expect(sameMatrix(made, learned.reference(whole))).to.equal(true);

          const image = captionedImage(made, 'X', { scale: 4, quietZone: 2 });
          expect((await readSymbol(imagePng(image, BLACK_ON_WHITE)))[0]).to.deep.equal({
            format: 'DataMatrix',
            text: whole,
          });
        },
      ),
      { numRuns: 8, seed: 7 },
    );
  });
});

describe('planEncodation', () => {
  it('gives verification addresses no larger a symbol than bwip-js does', () => {
    const host = fc.string({
      unit: fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')),
      minLength: 3,
      maxLength: 30,
    });
    const token = fc.string({
      unit: fc.constantFrom(...Array.from(TOKEN_ALPHABET)),
      minLength: 24,
      maxLength: 24,
    });
    fc.assert(
      fc.property(host, token, (name, token) => {
        const text = `HTTPS://${name}.COM/V/${token}`;
        const reference = encodeReference({ bcid: 'datamatrix', text });
        expect(planEncodation(codes(text))!.size).to.be.at.most(reference.width);
      }),
      { numRuns: 60, seed: 8 },
    );
  });

  it('packs two digits in one codeword, and three capitals in two', () => {
    expect(planEncodation(codes('123456'))).to.deep.include({ size: 10 });
    expect(planEncodation(codes('ABCDEF'))!.size).to.equal(12);
  });

  it('has no plan beyond seven bits, or for more than the largest symbol holds', () => {
    expect(planEncodation([200])).to.equal(undefined);
    expect(planEncodation(Array.from({ length: 1600 }, () => 33))).to.equal(undefined);
  });
});
