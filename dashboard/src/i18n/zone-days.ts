/** Days, `YYYY-MM-DD`, as a calendar in some time zone has them. */

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const isDay = (text: string | undefined): text is string =>
  text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text));

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** @returns how many days after the first the second is. */
export const daysBetween = (first: string, second: string): number =>
  Math.round((Date.parse(second) - Date.parse(first)) / DAY_MS);

/** By their names: how a language puts them together is each browser's own, and changes with its version. */
function partsOf(at: Date | number, format: Intl.DateTimeFormat): (type: string) => string {
  const parts = format.formatToParts(at);
  return (type) => parts.find((part) => part.type === type)!.value;
}

export function dayOf(at: Date, timeZone: string): string {
  const of = partsOf(
    at,
    new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  );
  return `${of('year')}-${of('month')}-${of('day')}`;
}

/** How far a zone is ahead of UTC at an instant, in ms. */
function aheadMs(at: number, timeZone: string): number {
  const of = partsOf(
    at,
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    }),
  );
  const wall = `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:00Z`;
  return Date.parse(wall) - Math.floor(at / 60_000) * 60_000;
}

/** Years before the first clocks, and those that four digits do not name, are nobody's. */
const WALL = /^(19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d$/;

/**
 * @param wall `YYYY-MM-DDThh:mm`, from 1970 to 9999
 * @returns the first instant at which a clock of the zone shows it; where clocks skip it, what it would be by those of before. Null for
 *   what is none.
 */
export function instantAt(wall: string, timeZone: string): Date | null {
  const there = Date.parse(`${wall}:00Z`);
  if (!WALL.test(wall) || Number.isNaN(there)) return null;
  const [before, after] = [aheadMs(there - DAY_MS, timeZone), aheadMs(there + DAY_MS, timeZone)];
  const shown = [there - before, there - after].filter((at) => at + aheadMs(at, timeZone) === there);
  return new Date(shown.length === 0 ? there - before : Math.min(...shown));
}

/** @returns the instant at which a day begins in a zone. */
export const startOfDay = (day: string, timeZone: string): Date =>
  instantAt(`${day}T00:00`, timeZone) ?? new Date(`${day}T00:00:00Z`);

/**
 * The instants from the first of two days to the end of the second; what is no day bounds nothing. Two in the wrong order are
 * those between them: whoever types a year passes by earlier ones.
 */
export function instantsOf(
  since: string | undefined,
  until: string | undefined,
  timeZone: string,
): { from?: string; to?: string } {
  const isTurned = isDay(since) && isDay(until) && until < since;
  const [first, last] = isTurned ? [until, since] : [since, until];
  return {
    ...(isDay(first) ? { from: startOfDay(first, timeZone).toISOString() } : {}),
    ...(isDay(last) ? { to: startOfDay(dayAfter(last, 1), timeZone).toISOString() } : {}),
  };
}
