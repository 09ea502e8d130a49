import { expect } from 'chai';
import { challengeName, parseDomain, shownDomain } from '../../../shared/domains/names.ts';

describe('names of domains', () => {
  it('are kept in ASCII and small letters, without the dot at their end', () => {
    expect(parseDomain(' Example.COM. ')).to.equal('example.com');
    expect(parseDomain('Müller.de')).to.equal('xn--mller-kva.de');
    expect(parseDomain('xn--mller-kva.de')).to.equal('xn--mller-kva.de');
    expect(parseDomain('www.shop.example.co.uk')).to.equal('www.shop.example.co.uk');
    expect(parseDomain('日本語。jp')).to.equal('xn--wgv71a119e.jp');
  });

  it('are not what else an address may be', () => {
    for (const given of [
      '',
      '.',
      'localhost',
      'example',
      'https://example.com',
      'example.com/',
      'example.com:443',
      'user@example.com',
      'exam ple.com',
      'example..com',
      '-example.com',
      'example-.com',
      '_dmarc.example.com',
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '[::1]',
      'example.123',
      '%65xample.com',
      'example.com?x',
      'example.com#x',
      'xn--a.com',
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(120)}com`,
      'a\u0000b.com',
    ])
      expect(parseDomain(given), JSON.stringify(given)).to.equal(null);
  });

  it('leave room for the challenge in front', () => {
    const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(35)}.com`;
    expect(challengeName(longest)).to.have.length(253);
    expect(parseDomain(longest)).to.equal(longest);
    expect(parseDomain(`d${longest}`)).to.equal(null);
    expect(parseDomain(longest.replace('.com', 'd.com'))).to.equal(null);
  });

  it('are shown in their own letters where nobody can take them for others', () => {
    const shown = (name: string) => shownDomain(parseDomain(name)!);
    for (const name of [
      'example.com',
      'müller.de',
      'café-crème.fr',
      '日本語.jp',
      'さくらショップ.jp',
      '한국.kr',
      'نطاق.com',
      'दुकान.in',
      'ישראל.com',
      'ร้านค้า.com',
      'shop24.日本7.jp',
    ])
      expect(shown(name)).to.equal(name);
    // Cyrillic letters, alone and among Latin ones; Greek; the i without its dot; and small capitals.
    for (const name of ['сосо.com', 'rоlex.com', 'οοο.com', 'bırkın.com', 'ʀolex.com', 'ɑpple.com'])
      expect(shown(name), name).to.match(/^xn--/);
    // Of scripts that are shown, but of such letters alone as look like Latin ones, or like digits.
    for (const name of ['ססס.com', 'ס365.com', 'ههه.com', 'ทนบ.com', '〇〇7.com', 'エ工口.com', '이ᄋ.com'])
      expect(shown(name), name).to.match(/^xn--/);
    for (const name of ['۵۵م.com', '๐๐ก.com', '०००.com']) expect(shown(name), name).to.match(/^xn--/);
  });
});
