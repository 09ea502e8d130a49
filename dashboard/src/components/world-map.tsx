import { Skeleton } from '@mantine/core';
import { Suspense, useCallback, useRef } from 'react';
import worldUrl from 'virtual:world-map';
import { readFigures } from '../api/figures.ts';
import { Figure, type FigureTable } from './figure.tsx';
import { lazily } from './lazily.tsx';
import type { Tone } from './status-badge.tsx';
import type { World } from './world-projection.ts';

export type MapTone = 'good' | 'warning' | 'bad' | 'info';

export interface MapPoint {
  id: string;
  lat: number;
  lon: number;
  /** How sure the place is: drawn as a circle of this radius. */
  accuracyKm?: number;
  tone: MapTone;
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

/** A part of a grid, shaded once the map is zoomed in. */
export interface MapCell {
  south: number;
  west: number;
  north: number;
  east: number;
  value: number;
  label: string;
}

/** What a map shows just now. */
export interface Shown {
  /** Whether it shows the grid, and no shade of countries. */
  isClose: boolean;
  /** Whether a place is within what it shows. */
  holds(place: { lat: number; lon: number }): boolean;
}

export interface WorldMapProps {
  /** One sentence of what it shows. */
  label: string;
  /** Shade of countries (ISO 3166-1 alpha-2) by figure. */
  countries?: Readonly<Record<string, number>>;
  /** What the figure of a country says, for its hint. */
  countryLabel?: (country: string, value: number) => string;
  /** What pressing a country does; without it the map zooms to it. */
  onCountry?: (country: string) => void;
  cells?: readonly MapCell[];
  points?: readonly MapPoint[];
  onPoint?: (id: string) => void;
  /** Journeys, along the shortest way. */
  arcs?: readonly MapArc[];
  /** Zooms to the points and arcs at first. */
  fit?: boolean;
  /** What the points are, for the legend. */
  pointLegend?: readonly { tone: MapTone; label: string }[];
  /** What the shade is, for the legend. */
  shadeLegend?: string;
  /** The same as text: what the map shows when one asks for it. */
  tables?: (shown: Shown) => readonly FigureTable[];
  onShow?: (shown: Shown) => void;
}

export const TONES: Record<MapTone, string> = {
  good: 'light-dark(#2c8a4b, #6fcf8c)',
  warning: 'light-dark(#c26a03, #f2b84b)',
  bad: 'light-dark(#c4321f, #ff7d6b)',
  info: 'light-dark(#2472b8, #7ab8f5)',
};

/** As the badge of what is drawn has it. */
export const mapTone = (tone: Tone): MapTone => (tone === 'neutral' ? 'info' : tone);

export const SHADE = 'light-dark(#c08a13, #e3b23c)';

/** Of the drawing, in its own units. */
export const MAP_WIDTH = 960;
export const MAP_HEIGHT = 440;

const Drawn = lazily(async () => {
  const [{ drawnMap }, world] = await Promise.all([
    import('./world-map-drawn.tsx'),
    readFigures<World>(worldUrl),
  ]);
  return drawnMap(world);
});

const ALL: Shown = { isClose: false, holds: () => true };

/** The world (d3-geo and world-atlas 1:50m, loaded when first needed). */
export function WorldMap(props: WorldMapProps) {
  const { label, pointLegend = [], shadeLegend, tables } = props;
  // Nothing is drawn anew for it: while the table shows, the map behind it stays as it is.
  const shown = useRef(ALL);
  const keep = useCallback((now: Shown) => {
    shown.current = now;
  }, []);
  const map = (
    <Suspense fallback={<Skeleton style={{ aspectRatio: `${MAP_WIDTH} / ${MAP_HEIGHT}` }} height="auto" />}>
      <Drawn {...props} onShow={keep} />
    </Suspense>
  );
  if (pointLegend.length === 0 && shadeLegend === undefined && tables === undefined) return map;
  return (
    <Figure
      label={label}
      legend={[
        ...(shadeLegend === undefined ? [] : [{ label: shadeLegend, color: SHADE }]),
        ...pointLegend.map(({ tone, label: words }) => ({ label: words, color: TONES[tone], isDot: true })),
      ]}
      {...(tables === undefined ? {} : { tables: () => tables(shown.current) })}
    >
      {map}
    </Figure>
  );
}
