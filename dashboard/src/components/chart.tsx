import { Skeleton, useComputedColorScheme } from '@mantine/core';
import { Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../i18n/format.ts';
import { Figure, NothingToShow } from './figure.tsx';
import { lazily } from './lazily.tsx';
import { useOnScreen } from './use-on-screen.ts';

export interface Series {
  label: string;
  /** A CSS colour, `light-dark(…)` too. */
  color: string;
  values: readonly (number | null)[];
  kind?: 'line' | 'area' | 'bars';
}

export interface ChartProps {
  /** Instants, ISO 8601, in order. */
  at: readonly string[];
  series: readonly Series[];
  /** One sentence of what it shows, for who cannot see it. */
  label: string;
  height?: number;
  /** Bars stand on each other. */
  isStacked?: boolean;
  /** Each instant stands for the day that it begins. */
  isDaily?: boolean;
  /** In place of a picture of nothing but zeros. */
  empty?: ReactNode;
}

export const CHART_HEIGHT = 220;

const Drawn = lazily(async () => (await import('./chart-drawn.tsx')).DrawnChart);

/** Figures over time (uPlot, loaded when first needed), with a legend, the figures under the pointer, and a table of them. */
export function Chart(props: ChartProps) {
  const { at, series, label, height = CHART_HEIGHT, isDaily = false, empty } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const scheme = useOnScreen(useComputedColorScheme('light'));
  const isEmpty = series.every(({ values }) => values.every((value) => value === null || value === 0));
  const rows = at.flatMap((iso, row) => {
    const values = series.map(({ values: own }) => own[row] ?? null);
    if (values.every((value) => value === null || value === 0)) return [];
    return [
      [
        isDaily ? formats.day(iso) : formats.instant(iso),
        ...values.map((value) => (value === null ? '–' : formats.number(value))),
      ],
    ];
  });
  return (
    <Figure
      label={label}
      legend={series}
      {...(isEmpty
        ? {}
        : { tables: () => [{ headers: [t('figure.time'), ...series.map((one) => one.label)], rows }] })}
    >
      {isEmpty && empty !== undefined ? (
        <NothingToShow height={height}>{empty}</NothingToShow>
      ) : (
        <Suspense fallback={<Skeleton height={height} />}>
          {/* A canvas keeps its colours: by night it is another. */}
          <Drawn key={scheme} {...props} />
        </Suspense>
      )}
    </Figure>
  );
}
