import { Skeleton } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../api/use-api.ts';
import { Chart, type Series } from '../../components/chart.tsx';
import { Loaded } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { amountsAt } from './amounts-at.ts';
import { Kept } from './kept.tsx';
import { RESULTS } from './results.ts';
import type { Span } from './span.ts';

const HEIGHT = 300;

/** What scans came to, hour by hour, day by day or week by week. */
export function ScansOverTime({ span, productId }: { span: Span; productId: string | undefined }) {
  const { t } = useTranslation('overview');
  const { timeZone } = useFormats();
  const { from, to, interval } = span;
  const query = useApi('/api/v1/analytics/timeseries', {
    query: { from, to, interval, by: 'result', timeZone, productId },
  });
  const found = query.data?.series;
  // Figures that stay until those of another span are there have the axis that they were made for.
  const [told, setTold] = useState(span);
  if (!query.isPlaceholderData && told !== span) setTold(span);
  const { at } = told;
  // Intervals without scans are left out of the answer; results without scans are left out of the legend.
  const series = useMemo(
    () =>
      RESULTS.flatMap(({ result, color }): Series[] => {
        const own = found?.find(({ key }) => key === result);
        if (own === undefined) return [];
        return [
          {
            label: t(`results.${result}`),
            color,
            kind: 'bars',
            values: amountsAt(at, own.points),
          },
        ];
      }),
    [found, at, t],
  );
  return (
    <Loaded query={query} skeleton={<Skeleton height={HEIGHT + 32} />}>
      {() => (
        <Kept isStale={query.isPlaceholderData}>
          <Chart
            at={at}
            series={series}
            label={t('overTimeLabel')}
            height={HEIGHT}
            isStacked
            isDaily={told.interval !== 'hour'}
            empty={t('noScans')}
          />
        </Kept>
      )}
    </Loaded>
  );
}
