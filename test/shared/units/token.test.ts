import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { decodeBase32, encodeBase32 } from '../../../shared/units/base32.ts';
import { mintTokens, parseToken, tokenOf } from '../../../shared/units/token.ts';
import type { Keyring } from '../../../shared/keyring.ts';

const current = { id: 'k2', bytes: Buffer.alloc(32, 2) };
const previous = { id: 'k1', bytes: Buffer.alloc(32, 1) };
const ring: Keyring = [current, previous];
const SEED = { seed: 20260601 };
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codes = fc.uint8Array({ minLength: 10, maxLength: 10 }).map((bytes) => Buffer.from(bytes));

describe('verification tokens', () => {
  it('encodes as RFC 4648 base 32 does, in Crockford’s alphabet', () => {
    expect(encodeBase32(Buffer.from('hello'))).to.equal('D1JPRV3F');
    expect(encodeBase32(Buffer.alloc(5, 0xff))).to.equal('ZZZZZZZZ');
    expect(decodeBase32('D1JPRV3F')?.toString()).to.equal('hello');
    expect(() => encodeBase32(Buffer.alloc(4))).to.throw(RangeError);
    expect(decodeBase32('D1JPRV3')).to.equal(null);
  });

  it('is the ten random bytes and the first five of their HMAC-SHA256', () => {
    const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(codes, keys, (code, key) => {
        const token = tokenOf([{ id: 'k', bytes: key }], code);
        const tag = createHmac('sha256', key).update(code).digest().subarray(0, 5);
        expect(token).to.equal(encodeBase32(Buffer.concat([code, tag])));
        expect(token).to.match(/^[0-9A-HJKMNP-TV-Z]{24}$/);
      }),
      SEED,
    );
  });

  it('refuses keys and codes of another length as mistakes of the program', () => {
    expect(() => tokenOf([{ id: 'k', bytes: Buffer.alloc(16) }], Buffer.alloc(10))).to.throw(
      RangeError,
      '32',
    );
    expect(() => tokenOf(ring, Buffer.alloc(9))).to.throw(RangeError, '10');
  });

  it('reads back what it minted, in either case', () => {
    fc.assert(
      fc.property(codes, (code) => {
        const minted = mintTokens(ring, 1, () => code)[0]!;
        expect(minted.keyId).to.equal('k2');
        expect(parseToken(ring, minted.token)).to.deep.equal(code);
        expect(parseToken(ring, minted.token.toLowerCase())).to.deep.equal(code);
      }),
      SEED,
    );
  });

  it('accepts O for 0, and I and L for 1', () => {
    fc.assert(
      fc.property(
        codes,
        fc.constantFrom('I', 'i', 'L', 'l'),
        fc.constantFrom('O', 'o'),
        (code, one, zero) => {
          const token = tokenOf(ring, code).replaceAll('1', one).replaceAll('0', zero);
          expect(parseToken(ring, token)).to.deep.equal(code);
        },
      ),
      SEED,
    );
  });

  it('refuses every change of a single character', () => {
    fc.assert(
      fc.property(codes, fc.nat(23), fc.integer({ min: 1, max: 31 }), (code, at, shift) => {
        const token = tokenOf(ring, code);
        const other = ALPHABET[(ALPHABET.indexOf(token[at]!) + shift) % 32]!;
        expect(parseToken(ring, token.slice(0, at) + other + token.slice(at + 1))).to.equal(null);
      }),
      { ...SEED, numRuns: 2000 },
    );
  });

  it('refuses any other text without throwing', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(...ALPHABET.split('')), minLength: 24, maxLength: 24 }),
      fc.constantFrom(
        '',
        '٠'.repeat(24),
        'U'.repeat(24),
        '-'.repeat(24),
        'İ'.repeat(24),
        '\ud800'.repeat(24),
      ),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(parseToken(ring, text)).to.equal(null);
      }),
      { ...SEED, numRuns: 2000 },
    );
  });

  it('still reads the codes of the previous key, and reprints them with it', () => {
    const code = Buffer.alloc(10, 7);
    const printed = mintTokens([previous], 1, () => code)[0]!;
    expect(parseToken(ring, printed.token)).to.deep.equal(code);
    expect(tokenOf(ring, code, printed.keyId)).to.equal(printed.token);
    expect(tokenOf(ring, code)).not.to.equal(printed.token);
    expect(parseToken([current], printed.token)).to.equal(null);
    expect(() => tokenOf([current], code, 'k1')).to.throw(RangeError, 'k1');
  });

  it('mints many from one draw of randomness, each its own', () => {
    const draws: number[] = [];
    const minted = mintTokens(ring, 500, (size) => {
      draws.push(size);
      return randomBytes(size);
    });
    expect(draws).to.deep.equal([5000]);
    expect(new Set(minted.map(({ token }) => token)).size).to.equal(500);
    for (const { token, code } of minted) expect(parseToken(ring, token)).to.deep.equal(code);
  });
});
