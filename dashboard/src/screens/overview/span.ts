/** The span of time in the address: `range` (the last days) or `since` and `until`, days of the organization's time zone. */
import { useMemo } from 'react';
import { useFilters } from '../../components/use-filters.ts';
import { useFormats } from '../../i18n/format.ts';
import { dayAfter, dayOf } from '../../i18n/zone-days.ts';
import { areDays, spanOf, type Span } from './days-asked.ts';

export type { Span } from './days-asked.ts';

export const RANGES = { '7d': 7, '30d': 30, '90d': 90 } as const;
export const USUAL_RANGE = '30d';
/** For a link to the list of scans: the very days, as its own last 30 are hours counted from now. */
export const daysInAddress = ({ since, until }: Span) => ({ range: 'own', since, until });

export const isRange = (text: string | undefined): text is keyof typeof RANGES =>
  text !== undefined && Object.hasOwn(RANGES, text);

/** What the address says; the last 30 days where it says nothing that makes sense. */
export function useSpan(): Span {
  const [{ range, since, until }] = useFilters();
  const { timeZone } = useFormats();
  const today = dayOf(new Date(), timeZone);
  return useMemo(() => {
    if (areDays(since, until)) return spanOf(since!, until!, timeZone);
    const days = RANGES[isRange(range) ? range : USUAL_RANGE];
    return spanOf(dayAfter(today, 1 - days), today, timeZone);
  }, [range, since, until, today, timeZone]);
}
