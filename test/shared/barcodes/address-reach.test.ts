import { expect } from 'chai';
import { reachOf } from '../../../shared/barcodes/address-reach.ts';

describe('who can open the address that a code carries', () => {
  for (const [reach, urls] of Object.entries({
    public: ['https://verify.example.com', 'https://93.184.216.34:8443', 'https://[2606:2800:220:1::1]'],
    plain: ['http://verify.example.com', 'http://93.184.216.34'],
    private: [
      'http://localhost:3000',
      'https://LOCALHOST',
      'https://app.localhost',
      'http://127.0.0.1:8080',
      'https://10.1.2.3',
      'https://192.168.0.10',
      'https://169.254.1.1',
      'http://[::1]:3000',
      'https://[fd00::1]',
      'https://[::ffff:10.0.0.1]',
      'https://verifier',
      'https://verify.local.',
      'https://verify.corp.internal',
      'https://nas.home.arpa',
      'https://touchstone.test',
    ],
  })) {
    for (const url of urls) {
      it(`is ${reach} for ${url}`, () => {
        expect(reachOf('address', url)).to.equal(reach);
        expect(reachOf('digital-link', url)).to.equal(reach);
      });
    }
  }

  it('is nobody’s question where the code carries no address', () => {
    for (const content of ['element-string', 'serial', 'gtin'] as const)
      expect(reachOf(content, 'http://localhost:3000')).to.equal('none');
  });
});
