/** Cutting a time range into whole UTC days, whole hours and quarters of an hour: the steps of the roll-ups. */
export interface Range {
  from: Date;
  /** Not included. */
  to: Date;
}

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const ceil = (at: number, step: number): number => Math.ceil(at / step) * step;
const floor = (at: number, step: number): number => Math.floor(at / step) * step;
const rangeOf = (from: number, to: number): Range => ({ from: new Date(from), to: new Date(to) });

/** Days within the years 1 to 9999: Postgres has no year 0, and beyond 9999 ISO 8601 needs a sign. */
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T00:00:00Z');
const clamped = (at: number): number => Math.min(Math.max(at, FIRST), LAST);

const touched = ({ from, to }: Range, step: number): Range =>
  rangeOf(clamped(floor(from.getTime(), step)), clamped(ceil(to.getTime(), step)));

/** The quarters that a range touches, which are what is counted of it: no roll-up knows anything finer. */
export const quartersOf = (range: Range): Range => touched(range, QUARTER_MS);

/** The UTC days that a range touches. */
export const daysOf = (range: Range): Range => touched(range, DAY_MS);

export interface Steps {
  /** Whole steps, or nothing. */
  inner: Range | null;
  /** What is left before and after, in quarters. */
  ends: Range[];
}

/** The whole steps within a range, and the quarters at its ends. */
function cut(range: Range, step: number): Steps {
  const quarters = quartersOf(range);
  const [start, end] = [quarters.from.getTime(), quarters.to.getTime()];
  const [first, last] = [ceil(start, step), floor(end, step)];
  if (first >= last) return { inner: null, ends: start < end ? [rangeOf(start, end)] : [] };
  const ends = [rangeOf(start, first), rangeOf(last, end)].filter((range) => range.from < range.to);
  return { inner: rangeOf(first, last), ends };
}

export const cutByDay = (range: Range): Steps => cut(range, DAY_MS);

/** What a range is read from, each part from the widest roll-up that has it. */
export interface Parts {
  /** Runs of whole UTC days amid which no bucket begins. */
  days: Range[];
  /** Runs of such hours: of days amid which one begins, as those of weeks do in Berlin. */
  hours: Range[];
  /** What is left: at the ends, and of hours amid which a bucket begins, as days do in Kolkata. */
  quarters: Range[];
}

/** @param edges when the buckets begin, ascending */
export function partsOf(range: Range, edges: readonly Date[]): Parts {
  const byDay = divide([quartersOf(range)], DAY_MS, edges);
  const byHour = divide(byDay.rest, HOUR_MS, edges);
  return { days: byDay.whole, hours: byHour.whole, quarters: byHour.rest };
}

/** Runs of whole steps amid which no bucket begins, and what is left. */
function divide(
  ranges: readonly Range[],
  step: number,
  edges: readonly Date[],
): { whole: Range[]; rest: Range[] } {
  const amid = edges.map((edge) => edge.getTime()).filter((at) => at % step !== 0);
  const whole: Range[] = [];
  const rest: Range[] = [];
  for (const range of ranges) {
    const { inner, ends } = cut(range, step);
    rest.push(...ends);
    if (inner === null) continue;
    let from = inner.from.getTime();
    const to = inner.to.getTime();
    for (const at of new Set(amid.filter((at) => at > from && at < to).map((at) => floor(at, step)))) {
      if (from < at) whole.push(rangeOf(from, at));
      from = at + step;
      rest.push(rangeOf(at, from));
    }
    if (from < to) whole.push(rangeOf(from, to));
  }
  return { whole, rest: joined(rest) };
}

/** Ranges that touch as one. */
function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const last = result.at(-1);
    if (last !== undefined && last.to.getTime() === range.from.getTime()) last.to = range.to;
    else result.push({ ...range });
  }
  return result;
}
