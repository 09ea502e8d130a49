import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

export interface MapPoint {
  id: string;
  lat: number;
  lon: number;
  /** How sure the place is: drawn as a circle of this radius. */
  accuracyKm?: number;
  tone: 'good' | 'warning' | 'bad' | 'info';
  /** In words, also for the keyboard. */
  label: string;
  /** Larger for more, 1 where left out. */
  weight?: number;
}

export interface MapArc {
  from: { lat: number; lon: number };
  to: { lat: number; lon: number };
  label: string;
}

export interface WorldMapProps {
  /** One sentence of what it shows. */
  label: string;
  /** Shade of countries (ISO 3166-1 alpha-2) by figure. */
  countries?: Readonly<Record<string, number>>;
  /** What the figure of a country says, for its hint. */
  countryLabel?: (country: string, value: number) => string;
  onCountry?: (country: string) => void;
  points?: readonly MapPoint[];
  onPoint?: (id: string) => void;
  /** Journeys, along the shortest way. */
  arcs?: readonly MapArc[];
  /** Zooms to the points and arcs at first. */
  fit?: boolean;
}

const Drawn = lazy(() => import('./world-map-drawn.tsx').then((module) => ({ default: module.DrawnMap })));

/** The world (d3-geo and world-atlas 1:50m, loaded when first needed). */
export function WorldMap(props: WorldMapProps) {
  return (
    <Suspense fallback={<Skeleton style={{ aspectRatio: '960 / 470' }} />}>
      <Drawn {...props} />
    </Suspense>
  );
}
