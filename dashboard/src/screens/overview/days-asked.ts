/** Spans of days in a time zone, as the overview asks for their figures. */
import { dayAfter, daysBetween, isDay, startOfDay } from '../../i18n/zone-days.ts';

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

/** Whether the address names two days, in order, that are not too many. */
export function areDays(since: string | undefined, until: string | undefined): boolean {
  if (!isDay(since) || !isDay(until)) return false;
  return since <= until && daysBetween(since, until) < MOST_DAYS_AT_ALL;
}

/** @param until not before `since`. */
export function spanOf(since: string, until: string, timeZone: string): Span {
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
