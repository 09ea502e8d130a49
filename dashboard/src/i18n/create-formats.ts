/** Numbers, times and places in a language and a time zone. */
import { distanceIn, durationIn, labelledIn, localeOf, seriesIn } from './phrases.ts';
import { dayOf, daysBetween } from './zone-days.ts';

export interface Formats {
  number(value: number): string;
  /** For a text that says how far something is: its noun goes by the whole (`count`), and is plural while nobody knows it. */
  progress(done: number, total: number | null): { count: number; done: string; total: string };
  /** 12K, 1.2M. */
  compact(value: number): string;
  /** With so many digits behind the point, no more and no fewer. */
  decimal(value: number, digits: number): string;
  /** 0.125 becomes 12.5%. */
  percent(share: number): string;
  bytes(value: number): string;
  /** Day and time of day. */
  instant(iso: string | Date): string;
  day(iso: string | Date): string;
  /** From the day of one instant to that of another; the one day where they are the same. */
  days(first: string | Date, last: string | Date): string;
  /** With seconds and the zone's name: the exact instant. */
  exact(iso: string | Date): string;
  /** "3 minutes ago"; from a day on by the calendar: "yesterday" is the day before today. */
  ago(iso: string | Date, now?: Date): string;
  /** A calendar day `YYYY-MM-DD`, which is in no zone. */
  calendarDay(day: string): string;
  /** From one calendar day to another. */
  calendarDays(first: string, last: string): string;
  /** "Japan" for JP; the code itself where there is no name. */
  country(code: string): string;
  list(parts: readonly string[]): string;
  /** With nothing but the language's comma between them. */
  series(parts: readonly string[]): string;
  /** "Japan: 12". */
  labelled(label: string, value: string): string;
  /** Metres below one kilometre. */
  kilometres(value: number): string;
  /** "40 minutes", "3.5 hours", "2 days". */
  duration(seconds: number): string;
  timeZone: string;
  /** For formats that are one place's alone. */
  locale: string;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const DAY_S = 86_400;
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** @param tag a BCP 47 tag */
export function createFormats(tag: string, timeZone: string): Formats {
  const locale = localeOf(tag);
  const make = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options);
  const number = make({ maximumFractionDigits: 1 });
  const compact = make({ notation: 'compact', maximumFractionDigits: 1 });
  const percent = make({ style: 'percent', maximumFractionDigits: 1 });
  const instant = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  const day = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium' });
  const calendar = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' });
  const exact = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'full', timeStyle: 'long' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const regions = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' });
  return {
    number: (value) => number.format(value),
    progress: (done, total) => ({
      count: total ?? 2,
      done: number.format(done),
      total: total === null ? '…' : number.format(total),
    }),
    compact: (value) => compact.format(value),
    decimal: (value, digits) =>
      make({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value),
    percent: (share) => percent.format(share),
    bytes(value) {
      const step = value < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(value) / 3));
      const unit = UNITS[step]!;
      return make({
        style: 'unit',
        unit,
        // Short, it is "919 byte".
        unitDisplay: step === 0 ? 'long' : 'short',
        maximumFractionDigits: step === 0 ? 0 : 1,
      }).format(value / 1000 ** step);
    },
    instant: (iso) => instant.format(new Date(iso)),
    day: (iso) => day.format(new Date(iso)),
    days: (first, last) => day.formatRange(new Date(first), new Date(last)),
    exact: (iso) => exact.format(new Date(iso)),
    ago(iso, now = new Date()) {
      const at = new Date(iso);
      const seconds = (at.getTime() - now.getTime()) / 1000;
      const days = daysBetween(dayOf(now, timeZone), dayOf(at, timeZone));
      // A day on which clocks go back has 25 hours: the first of them is still of today.
      if (Math.abs(seconds) >= DAY_S && days !== 0) return relative.format(days, 'day');
      const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
      return relative.format(Math.round(seconds / size), unit);
    },
    calendarDay: (text) => calendar.format(midnight(text)),
    calendarDays: (first, last) => calendar.formatRange(midnight(first), midnight(last)),
    country: (code) => regions.of(code) ?? code,
    list: (parts) => lists.format(parts),
    series: seriesIn(tag),
    labelled: labelledIn(tag),
    kilometres: distanceIn(locale),
    duration: durationIn(locale),
    timeZone,
    locale,
  };
}
