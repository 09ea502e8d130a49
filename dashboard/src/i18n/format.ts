/** Numbers, times and places in the reader's language and the organization's time zone. */
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../auth/me.ts';

export interface Formats {
  number(value: number): string;
  /** 12K, 1.2M. */
  compact(value: number): string;
  /** 0.125 becomes 12.5%. */
  percent(share: number): string;
  bytes(value: number): string;
  /** Day and time of day. */
  instant(iso: string | Date): string;
  day(iso: string | Date): string;
  /** With seconds and the zone's name: the exact instant. */
  exact(iso: string | Date): string;
  /** "3 minutes ago". */
  ago(iso: string | Date, now?: Date): string;
  /** A calendar day `YYYY-MM-DD`, which is in no zone. */
  calendarDay(day: string): string;
  /** "Japan" for JP; the code itself where there is no name. */
  country(code: string): string;
  list(parts: readonly string[]): string;
  kilometres(value: number): string;
  timeZone: string;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** @param tag a BCP 47 tag; Arabic with Western digits, as the codes and ids beside them have. */
export function createFormats(tag: string, timeZone: string): Formats {
  const locale = tag === 'ar' ? 'ar-u-nu-latn' : tag;
  const make = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options);
  const number = make({ maximumFractionDigits: 1 });
  const compact = make({ notation: 'compact', maximumFractionDigits: 1 });
  const percent = make({ style: 'percent', maximumFractionDigits: 1 });
  const kilometre = make({ style: 'unit', unit: 'kilometer', maximumFractionDigits: 0 });
  const instant = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  const day = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium' });
  const calendar = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' });
  const exact = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'full', timeStyle: 'long' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const regions = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' });
  return {
    number: (value) => number.format(value),
    compact: (value) => compact.format(value),
    percent: (share) => percent.format(share),
    bytes(value) {
      const step = value < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(value) / 3));
      const unit = UNITS[step]!;
      return make({ style: 'unit', unit, maximumFractionDigits: step === 0 ? 0 : 1 }).format(
        value / 1000 ** step,
      );
    },
    instant: (iso) => instant.format(new Date(iso)),
    day: (iso) => day.format(new Date(iso)),
    exact: (iso) => exact.format(new Date(iso)),
    ago(iso, now = new Date()) {
      const seconds = (new Date(iso).getTime() - now.getTime()) / 1000;
      const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
      return relative.format(Math.round(seconds / size), unit);
    },
    calendarDay: (text) => calendar.format(new Date(`${text}T00:00:00Z`)),
    country: (code) => regions.of(code) ?? code,
    list: (parts) => lists.format(parts),
    kilometres: (value) => kilometre.format(value),
    timeZone,
  };
}

/** Formats of the reader's language and, once signed in, of the organization's time zone. */
export function useFormats(): Formats {
  const { i18n } = useTranslation();
  const zone = useMe()?.organization.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return useMemo(() => createFormats(i18n.language, zone), [i18n.language, zone]);
}
