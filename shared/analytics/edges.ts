/**
 * When the hours, days and weeks of a time zone begin. By the zones that this process knows, which are those that a caller's name was
 * checked against: Postgres has names and rules of its own, takes `CET` for an hour ahead of UTC all year, and on some systems
 * refuses `Asia/Calcutta`, which browsers call India's (ADR 0131).
 */
import type { Range } from './steps.ts';

export interface Buckets {
  interval: 'hour' | 'day' | 'week';
  /** An IANA name. */
  timeZone: string;
}

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** ISO 8601 has a year 0, which Postgres would not read. */
const FIRST = Date.parse('0001-01-01T00:00:00Z');
/** Before the first clocks of any zone, and where years still have four digits: offsets beyond are those of here. */
const [OLDEST, NEWEST] = [Date.parse('1800-01-01T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z')];

const floor = (at: number, step: number): number => Math.floor(at / step) * step;

/** @returns how far a zone is ahead of UTC at an instant, in ms. It changes at most once a UTC day. */
function clockOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const ask = (at: number): number => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
    );
    const { year, month, day, hour, minute, second } = parts as Record<string, number>;
    return Date.UTC(year!, month! - 1, day, hour, minute, second) - floor(at, 1000);
  };
  // Asking takes some µs, and the edges of a month by the hour are those of 3,000 quarters.
  const byDay = new Map<number, number>();
  const atStartOf = (day: number): number => {
    const known = byDay.get(day);
    if (known !== undefined) return known;
    const offset = ask(day);
    byDay.set(day, offset);
    return offset;
  };
  return (at) => {
    const asked = Math.min(Math.max(at, OLDEST), NEWEST);
    const day = floor(asked, DAY_MS);
    const offset = atStartOf(day);
    return offset === atStartOf(day + DAY_MS) ? offset : ask(asked);
  };
}

/**
 * The edges of the buckets that a range touches, ascending; the first is where it begins, or before it. A day begins at the first moment of
 * its date: where midnight comes twice, as in the Azores each October, at the first.
 */
export function listEdges({ from, to }: Range, { interval, timeZone }: Buckets): Date[] {
  const aheadMs = clockOf(timeZone);
  const starts = interval === 'hour' ? hoursOf(from, to, aheadMs) : datesOf(from, to, interval, aheadMs);
  return starts.map((at) => new Date(Math.max(at, FIRST)));
}

function hoursOf(from: Date, to: Date, aheadMs: (at: number) => number): number[] {
  const hours = new Set<number>();
  for (let at = floor(from.getTime(), QUARTER_MS); at < to.getTime(); at += QUARTER_MS) {
    const ahead = aheadMs(at);
    hours.add(floor(at + ahead, HOUR_MS) - ahead);
  }
  return [...hours].sort((a, b) => a - b);
}

function datesOf(from: Date, to: Date, interval: 'day' | 'week', aheadMs: (at: number) => number): number[] {
  const step = interval === 'week' ? 7 * DAY_MS : DAY_MS;
  const date = floor(from.getTime() + aheadMs(from.getTime()), DAY_MS);
  // Weeks begin on Monday; 1970 did on a Thursday.
  const weekday = (((date / DAY_MS + 3) % 7) + 7) % 7;
  const starts: number[] = [];
  for (let midnight = interval === 'week' ? date - weekday * DAY_MS : date; ; midnight += step) {
    const at = instantOf(midnight, aheadMs);
    if (at >= to.getTime()) return starts;
    starts.push(at);
  }
}

/** @param shown what clocks show, as UTC. @returns the first instant at which they do; where they skip it, that at which they did. */
function instantOf(shown: number, aheadMs: (at: number) => number): number {
  const [before, after] = [aheadMs(shown - DAY_MS), aheadMs(shown + DAY_MS)];
  const instants = [shown - before, shown - after].filter((at) => at + aheadMs(at) === shown);
  return instants.length === 0 ? shown - before : Math.min(...instants);
}
