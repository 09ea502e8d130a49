/**
 * Amounts by the intervals of a span, each in the one that begins nearest: the service may know another rule of the time zone than this
 * browser, and its days begin an hour earlier or later.
 * @param at when the intervals begin, ascending
 */
export function amountsAt(at: readonly string[], points: readonly { at: string; scans: number }[]): number[] {
  const starts = at.map((iso) => Date.parse(iso));
  const amounts = starts.map(() => 0);
  for (const point of points) {
    const begins = Date.parse(point.at);
    const next = starts.findIndex((start) => start >= begins);
    const after = next === -1 ? starts.length - 1 : next;
    const isBeforeNearer = after > 0 && begins - starts[after - 1]! < starts[after]! - begins;
    amounts[isBeforeNearer ? after - 1 : after]! += point.scans;
  }
  return amounts;
}
