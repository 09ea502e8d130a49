import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { hiddenCodeOf, isHiddenCode } from '../../../shared/hidden-codes/hidden-code.ts';
import type { Keyring } from '../../../shared/keyring.ts';
import { encodeBase32 } from '../../../shared/units/base32.ts';
import { mintTokens } from '../../../shared/units/token.ts';

const OLD = { id: 'k1', bytes: Buffer.alloc(32, 1) };
const NEW = { id: 'k2', bytes: Buffer.alloc(32, 2) };
const RING: Keyring = [NEW, OLD];
const CODE = Buffer.from('00112233445566778899', 'hex');

describe('hidden codes', () => {
  it('are the first 40 bits of an HMAC with a key of their own, in two groups of four', () => {
    const key = createHmac('sha256', NEW.bytes).update('hidden codes of units').digest();
    const expected = encodeBase32(createHmac('sha256', key).update(CODE).digest().subarray(0, 5));
    expect(hiddenCodeOf(RING, CODE, 'k2')).to.equal(`${expected.slice(0, 4)}-${expected.slice(4)}`);
  });

  it('stay what they are when a new key comes in front, and are never told by the token', () => {
    expect(hiddenCodeOf([OLD], CODE, 'k1')).to.equal(hiddenCodeOf(RING, CODE, 'k1'));
    for (const { token, code, keyId } of mintTokens(RING, 50, randomBytes))
      expect(token).not.to.include(hiddenCodeOf(RING, code, keyId).replace('-', ''));
  });

  it('are told apart from unit to unit', () => {
    const minted = mintTokens(RING, 2_000, randomBytes);
    expect(new Set(minted.map(({ code, keyId }) => hiddenCodeOf(RING, code, keyId)))).to.have.length(2_000);
  });

  it('are read as people type them', () => {
    // With a nought and a one in it.
    const code = Array.from({ length: 10_000 }, (_, n) =>
      Buffer.from(n.toString(16).padStart(20, '0'), 'hex'),
    ).find((each) => /0.*1/.test(hiddenCodeOf(RING, each, 'k1')))!;
    const printed = hiddenCodeOf(RING, code, 'k1');
    const plain = printed.replace('-', '');
    const spellings = [
      printed,
      plain,
      printed.toLowerCase(),
      ` ${plain.slice(0, 4)} ${plain.slice(4)}\n`,
      printed.replace('-', '\u2013'),
      // As chats and documents set it.
      `\u2068${plain.slice(0, 3)}\u00ad${plain.slice(3)}\u200b\u2069`,
      // A minus sign.
      printed.replace('-', '\u2212'),
      plain.replaceAll('0', 'O').replaceAll('1', 'l'),
      // As Japanese keyboards write.
      plain.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    ];
    for (const typed of spellings) expect(isHiddenCode(RING, code, 'k1', typed), typed).to.equal(true);
  });

  it('are refused with one character wrong, missing or more, and by the key of another unit', () => {
    const printed = hiddenCodeOf(RING, CODE, 'k2');
    const wrong = [
      printed.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      printed.slice(0, -1),
      `${printed}0`,
      `${printed}${printed}`,
      printed.replace(/^./, 'U'),
      '',
      '\0'.repeat(8),
      '\u{1F600}'.repeat(4),
    ];
    for (const typed of wrong) expect(isHiddenCode(RING, CODE, 'k2', typed), typed).to.equal(false);
    expect(isHiddenCode(RING, CODE, 'k1', printed)).to.equal(false);
    expect(isHiddenCode([OLD], CODE, 'k2', printed)).to.equal(false);
    expect(() => hiddenCodeOf([OLD], CODE, 'k2')).to.throw(RangeError, 'k2');
  });
});
