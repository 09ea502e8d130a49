import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { digestSecret, generateApiKeySecret, isWellFormedSecret } from '../../../shared/api-keys/secret.ts';

describe('secrets of API keys', () => {
  it('begin with ak_live_ and carry more than 160 random bits and a checksum', () => {
    const secrets = Array.from({ length: 500 }, () => generateApiKeySecret(randomBytes));
    for (const secret of secrets) {
      expect(secret).to.match(/^ak_live_[0-9A-Za-z]{36}$/);
      expect(isWellFormedSecret(secret)).to.equal(true);
    }
    expect(new Set(secrets).size).to.equal(secrets.length);
    expect(30 * Math.log2(62)).to.be.greaterThan(160);
  });

  it('with any one character changed, or two swapped, are refused', () => {
    const secret = generateApiKeySecret(randomBytes);
    for (let at = 0; at < secret.length; at++) {
      const changed = secret.slice(0, at) + (secret[at] === 'x' ? 'y' : 'x') + secret.slice(at + 1);
      expect(isWellFormedSecret(changed), changed).to.equal(false);
      if (at < 8 || at + 1 >= secret.length || secret[at] === secret[at + 1]) continue;
      const swapped = secret.slice(0, at) + secret[at + 1] + secret[at] + secret.slice(at + 2);
      expect(isWellFormedSecret(swapped), swapped).to.equal(false);
    }
  });

  it('use each character as often as any other', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2_000; i++)
      for (const character of generateApiKeySecret(randomBytes).slice(8, 38))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).to.equal(62);
    const expected = (2_000 * 30) / 62;
    // Six standard deviations: a fair draw fails once in 10^7 runs, a modulo bias of 25% always.
    for (const count of counts.values())
      expect(Math.abs(count - expected)).to.be.below(6 * Math.sqrt(expected));
  });

  it('are stored as a digest that depends on the pepper', () => {
    const secret = generateApiKeySecret(randomBytes);
    expect(digestSecret(secret, 'one')).to.have.length(32);
    expect(digestSecret(secret, 'one').equals(digestSecret(secret, 'two'))).to.equal(false);
  });
});
