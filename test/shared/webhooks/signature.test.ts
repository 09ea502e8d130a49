import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import {
  generateSecret,
  signatureHeader,
  standardWebhooksHeaders,
} from '../../../shared/webhooks/signature.ts';

interface Vector {
  name: string;
  secrets: string[];
  timestamp: number;
  eventId: string;
  body: string;
  signature: string;
  standardSignature: string;
}

const vectors = JSON.parse(
  readFileSync(new URL('../../fixtures/webhook-vectors.json', import.meta.url), 'utf8'),
) as Vector[];
const stripe = new Stripe('sk_test_unused');

describe('webhook signatures', () => {
  for (const vector of vectors) {
    it(`signs as the published vector does: ${vector.name}`, () => {
      const body = Buffer.from(vector.body);
      expect(signatureHeader(vector.secrets, vector.timestamp, body)).to.equal(vector.signature);
      expect(standardWebhooksHeaders(vector.secrets, vector.eventId, vector.timestamp, body)).to.deep.equal({
        'webhook-id': vector.eventId,
        'webhook-timestamp': String(vector.timestamp),
        'webhook-signature': vector.standardSignature,
      });
    });
  }

  it('keys the signature with the whole secret, over the time, a dot and the raw bytes', () => {
    const body = Buffer.from([0xff, 0x00, 0x0a, 0x80]);
    const expected = createHmac('sha256', 'whsec_c2VjcmV0')
      .update(Buffer.concat([Buffer.from('1700000000.'), body]))
      .digest('hex');
    expect(signatureHeader(['whsec_c2VjcmV0'], 1_700_000_000, body)).to.equal(`t=1700000000,v1=${expected}`);
  });

  it('satisfies the verifier of the standardwebhooks package with each of several secrets', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 3 }), (message, count) => {
        const secrets = Array.from({ length: count }, () => generateSecret());
        const body = Buffer.from(JSON.stringify({ message }));
        const headers = standardWebhooksHeaders(secrets, 'evt_1', Math.floor(Date.now() / 1000), body);
        for (const secret of secrets) {
          const verified = new Webhook(secret).verify(body, { ...headers });
          expect(verified).to.deep.equal(JSON.parse(body.toString()));
        }
        expect(() => new Webhook(generateSecret()).verify(body, { ...headers })).to.throw();
      }),
      { numRuns: 50 },
    );
  });

  it('satisfies the verifier of the stripe package with each of several secrets', () => {
    const secrets = [generateSecret(), generateSecret()];
    const body = Buffer.from('{"id":"evt_1","object":"event","type":"scan.recorded","data":{}}');
    const header = signatureHeader(secrets, Math.floor(Date.now() / 1000), body);
    for (const secret of secrets) {
      expect(stripe.webhooks.constructEvent(body, header, secret).id).to.equal('evt_1');
    }
    expect(() => stripe.webhooks.constructEvent(body, header, generateSecret())).to.throw(/signature/i);
    const tampered = Buffer.from(body.toString().replace('evt_1', 'evt_2'));
    expect(() => stripe.webhooks.constructEvent(tampered, header, secrets[0]!)).to.throw(/signature/i);
  });

  it('makes secrets of whsec_ and the base64 of 32 random bytes', () => {
    const secret = generateSecret((size) => Buffer.alloc(size, 0xfb));
    expect(secret).to.equal(`whsec_${Buffer.alloc(32, 0xfb).toString('base64')}`);
    expect(generateSecret()).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(generateSecret()).to.not.equal(generateSecret());
  });

  it('refuses to sign without a secret or with a time that is not whole seconds', () => {
    const body = Buffer.from('{}');
    expect(() => signatureHeader([], 1, body)).to.throw(RangeError, 'secret');
    expect(() => signatureHeader(['whsec_eA=='], 1.5, body)).to.throw(RangeError, 'seconds');
    expect(() => standardWebhooksHeaders(['whsec_eA=='], 'evt_1', Number.NaN, body)).to.throw(RangeError);
  });
});
