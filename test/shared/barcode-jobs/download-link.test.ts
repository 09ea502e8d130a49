import { expect } from 'chai';
import fc from 'fast-check';
import { createLinkSigner } from '../../../shared/barcode-jobs/download-link.ts';

const KEY = Buffer.alloc(32, 7);
const signer = createLinkSigner('https://x.example', KEY);
const EXPIRES = new Date('2026-06-01T12:00:00.000Z');

const partsOf = (link: string) => {
  const url = new URL(link);
  return { expires: url.searchParams.get('expires')!, signature: url.searchParams.get('signature')! };
};

describe('download links', () => {
  it('are good until their second and no longer', () => {
    const { expires, signature } = partsOf(signer.sign('job_a', 'codes.csv', EXPIRES));
    const at = (ms: number) =>
      signer.verify('job_a', 'codes.csv', expires, signature, new Date(EXPIRES.getTime() + ms));
    expect([at(-1), at(0), at(1)]).to.deep.equal([true, false, false]);
  });

  it('are good for their own job, file, time and key alone', () => {
    const { expires, signature } = partsOf(signer.sign('job_a', 'codes.csv', EXPIRES));
    const now = new Date(0);
    const later = String(Number(expires) + 1);
    expect(signer.verify('job_b', 'codes.csv', expires, signature, now)).to.equal(false);
    expect(signer.verify('job_a', 'codes.csv2', expires, signature, now)).to.equal(false);
    expect(signer.verify('job_a', 'codes.csv', later, signature, now)).to.equal(false);
    const other = createLinkSigner('https://x.example', Buffer.alloc(32, 8));
    expect(other.verify('job_a', 'codes.csv', expires, signature, now)).to.equal(false);
  });

  it('that anybody makes up are refused without an exception', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (expires, signature) => {
        expect(signer.verify('job_a', 'codes.csv', expires, signature, new Date(0))).to.equal(false);
      }),
    );
  });
});
