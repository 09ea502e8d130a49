import { expect } from 'chai';
import fc from 'fast-check';
import { nextTokenAt, refill } from '../../../shared/webhooks/token-bucket.ts';

describe('the token bucket of an endpoint', () => {
  it('is full at first, and holds a tenth of a second’s rate, at least one token', () => {
    expect(refill({ tokens: 0, at: null }, 100, 5_000)).to.deep.equal({ tokens: 10, at: 5_000 });
    expect(refill({ tokens: 0, at: null }, 1, 5_000).tokens).to.equal(1);
    expect(refill({ tokens: 3, at: 0 }, 100, 60_000).tokens).to.equal(10);
  });

  it('gains nothing from a clock that goes back', () => {
    expect(refill({ tokens: 2, at: 5_000 }, 100, 1_000).tokens).to.equal(2);
  });

  it('begins anew where more was taken than it had', () => {
    expect(refill({ tokens: -480, at: 5_000 }, 20, 5_050).tokens).to.equal(1);
  });

  it('has a token at the time that it names, and none a moment before', () => {
    const bucket = fc.record({ tokens: fc.double({ min: 0, max: 0.999, noNaN: true }), at: fc.nat() });
    fc.assert(
      fc.property(bucket, fc.integer({ min: 1, max: 900 }), (given, rate) => {
        const at = nextTokenAt(given, rate);
        // 1 - 0.999 is a little more than 0.001.
        expect(refill(given, rate, at).tokens).to.be.at.least(1 - 1e-9);
        if (at - 1 >= given.at) expect(refill(given, rate, at - 1).tokens).to.be.lessThan(1 + 1e-9);
      }),
    );
  });
});
