/** The span of time in the address: `range` (the last days) or `since` and `until`, days of the organization's time zone. */
import { useMemo } from 'react';
import { useFilters } from '../../components/use-filters.ts';
import { useFormats } from '../../i18n/format.ts';

export const RANGES = { '7d': 7, '30d': 30, '90d': 90 } as const;
export const USUAL_RANGE = '30d';
const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** More days than this are shown by week; two or fewer by hour. */
const MOST_DAYS = 120;
const FEW_DAYS = 2;
/** As many as the service answers by week. */
const MOST_DAYS_AT_ALL = 3_700;

export interface Span {
  /** First and last day, `YYYY-MM-DD`. */
  since: string;
  until: string;
  /** Instants; `to` is not included. */
  from: string;
  to: string;
  interval: 'hour' | 'day' | 'week';
  /** When each interval begins. */
  at: string[];
}

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export const dayOf = (at: Date, timeZone: string): string =>
  // Canada writes days as ISO 8601 does.
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at,
  );

/** How far the zone is ahead of UTC at an instant, in ms. */
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

/** @returns the instant at which a day begins in a zone. */
function startOf(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const near = midnight - aheadMs(midnight, timeZone);
  return new Date(midnight - aheadMs(near, timeZone));
}

/** @param until not before `since`. */
export function spanOf(since: string, until: string, timeZone: string): Span {
  const days = Math.round((Date.parse(until) - Date.parse(since)) / DAY_MS) + 1;
  const interval = days <= FEW_DAYS ? 'hour' : days <= MOST_DAYS ? 'day' : 'week';
  const from = startOf(since, timeZone);
  const to = startOf(dayAfter(until, 1), timeZone);
  const at: string[] = [];
  if (interval === 'hour') {
    for (let hour = from.getTime(); hour < to.getTime(); hour += 3_600_000)
      at.push(new Date(hour).toISOString());
  } else {
    // Weeks begin on Monday, as those of the service.
    const weekday = (new Date(`${since}T00:00:00Z`).getUTCDay() + 6) % 7;
    const first = interval === 'week' ? dayAfter(since, -weekday) : since;
    for (let day = first; day <= until; day = dayAfter(day, interval === 'week' ? 7 : 1))
      at.push(startOf(day, timeZone).toISOString());
  }
  return { since, until, from: from.toISOString(), to: to.toISOString(), interval, at };
}

export const isRange = (text: string | undefined): text is keyof typeof RANGES =>
  text !== undefined && text in RANGES;

/** What the address says; the last 30 days where it says nothing that makes sense. */
export function useSpan(): Span {
  const [{ range, since, until }] = useFilters();
  const { timeZone } = useFormats();
  const today = dayOf(new Date(), timeZone);
  return useMemo(() => {
    const isDay = (text: string | undefined): text is string =>
      text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text));
    if (isDay(since) && isDay(until) && since <= until && dayAfter(since, MOST_DAYS_AT_ALL) >= until)
      return spanOf(since, until, timeZone);
    const days = RANGES[isRange(range) ? range : USUAL_RANGE];
    return spanOf(dayAfter(today, 1 - days), today, timeZone);
  }, [range, since, until, today, timeZone]);
}
