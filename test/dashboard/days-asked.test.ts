import { expect } from 'chai';
import { timeseriesQuery } from '../../api/analytics/schema.ts';
import { dayAfter } from '../../dashboard/src/i18n/zone-days.ts';
import { areDays, spanOf } from '../../dashboard/src/screens/overview/days-asked.ts';

describe('the days that the overview asks for', () => {
  const until = '2026-10-31';
  const isAnswered = (days: number): boolean => {
    const timeZone = 'Europe/Berlin';
    const { from, to, interval } = spanOf(dayAfter(until, 1 - days), until, timeZone);
    return timeseriesQuery.safeParse({ from, to, interval, timeZone }).success;
  };
  const isAsked = (days: number): boolean => areDays(dayAfter(until, 1 - days), until);

  it('are as many as the service answers, whatever the clocks did in them', () => {
    const most = 3_700;
    expect([isAnswered(most), isAnswered(most + 1)]).to.deep.equal([true, false]);
    expect([isAsked(most), isAsked(most + 1)]).to.deep.equal([true, false]);
    for (const days of [1, 2, 3, 120, 121])
      expect([isAsked(days), isAnswered(days)]).to.deep.equal([true, true]);
  });

  it('are two that there are, in order', () => {
    expect(areDays(until, until)).to.equal(true);
    expect(areDays('2026-11-01', until)).to.equal(false);
    expect(areDays('2026-10-32', until)).to.equal(false);
    expect(areDays(undefined, until)).to.equal(false);
  });
});
