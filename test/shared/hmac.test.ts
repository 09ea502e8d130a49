import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { hmacSha256 } from '../../shared/hmac.ts';

describe('HMAC-SHA256 by one-shot hashes', () => {
  it('is what createHmac gives, for keys of up to 64 bytes and any text', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }),
        fc.string({ unit: 'binary', maxLength: 300 }),
        (bytes, message) => {
          const key = Buffer.from(bytes);
          const expected = createHmac('sha256', key).update(message).digest('hex');
          expect(hmacSha256(key, message).toString('hex')).to.equal(expected);
          // Again, with the pads prepared.
          expect(hmacSha256(key, message).toString('hex')).to.equal(expected);
        },
      ),
    );
  });

  it('refuses a longer key, which RFC 2104 would hash first', () => {
    expect(() => hmacSha256(Buffer.alloc(65), '')).to.throw(RangeError);
  });
});
