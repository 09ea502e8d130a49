import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

export interface Series {
  label: string;
  /** A CSS colour. */
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
}

const Drawn = lazy(() => import('./chart-drawn.tsx').then((module) => ({ default: module.DrawnChart })));

/** Figures over time (uPlot, loaded when first needed). */
export function Chart(props: ChartProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 220} />}>
      <Drawn {...props} />
    </Suspense>
  );
}
