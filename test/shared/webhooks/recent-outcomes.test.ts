import { expect } from 'chai';
import { countOutcome, sumOutcomes, type RecentOutcomes } from '../../../shared/webhooks/recent-outcomes.ts';

const HOUR = 3600_000;

describe('recent outcomes of an endpoint', () => {
  it('are counted by the hour, also where one comes late, and forgotten after a day', () => {
    let recent: RecentOutcomes = [];
    for (const [hour, ok] of [
      [100, true],
      [102, false],
      [101, true],
      [102, true],
    ] as const)
      recent = countOutcome(recent, ok, hour * HOUR + 5);
    expect(recent).to.deep.equal([
      [100, 1, 0],
      [101, 1, 0],
      [102, 1, 1],
    ]);
    expect(sumOutcomes(recent, 102 * HOUR)).to.deep.equal({ delivered: 3, failed: 1, successRate: 0.75 });
    expect(sumOutcomes(recent, 124 * HOUR)).to.deep.equal({ delivered: 2, failed: 1, successRate: 0.6667 });
    expect(sumOutcomes([], 0)).to.deep.equal({ delivered: 0, failed: 0, successRate: null });
    expect(countOutcome(recent, true, 125 * HOUR)).to.deep.equal([
      [102, 1, 1],
      [125, 1, 0],
    ]);
  });
});
