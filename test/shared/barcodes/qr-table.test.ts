import { expect } from 'chai';
import fc from 'fast-check';
import { emptyMatrix, matrixWords, sameMatrix } from '../../../shared/barcodes/module-matrix.ts';
import { TOKEN_ALPHABET } from '../../../shared/barcodes/payload.ts';
import type { PayloadShape } from '../../../shared/barcodes/payload-shape.ts';
import { type ErrorCorrection, learnQrTable, type QrTable } from '../../../shared/barcodes/qr-table.ts';
import { encodeReference } from '../../../shared/barcodes/reference-encoder.ts';

const LETTERS_AND_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const level = fc.constantFrom<ErrorCorrection>('L', 'M', 'Q', 'H');
const text = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength, maxLength });

function make(learned: QrTable, payload: string) {
  const values = new Uint16Array(learned.units);
  expect(learned.read(payload, values), payload).to.equal(true);
  const made = emptyMatrix(learned.table.width, learned.table.height);
  learned.table.evaluate(values, matrixWords(made));
  return made;
}

function expectExact(learned: QrTable, payload: string): void {
  const reference = encodeReference({ ...learned.reference, bcid: 'qrcode', text: payload });
  expect(sameMatrix(make(learned, payload), reference), payload).to.equal(true);
}

/** Some payloads of a shape, drawn from the property's own randomness. */
function payloads(shape: PayloadShape, seed: number): string[] {
  const middle = text(shape.alphabet, shape.length, shape.length);
  return fc.sample(middle, { seed, numRuns: 4 }).map((varying) => shape.prefix + varying + shape.suffix);
}

describe('learnQrTable', () => {
  it('equals bwip-js bit for bit over prefixes, lengths and levels of verification addresses', () => {
    const host = text('ABCDEFGHIJKLMNOPQRSTUVWXYZ-', 1, 20);
    fc.assert(
      fc.property(host, fc.integer({ min: 1, max: 30 }), level, fc.integer(), (name, length, ec, seed) => {
        const shape = { prefix: `HTTPS://${name}.EXAMPLE/V/`, length, alphabet: TOKEN_ALPHABET, suffix: '' };
        const learned = learnQrTable(shape, ec);
        expect(learned).to.not.equal(undefined);
        for (const payload of payloads(shape, seed)) {
          if (learned!.isComparable(payload)) expectExact(learned!, payload);
        }
      }),
      { numRuns: 6, seed: 4 },
    );
  });

  it('equals bwip-js for Digital Links, which mix modes, with digits, capitals or small letters', () => {
    const alphabets = fc.constantFrom('0123456789', LETTERS_AND_DIGITS, 'abcdefghjkmnpqrstuvwxyz23456789');
    const suffixes = fc.constantFrom('', '?17=271231');
    fc.assert(
      fc.property(
        alphabets,
        suffixes,
        fc.integer({ min: 6, max: 20 }),
        level,
        (alphabet, suffix, length, ec) => {
          const prefix = 'https://id.example.com/01/09506000134352/10/LOT-42/21/';
          const shape = { prefix, length, alphabet, suffix };
          const learned = learnQrTable(shape, ec);
          expect(learned, JSON.stringify(shape)).to.not.equal(undefined);
          for (const payload of payloads(shape, length)) {
            if (learned!.isComparable(payload)) expectExact(learned!, payload);
          }
        },
      ),
      { numRuns: 6, seed: 5 },
    );
  });

  it('equals bwip-js under each of the eight masks', () => {
    const seen = new Set<number>();
    for (let index = 0; seen.size < 8 && index < 60; index += 1) {
      const prefix = `HTTPS://${'ABCDEFGH'.slice(index % 8)}${LETTERS_AND_DIGITS.slice(10 + (index >>> 3))}/V/`;
      const shape = { prefix, length: 2, alphabet: 'XYZ', suffix: '' };
      const learned = learnQrTable(shape, 'L')!;
      if (seen.has(learned.reference.mask!)) continue;
      seen.add(learned.reference.mask!);
      expectExact(learned, `${prefix}ZX`);
    }
    expect([...seen]).to.have.members([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('calls a payload comparable only if bwip-js segments it alike, and most payloads are', () => {
    const shape = { prefix: 'https://a.example/v/', length: 8, alphabet: 'abcdefgh0123', suffix: '' };
    const learned = learnQrTable(shape, 'M')!;
    const drawn = fc.sample(text(shape.alphabet, 8, 8), { seed: 6, numRuns: 60 });
    const comparable = drawn.filter((varying) => learned.isComparable(shape.prefix + varying));
    expect(comparable).to.not.be.empty;
    for (const varying of comparable) expectExact(learned, shape.prefix + varying);
    expect(learned.isComparable(`${shape.prefix}a1234567`)).to.equal(false);
  });

  it('reads only payloads of its shape', () => {
    const shape = { prefix: 'HTTPS://A/', length: 3, alphabet: 'ABC1', suffix: 'Z' };
    const learned = learnQrTable(shape, 'M')!;
    const values = new Uint16Array(learned.units);
    expect(learned.read('HTTPS://A/AB1Z', values)).to.equal(true);
    for (const other of [
      'HTTPS://B/AB1Z',
      'HTTPS://A/AB1Y',
      'HTTPS://A/ABDZ',
      'HTTPS://A/ABZ',
      'HTTPS://A/AB€Z',
    ]) {
      expect(learned.read(other, values), other).to.equal(false);
    }
  });

  it('learns a shape that fills its version, where bwip-js spends more bits on some of its payloads and refuses them', () => {
    const ofLot = 'https://dr6rovphsacksiyg.com/01/09506000134352/10/fdnpjbjkipgaaqlxdzvs/21/';
    const other = 'https://isjvbglzbfoz.com/01/23486389804737/10/yp/21/';
    const filling: [PayloadShape, ErrorCorrection][] = [
      [{ prefix: ofLot, length: 19, alphabet: LETTERS_AND_DIGITS, suffix: '' }, 'H'],
      [{ prefix: other, length: 19, alphabet: '0123456789ABCDEF', suffix: '' }, 'M'],
    ];
    for (const [shape, ec] of filling) {
      const learned = learnQrTable(shape, ec);
      expect(learned, JSON.stringify(shape)).to.not.equal(undefined);
      for (const payload of payloads(shape, 8))
        if (learned!.isComparable(payload)) expectExact(learned!, payload);
    }
  });

  it('leaves shapes beyond seven bits to bwip-js', () => {
    expect(learnQrTable({ prefix: 'é', length: 3, alphabet: 'ABC', suffix: '' }, 'M')).to.equal(undefined);
  });
});
