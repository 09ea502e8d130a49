import { expect } from 'chai';
import { parseUrl } from '../../shared/parse-url.ts';

describe('an address', () => {
  it('is one also where it was asked for so often that asking is compiled', () => {
    for (let n = 0; n < 50_000; n += 1) {
      if (parseUrl('https://müller.example:8443')?.host !== 'xn--mller-kva.example:8443')
        expect.fail(`no address at call ${n}`);
    }
    for (const text of ['', 'müller.example', '//müller.example', 'https://', 'https://a b.example'])
      expect(parseUrl(text), text).to.equal(null);
  });
});
