import { expect } from 'chai';
import { AppError } from '../../../shared/errors.ts';
import { createUrlVetting, MOST_AT_A_TIME } from '../../../shared/webhooks/url-vetting.ts';

describe('vetting URLs for organizations', () => {
  it('looks up a few of one organization’s at a time, and takes nothing from another’s', async () => {
    const waiting: ((addresses: string[]) => void)[] = [];
    const vet = createUrlVetting({
      allowedCidrs: [],
      resolve: () => new Promise((resolve) => waiting.push(resolve)),
    });
    const url = 'https://slow.example.com/';
    const underWay = Array.from({ length: MOST_AT_A_TIME }, () => vet('greedy', url));
    const refused = await vet('greedy', url).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(AppError);
    expect((refused as AppError).code).to.equal('RATE_LIMITED');
    expect((refused as AppError).options.headers).to.have.property('Retry-After');
    underWay.push(vet('other', url));
    expect(waiting).to.have.length(MOST_AT_A_TIME + 1);
    for (const answer of waiting.splice(0)) answer(['93.184.215.14']);
    expect((await Promise.all(underWay)).every(({ ok }) => ok)).to.equal(true);
    const again = vet('greedy', url);
    waiting[0]!(['10.0.0.1']);
    expect((await again).ok).to.equal(false);
  });
});
