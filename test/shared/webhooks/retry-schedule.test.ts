import { expect } from 'chai';
import fc from 'fast-check';
import {
  DEFAULT_RETRY_DELAYS_SECONDS,
  MAX_RETRY_AFTER_SECONDS,
  nextAttempt,
  parseRetryAfter,
  retryAfterAt,
  retryDelaysSchema,
} from '../../../shared/webhooks/retry-schedule.ts';

const now = new Date('2026-11-20T09:30:00Z');
const failed = {
  attempts: 1,
  now,
  random: () => 0.5,
};
const secondsUntil = (at: Date | null) => (at === null ? null : (at.getTime() - now.getTime()) / 1000);

describe('the retry schedule', () => {
  it('waits 5 s, 30 s, 2 min, 15 min, 1 h, 4 h, 12 h, 24 h, 30 h, then gives up: three days', () => {
    const waits = Array.from({ length: 10 }, (_, index) =>
      secondsUntil(nextAttempt({ ...failed, attempts: index + 1 })),
    );
    expect(waits).to.deep.equal([5, 30, 120, 900, 3600, 14_400, 43_200, 86_400, 108_000, null]);
    const hours = DEFAULT_RETRY_DELAYS_SECONDS.reduce((sum, delay) => sum + delay, 0) / 3600;
    expect(hours).to.be.within(71, 72);
  });

  it('spreads each wait by a fifth either way and never beyond', () => {
    expect(secondsUntil(nextAttempt({ ...failed, random: () => 0 }))).to.equal(4);
    expect(secondsUntil(nextAttempt({ ...failed, random: () => 1 - 2 ** -53 }))).to.be.closeTo(6, 0.001);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, r) => {
          const delay = DEFAULT_RETRY_DELAYS_SECONDS[attempts - 1]!;
          expect(secondsUntil(nextAttempt({ ...failed, attempts, random: () => r }))).to.be.within(
            delay * 0.8 - 0.001,
            delay * 1.2 + 0.001,
          );
        },
      ),
    );
  });

  it('follows an endpoint’s own schedule, and makes one attempt with an empty one', () => {
    expect(secondsUntil(nextAttempt({ ...failed, attempts: 2, delaysSeconds: [1, 7] }))).to.equal(7);
    expect(nextAttempt({ ...failed, attempts: 3, delaysSeconds: [1, 7] })).to.equal(null);
    expect(nextAttempt({ ...failed, delaysSeconds: [] })).to.equal(null);
  });

  const asked = (status: number | null, retryAfter: string) =>
    secondsUntil(retryAfterAt({ status, retryAfter }, now));

  for (const status of [429, 503]) {
    it(`waits as long as Retry-After asks on a ${status}, as seconds and as a date`, () => {
      expect(asked(status, '600')).to.equal(600);
      expect(asked(status, 'Fri, 20 Nov 2026 09:45:00 GMT')).to.equal(900);
    });
  }

  it('lets Retry-After postpone by no more than a day', () => {
    for (const seconds of ['9999999999', '999999999999', '9'.repeat(400)])
      expect(asked(503, seconds), seconds).to.equal(MAX_RETRY_AFTER_SECONDS);
  });

  it('ignores Retry-After on any other answer, and when it is malformed or in the past', () => {
    for (const status of [500, 502, 404, 301, null]) expect(asked(status, '600')).to.equal(null);
    for (const retryAfter of [
      '',
      '-5',
      '1.5',
      '1e3',
      'soon',
      'Fri, 20 Nov 2020 09:45:00 GMT',
      '2026-11-21',
    ]) {
      expect(asked(429, retryAfter)).to.equal(null);
    }
  });

  it('reads all three date forms of HTTP', () => {
    const before = new Date('1994-11-06T08:49:00Z');
    for (const text of [
      'Sun, 06 Nov 1994 08:49:37 GMT',
      'Sunday, 06-Nov-94 08:49:37 GMT',
      'Sun Nov  6 08:49:37 1994',
    ]) {
      expect(parseRetryAfter(text, before), text).to.equal(37);
    }
  });

  it('never throws and never returns a useless number, whatever the header says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const seconds = parseRetryAfter(text, now);
        expect(seconds === null || (Number.isFinite(seconds) && seconds >= 0)).to.equal(true);
      }),
    );
  });

  it('accepts schedules of up to thirty waits over seven days', () => {
    expect(retryDelaysSchema.safeParse([1, 60]).success).to.equal(true);
    expect(retryDelaysSchema.safeParse([]).success).to.equal(true);
    for (const bad of [
      [0],
      [1.5],
      [172_801],
      Array.from({ length: 31 }, () => 1),
      Array.from({ length: 4 }, () => 172_800),
    ]) {
      expect(retryDelaysSchema.safeParse(bad).success, JSON.stringify(bad)).to.equal(false);
    }
  });
});
