import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../i18n/format.ts';
import type { ChartProps, Series } from './chart.tsx';

const bars = uPlot.paths.bars!({ size: [0.72, 40] });
const lines = uPlot.paths.spline!();

/** Each series with the ones before it added: drawn from the highest down, they look stacked. */
function stack(series: readonly Series[]): (number | null)[][] {
  const sums = Array.from({ length: series[0]?.values.length ?? 0 }, () => 0);
  return series.map(({ values }) =>
    values.map((value, index) => (sums[index] = sums[index]! + (value ?? 0))),
  );
}

export function DrawnChart({ at, series, label, height = 220, isStacked = false }: ChartProps) {
  const { ref, width } = useElementSize();
  const holder = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  const formats = useFormats();
  const { i18n } = useTranslation();

  useEffect(() => {
    if (width === 0 || holder.current === null) return;
    const ink = scheme === 'dark' ? '#a8a195' : '#69645b';
    const grid = { stroke: scheme === 'dark' ? '#2b2823' : '#e9e6e0', width: 1 };
    const drawn = isStacked ? stack(series) : series.map(({ values }) => [...values]);
    const order = series.map((_, index) => index);
    // The highest sum first, so that the lower ones lie on it.
    if (isStacked) order.reverse();
    const font = '11px system-ui, sans-serif';
    const options: uPlot.Options = {
      width,
      height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), formats.timeZone),
      cursor: { drag: { setScale: false } },
      legend: { live: true },
      axes: [
        {
          stroke: ink,
          grid: { show: false },
          ticks: { show: false },
          font,
          values: (_, ticks) => {
            const span = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0);
            const parts: Intl.DateTimeFormatOptions =
              span > 2 * 86_400 ? { day: 'numeric', month: 'short' } : { hour: 'numeric', minute: '2-digit' };
            const short = new Intl.DateTimeFormat(i18n.language, { ...parts, timeZone: formats.timeZone });
            return ticks.map((tick) => short.format(new Date(tick * 1000)));
          },
        },
        {
          stroke: ink,
          grid,
          ticks: { show: false },
          font,
          size: 46,
          values: (_, ticks) => ticks.map(formats.compact),
        },
      ],
      scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] } },
      series: [
        { value: (_, seconds) => (seconds === null ? '' : formats.instant(new Date(seconds * 1000))) },
        ...order.map((index): uPlot.Series => {
          const { label: name, color, values, kind = 'line' } = series[index]!;
          return {
            label: name,
            stroke: color,
            width: kind === 'bars' ? 0 : 2,
            ...(kind === 'line'
              ? {}
              : { fill: kind === 'bars' ? color : `color-mix(in srgb, ${color} 18%, transparent)` }),
            paths: kind === 'bars' ? bars : lines,
            points: { show: false },
            // The legend says the series' own figure, not the sum.
            value: (_, __, ___, row) =>
              row === null || (values[row] ?? null) === null ? '–' : formats.number(values[row]!),
          };
        }),
      ],
    };
    const seconds = at.map((iso) => Date.parse(iso) / 1000);
    const plot = new uPlot(options, [seconds, ...order.map((index) => drawn[index]!)], holder.current);
    return () => plot.destroy();
  }, [at, series, isStacked, width, height, scheme, formats, i18n.language]);

  return (
    <div ref={ref} className="chart" role="img" aria-label={label} style={{ minHeight: height }}>
      <div ref={holder} />
    </div>
  );
}
