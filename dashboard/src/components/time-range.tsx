import { Group, Select, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../i18n/format.ts';
import { useFilters } from './use-filters.ts';

const HOURS: Record<string, number> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24, '90d': 90 * 24 };
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** How far a zone is ahead of UTC at an instant, in ms. */
function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return wall - Math.floor(at / 1000) * 1000;
}

/** @returns when a calendar day begins in a zone. @param add so many days later. */
export function startOfDay(day: string, timeZone: string, add = 0): string {
  const midnight = Date.parse(`${day}T00:00:00Z`) + add * 86_400_000;
  const guess = midnight - offsetMs(midnight, timeZone);
  return new Date(midnight - offsetMs(guess, timeZone)).toISOString();
}

/** The span in the address (`range`, or `since` and `until` as days of the organization's time zone), as instants. */
export function useTimeRange(): { from?: string; to?: string } {
  const [{ range, since, until }] = useFilters();
  const { timeZone } = useFormats();
  // When the screen was opened: drawing again asks nothing new.
  const [now] = useState(() => Date.now());
  return useMemo(() => {
    const hours = HOURS[range ?? ''];
    if (hours !== undefined) return { from: new Date(now - hours * 3_600_000).toISOString() };
    return {
      ...(DAY.test(since ?? '') ? { from: startOfDay(since!, timeZone) } : {}),
      ...(DAY.test(until ?? '') ? { to: startOfDay(until!, timeZone, 1) } : {}),
    };
  }, [range, since, until, timeZone, now]);
}

/** Chooses a span: the last days, or from one day to another. */
export function TimeRange() {
  const { t } = useTranslation();
  const [{ range, since, until }, set] = useFilters();
  const isOwn = range === 'own' || since !== undefined || until !== undefined;
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label={t('range.label')}
        w={150}
        allowDeselect={false}
        value={isOwn ? 'own' : (range ?? 'all')}
        onChange={(value) =>
          set({ range: value === 'all' ? undefined : value!, since: undefined, until: undefined })
        }
        data={['24h', '7d', '30d', '90d', 'all', 'own'].map((value) => ({
          value,
          label: t(`range.${value}`),
        }))}
      />
      {isOwn && (
        <>
          <TextInput
            type="date"
            label={t('range.since')}
            value={since ?? ''}
            max={until}
            onChange={(event) => set({ since: event.currentTarget.value || undefined })}
          />
          <TextInput
            type="date"
            label={t('range.until')}
            value={until ?? ''}
            min={since}
            onChange={(event) => set({ until: event.currentTarget.value || undefined })}
          />
        </>
      )}
    </Group>
  );
}
