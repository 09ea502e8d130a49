/** The span of time in the address: `range` (the last days) or `since` and `until`, days of the organization's time zone. */
import { useMemo } from 'react';
import { useFilters } from '../../components/use-filters.ts';
import { useFormats } from '../../i18n/format.ts';
import { dayAfter, dayOf, daysBetween, isDay, startOfDay } from '../../i18n/zone-days.ts';

export const RANGES = { '7d': 7, '30d': 30, '90d': 90 } as const;
export const USUAL_RANGE = '30d';
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

/** For a link to the list of scans: the very days, as its own last 30 are hours counted from now. */
export const daysInAddress = ({ since, until }: Span) => ({ range: 'own', since, until });

/** @param until not before `since`. */
function spanOf(since: string, until: string, timeZone: string): Span {
  const days = daysBetween(since, until) + 1;
  const interval = days <= FEW_DAYS ? 'hour' : days <= MOST_DAYS ? 'day' : 'week';
  const from = startOfDay(since, timeZone);
  const to = startOfDay(dayAfter(until, 1), timeZone);
  const at: string[] = [];
  if (interval === 'hour') {
    for (let hour = from.getTime(); hour < to.getTime(); hour += 3_600_000)
      at.push(new Date(hour).toISOString());
  } else {
    // Weeks begin on Monday, as those of the service.
    const weekday = (new Date(`${since}T00:00:00Z`).getUTCDay() + 6) % 7;
    const first = interval === 'week' ? dayAfter(since, -weekday) : since;
    for (let day = first; day <= until; day = dayAfter(day, interval === 'week' ? 7 : 1))
      at.push(startOfDay(day, timeZone).toISOString());
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
    if (isDay(since) && isDay(until) && since <= until && dayAfter(since, MOST_DAYS_AT_ALL) >= until)
      return spanOf(since, until, timeZone);
    const days = RANGES[isRange(range) ? range : USUAL_RANGE];
    return spanOf(dayAfter(today, 1 - days), today, timeZone);
  }, [range, since, until, today, timeZone]);
}
