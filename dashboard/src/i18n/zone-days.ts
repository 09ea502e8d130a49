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

export const dayOf = (at: Date, timeZone: string): string =>
  // Canada writes days as ISO 8601 does.
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at,
  );

/** How far a zone is ahead of UTC at an instant, in ms. */
function aheadMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at);
  const of = (type: string) => parts.find((part) => part.type === type)!.value;
  const wall = `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:00Z`;
  return Date.parse(wall) - Math.floor(at / 60_000) * 60_000;
}

/** @returns the instant at which a clock of a zone shows `YYYY-MM-DDThh:mm`; of two, or where clocks skip it, one close by. */
export function instantAt(wall: string, timeZone: string): Date {
  const there = Date.parse(`${wall}:00Z`);
  const near = there - aheadMs(there, timeZone);
  return new Date(there - aheadMs(near, timeZone));
}

/** @returns the instant at which a day begins in a zone. */
export const startOfDay = (day: string, timeZone: string): Date => instantAt(`${day}T00:00`, timeZone);
