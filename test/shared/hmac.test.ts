import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { hmacSha256, hmacSha256Into } from '../../shared/hmac.ts';

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

  it('takes bytes as well, and writes as much as there is room for', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 0, max: 32 }), (message, room) => {
        const key = Buffer.alloc(32, 7);
        const expected = createHmac('sha256', key).update(message).digest();
        expect(hmacSha256(key, message).equals(expected)).to.equal(true);
        const target = Buffer.alloc(room);
        hmacSha256Into(target, key, message);
        expect(target.equals(expected.subarray(0, room))).to.equal(true);
      }),
    );
  });

  it('refuses a longer key, which RFC 2104 would hash first', () => {
    expect(() => hmacSha256(Buffer.alloc(65), '')).to.throw(RangeError);
  });
});
