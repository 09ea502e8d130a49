/**
 * Cutting a time range into whole UTC days, whole hours and quarters of an hour: the steps of the roll-ups. Bounds within a quarter
 * go up to the next one.
 */
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

export interface Steps {
  /** Whole steps, or nothing. */
  inner: Range | null;
  /** What is left before and after, in quarters. */
  ends: Range[];
}

/** The whole steps within a range, and the quarters at its ends. */
function cut({ from, to }: Range, step: number): Steps {
  const start = ceil(from.getTime(), QUARTER_MS);
  const end = ceil(to.getTime(), QUARTER_MS);
  const [first, last] = [ceil(start, step), floor(end, step)];
  if (first >= last) return { inner: null, ends: start < end ? [rangeOf(start, end)] : [] };
  const ends = [rangeOf(start, first), rangeOf(last, end)].filter((range) => range.from < range.to);
  return { inner: rangeOf(first, last), ends };
}

export const cutByDay = (range: Range): Steps => cut(range, DAY_MS);

export interface HourSteps {
  /** Whole hours, but for those that are split. */
  hours: Range | null;
  /** When the hours begin amid which a bucket begins. */
  split: Date[];
  /** What is left, the split hours included. */
  quarters: Range[];
}

/**
 * The hours of a range, and the quarters at its ends and of those hours amid which a bucket begins, as days do in Kolkata.
 * @param edges when the buckets begin, ascending
 */
export function cutByHour(range: Range, edges: readonly Date[]): HourSteps {
  const { inner, ends } = cut(range, HOUR_MS);
  if (inner === null) return { hours: null, split: [], quarters: ends };
  const begins = new Set(
    edges
      .map((edge) => edge.getTime())
      .filter((at) => at % HOUR_MS !== 0 && at > inner.from.getTime() && at < inner.to.getTime()),
  );
  const split = [...new Set([...begins].map((at) => floor(at, HOUR_MS)))].map((at) => new Date(at));
  const isAll = split.length * HOUR_MS === inner.to.getTime() - inner.from.getTime();
  const quarters = [...ends, ...split.map((at) => rangeOf(at.getTime(), at.getTime() + HOUR_MS))];
  return { hours: isAll ? null : inner, split, quarters: joined(quarters) };
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
