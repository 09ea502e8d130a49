import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { matchTotp, newTotpSecret, otpauthUrl, totpCode, totpStep } from '../../../shared/accounts/totp.ts';

describe('TOTP', () => {
  // RFC 6238 appendix B, the SHA-1 rows; the last six of its eight digits.
  const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const VECTORS: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ];
  for (const [seconds, code] of VECTORS) {
    it(`gives ${code} at ${seconds} s, as RFC 6238 says`, () => {
      expect(totpCode(SECRET, totpStep(new Date(seconds * 1000)))).to.equal(code);
    });
  }

  it('accepts a code one step early or late, and no further', () => {
    const at = new Date(1_111_111_111_000);
    const code = (offset: number) => totpCode(SECRET, totpStep(at) + offset);
    expect(
      [-2, -1, 0, 1, 2].map((offset) => matchTotp(SECRET, code(offset), at, null) !== null),
    ).to.deep.equal([false, true, true, true, false]);
  });

  it('makes secrets of 160 bits that authenticator apps read', () => {
    const secret = newTotpSecret(randomBytes);
    expect(secret).to.match(/^[A-Z2-7]{32}$/);
    const url = new URL(otpauthUrl(secret, 'ana+x@oliveira.example'));
    expect(url.searchParams.get('secret')).to.equal(secret);
    expect(decodeURIComponent(url.pathname)).to.include('ana+x@oliveira.example');
  });
});
