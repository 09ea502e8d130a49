import { expect } from 'chai';
import { amountsAt } from '../../dashboard/src/screens/overview/amounts-at.ts';
import {
  dayAfter,
  dayOf,
  daysBetween,
  instantAt,
  instantsOf,
  isDay,
  startOfDay,
} from '../../dashboard/src/i18n/zone-days.ts';

describe('the days of a time zone, as the dashboard asks for them', () => {
  for (const [day, timeZone, start] of [
    ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20', 'Asia/Kolkata', '2026-11-19T18:30:00.000Z'],
    // The clocks went forward at one o'clock, back at two.
    ['2026-03-29', 'Europe/Lisbon', '2026-03-29T00:00:00.000Z'],
    ['2026-03-30', 'Europe/Lisbon', '2026-03-29T23:00:00.000Z'],
    ['2026-10-26', 'Europe/Lisbon', '2026-10-26T00:00:00.000Z'],
    // Midnight comes twice: the first, as the service has it.
    ['2026-10-25', 'Atlantic/Azores', '2026-10-25T00:00:00.000Z'],
    ['2026-10-26', 'Atlantic/Azores', '2026-10-26T01:00:00.000Z'],
  ] as const)
    it(`begin when the calendar of ${timeZone} says so: ${day}`, () => {
      const at = startOfDay(day, timeZone);
      expect(at.toISOString()).to.equal(start);
      expect(dayOf(at, timeZone)).to.equal(day);
      expect(dayOf(new Date(at.getTime() - 1), timeZone)).to.equal(dayAfter(day, -1));
    });

  it('bound what lies between two of them, in whichever order, and nothing where they are none', () => {
    const between = { from: '2026-11-19T18:30:00.000Z', to: '2026-11-21T18:30:00.000Z' };
    const of = (since?: string, until?: string) => instantsOf(since, until, 'Asia/Kolkata');
    expect(of('2026-11-20', '2026-11-21')).to.deep.equal(between);
    expect(of('2026-11-21', '2026-11-20')).to.deep.equal(between);
    expect(of('2026-11-20')).to.deep.equal({ from: between.from });
    expect(of('2026-13-01', '2026-11-21')).to.deep.equal({ to: between.to });
  });

  it('are the same in browsers that write dates otherwise', () => {
    const own = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')!;
    const otherwise = () => '11/20/2026';
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      configurable: true,
      get: () => otherwise,
    });
    try {
      expect(dayOf(new Date('2026-11-20T12:00:00Z'), 'UTC')).to.equal('2026-11-20');
    } finally {
      Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', own);
    }
  });

  for (const [wall, timeZone, at] of [
    ['2026-07-01T09:30', 'Europe/Paris', '2026-07-01T07:30:00.000Z'],
    ['2026-12-01T09:30', 'Asia/Kolkata', '2026-12-01T04:00:00.000Z'],
    ['2026-10-25T12:00', 'Europe/Lisbon', '2026-10-25T12:00:00.000Z'],
    // Shown twice: the first time.
    ['2026-10-25T02:30', 'Europe/Paris', '2026-10-25T00:30:00.000Z'],
    // Never shown: not before the clocks are past it.
    ['2027-03-14T02:30', 'America/New_York', '2027-03-14T07:30:00.000Z'],
    ['2027-03-28T02:30', 'Europe/Paris', '2027-03-28T01:30:00.000Z'],
  ] as const)
    it(`have hours by the clocks of ${timeZone}: ${wall}`, () => {
      expect(instantAt(wall, timeZone)?.toISOString()).to.equal(at);
    });

  it('have no hours in years that somebody is still typing, nor beyond four digits', () => {
    for (const wall of ['0002-07-01T09:30', '20270-07-01T09:30', '2027-02-31T25:00', '2027-07-01', ''])
      expect(instantAt(wall, 'Europe/Paris'), wall).to.equal(null);
  });

  it('are counted by the calendar, over the end of a year and a leap day', () => {
    expect(dayAfter('2027-12-31', 60)).to.equal('2028-02-29');
    expect(daysBetween('2027-12-31', '2028-02-29')).to.equal(60);
  });

  it('are nothing else', () => {
    for (const text of ['2026-13-01', '2026-1-1', 'today', '', undefined])
      expect(isDay(text)).to.equal(false);
  });

  it('have their amounts also where the service has them begin an hour earlier or later', () => {
    const at = ['2026-11-24', '2026-11-25', '2026-11-26'].map((day) => `${day}T08:00:00.000Z`);
    const points = (hour: string) => [
      { at: `2026-11-24T${hour}:00:00.000Z`, scans: 2 },
      { at: `2026-11-26T${hour}:00:00.000Z`, scans: 3 },
    ];
    for (const hour of ['07', '08', '09']) expect(amountsAt(at, points(hour))).to.deep.equal([2, 0, 3]);
  });
});
