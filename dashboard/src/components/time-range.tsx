import { Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../i18n/format.ts';
import { instantsOf } from '../i18n/zone-days.ts';
import { DayField } from './day-field.tsx';
import { useFilters } from './use-filters.ts';

const HOURS = new Map([
  ['24h', 24],
  ['7d', 7 * 24],
  ['30d', 30 * 24],
  ['90d', 90 * 24],
]);

/** The span in the address (`range`, or `since` and `until` as days of the organization's time zone), as instants. */
export function useTimeRange(): { from?: string; to?: string } {
  const [{ range, since, until }] = useFilters();
  const { timeZone } = useFormats();
  // When the screen was opened: drawing again asks nothing new.
  const [now] = useState(() => Date.now());
  return useMemo(() => {
    const hours = HOURS.get(range ?? '');
    if (hours !== undefined) return { from: new Date(now - hours * 3_600_000).toISOString() };
    return instantsOf(since, until, timeZone);
  }, [range, since, until, timeZone, now]);
}

/** Chooses a span: the last days, or from one day to another. Fields for a group of filters. */
export function TimeRange() {
  const { t } = useTranslation();
  const [{ range, since, until }, set] = useFilters();
  const isOwn = range === 'own' || since !== undefined || until !== undefined;
  return (
    <>
      <Select
        label={t('range.label')}
        w={{ base: 'calc(50% - 6px)', xs: 150 }}
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
          <DayField
            label={t('range.since')}
            w={{ base: 'calc(50% - 6px)', xs: 150 }}
            value={since ?? ''}
            max={until}
            onChange={(day) => set({ since: day || undefined })}
          />
          <DayField
            label={t('range.until')}
            w={{ base: 'calc(50% - 6px)', xs: 150 }}
            value={until ?? ''}
            min={since}
            onChange={(day) => set({ until: day || undefined })}
          />
        </>
      )}
    </>
  );
}
