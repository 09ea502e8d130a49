/** The world as it is drawn: its shapes, and where a place lies in the drawing. */
import { geoNaturalEarth1, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { MAP_HEIGHT as HEIGHT, MAP_WIDTH as WIDTH, type MapCell } from './world-map.tsx';

export type World = Topology<{ countries: GeometryCollection }>;

export interface View {
  x: number;
  y: number;
  zoom: number;
}

export const MAX_ZOOM = 40;

export const WHOLE: View = { x: WIDTH / 2, y: HEIGHT / 2, zoom: 1 };

export type Projected = ReturnType<typeof projectWorld>;

export function projectWorld(world: World) {
  // Nobody scans in the Antarctic, which would take a fifth of the picture.
  const inhabited = feature(world, world.objects.countries).features.filter(({ id }) => id !== 'AQ');
  const project = geoNaturalEarth1().fitExtent(
    [
      [4, 4],
      [WIDTH - 4, HEIGHT - 4],
    ],
    { type: 'FeatureCollection', features: inhabited },
  );
  const path = geoPath(project);
  const shapes = inhabited.map((country) => ({
    code: typeof country.id === 'string' ? country.id : null,
    d: path(country) ?? '',
    bounds: path.bounds(country),
  }));
  return {
    project,
    path,
    shapes,
    /** A view that holds these places with some room around. */
    viewOf(places: readonly { lat: number; lon: number }[]): View {
      const spots = places.flatMap(({ lat, lon }) => project([lon, lat]) ?? []);
      const xs = spots.filter((_, index) => index % 2 === 0);
      const ys = spots.filter((_, index) => index % 2 === 1);
      if (xs.length === 0) return WHOLE;
      const [left, right] = [Math.min(...xs), Math.max(...xs)];
      const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
      const zoom = Math.min(
        (WIDTH * 0.6) / Math.max(right - left, 40),
        (HEIGHT * 0.6) / Math.max(bottom - top, 20),
      );
      return { x: (left + right) / 2, y: (top + bottom) / 2, zoom: Math.min(Math.max(1, zoom), 12) };
    },
    /** A view of one country; of those on both sides of the date line, the whole map. */
    viewOfCountry(code: string): View {
      const [[left, top], [right, bottom]] = shapes.find((shape) => shape.code === code)!.bounds;
      const zoom = Math.min((WIDTH * 0.8) / (right - left), (HEIGHT * 0.8) / (bottom - top), MAX_ZOOM / 4);
      return { x: (left + right) / 2, y: (top + bottom) / 2, zoom: Math.max(1, zoom) };
    },
    /** A cell as a shape with straight sides, which at this size nobody tells from the curved ones. */
    cellPath({ south, west, north, east }: MapCell): string {
      const corners = [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
      ].map((corner) =>
        project(corner as [number, number])!
          .map((length) => length.toFixed(2))
          .join(' '),
      );
      return `M${corners.join('L')}Z`;
    },
  };
}
