import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTranslation } from 'react-i18next';
import type { Formats } from '../i18n/create-formats.ts';
import { useFormats } from '../i18n/format.ts';
import { CHART_HEIGHT, type ChartProps, type Series } from './chart.tsx';
import { useOnScreen } from './use-on-screen.ts';

const bars = uPlot.paths.bars!({ size: [0.72, 40] });
const lines = uPlot.paths.linear!();
const FONT = '11px system-ui, sans-serif';
/** Room for the pointer beside the figures. */
const BESIDE = 14;
/** Of the shortest day, on which clocks go forward (by two hours on Troll); ticks within a day are 12 hours apart at most. */
const SHORTEST_DAY_S = 22 * 3600;

/** Each series with the ones before it added: drawn from the highest down, they look stacked. */
function stack(series: readonly Series[]): (number | null)[][] {
  const sums = Array.from({ length: series[0]?.values.length ?? 0 }, () => 0);
  return series.map(({ values }) =>
    values.map((value, index) => (sums[index] = sums[index]! + (value ?? 0))),
  );
}

/** A canvas knows no `light-dark()`: the page works the colour out. */
function paint(holder: HTMLElement, color: string): string {
  holder.style.color = color;
  const plain = getComputedStyle(holder).color;
  holder.style.removeProperty('color');
  return plain;
}

function axesOf(ink: string, grid: string, formats: Formats): uPlot.Axis[] {
  const short = (parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(formats.locale, { ...parts, timeZone: formats.timeZone });
  const days = short({ day: 'numeric', month: 'short' });
  const times = short({ hour: 'numeric', minute: '2-digit' });
  const common = { stroke: ink, ticks: { show: false }, font: FONT };
  return [
    {
      ...common,
      grid: { show: false },
      space: 64,
      values: (_, ticks) => {
        const format = (ticks[1] ?? 0) - (ticks[0] ?? 0) >= SHORTEST_DAY_S ? days : times;
        // Isolated, a date is read from its own beginning: the canvas would read an Arabic one from the left.
        return ticks.map((tick) => `\u2068${format.format(new Date(tick * 1000))}\u2069`);
      },
    },
    {
      ...common,
      grid: { stroke: grid, width: 1 },
      size: 46,
      // Things are counted: no half of one.
      incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7, 1e8],
      values: (_, ticks) => ticks.map(formats.compact),
    },
  ];
}

export function DrawnChart({
  at,
  series,
  label,
  height = CHART_HEIGHT,
  isStacked = false,
  isDaily = false,
}: ChartProps) {
  const { ref, width: measured } = useElementSize();
  const width = useOnScreen(measured);
  const holder = useRef<HTMLDivElement>(null);
  const formats = useFormats();
  const { i18n } = useTranslation();
  const [pointed, setPointed] = useState<{ row: number; left: number } | null>(null);

  useEffect(() => {
    if (width === 0 || holder.current === null) return;
    const place = holder.current;
    const drawn = isStacked ? stack(series) : series.map(({ values }) => [...values]);
    const order = series.map((_, index) => index);
    // The highest sum first, so that the lower ones lie on it.
    if (isStacked) order.reverse();
    const ink = paint(place, 'var(--mantine-color-dimmed)');
    const seconds = at.map((iso) => Date.parse(iso) / 1000);
    const step = (seconds[1] ?? 0) - (seconds[0] ?? 0);
    const hasBars = series.some(({ kind }) => kind === 'bars');
    const options: uPlot.Options = {
      width,
      height,
      padding: [10, 8, 0, 0],
      tzDate: (instant) => uPlot.tzDate(new Date(instant * 1000), formats.timeZone),
      cursor: { drag: { setScale: false }, y: false, points: { show: !isStacked } },
      legend: { show: false },
      axes: axesOf(ink, paint(place, 'var(--grid)'), formats),
      scales: {
        // Half an interval around, where bars stand on their instants.
        x: hasBars ? { range: (_, min, max) => [min - step / 2, max + step / 2] } : {},
        y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] },
      },
      series: [
        {},
        ...order.map((index): uPlot.Series => {
          const { color, kind = 'line' } = series[index]!;
          const stroke = paint(place, color);
          return {
            stroke,
            width: kind === 'bars' ? 0 : 2,
            ...(kind === 'line'
              ? {}
              : {
                  fill:
                    kind === 'bars' ? stroke : paint(place, `color-mix(in srgb, ${color} 18%, transparent)`),
                }),
            paths: kind === 'bars' ? bars : lines,
            points: { show: false },
          };
        }),
      ],
      hooks: {
        setCursor: [
          ({ cursor: { idx, left = -1 }, over }) =>
            setPointed(
              idx === null || idx === undefined || left < 0
                ? null
                : { row: idx, left: left + over.offsetLeft },
            ),
        ],
      },
    };
    const plot = new uPlot(options, [seconds, ...order.map((index) => drawn[index]!)], place);
    return () => plot.destroy();
  }, [at, series, isStacked, width, height, formats]);

  return (
    <div ref={ref} className="chart" style={{ height }}>
      <div ref={holder} role="img" aria-label={label} />
      {pointed !== null && at[pointed.row] !== undefined && (
        <div
          className="hint"
          style={
            pointed.left > width / 2
              ? { right: width - pointed.left + BESIDE }
              : { left: pointed.left + BESIDE }
          }
          dir={i18n.dir()}
        >
          <strong>{isDaily ? formats.day(at[pointed.row]!) : formats.instant(at[pointed.row]!)}</strong>
          {series.map(({ label: name, color, values }) => (
            <div key={name} className="hint-row">
              <span className="legend-mark" style={{ background: color }} />
              <span>{name}</span>
              <span className="num">{formats.number(values[pointed.row] ?? 0)}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
