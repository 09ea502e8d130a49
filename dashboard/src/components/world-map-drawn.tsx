import { ActionIcon, Group } from '@mantine/core';
import { IconMinus, IconPlus, IconZoomReset } from '@tabler/icons-react';
import { geoCircle, geoDistance, geoNaturalEarth1, geoPath } from 'd3-geo';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { feature } from 'topojson-client';
import world from 'virtual:world-map';
import { useFormats } from '../i18n/format.ts';
import type { MapPoint, WorldMapProps } from './world-map.tsx';

const WIDTH = 960;
const HEIGHT = 470;
const EARTH_KM = 6371;
const MAX_ZOOM = 40;

const projection = geoNaturalEarth1().fitExtent(
  [
    [4, 4],
    [WIDTH - 4, HEIGHT - 4],
  ],
  { type: 'Sphere' },
);
const path = geoPath(projection);
const shapes = feature(world, world.objects.countries).features.map((country) => ({
  code: typeof country.id === 'string' ? country.id : null,
  d: path(country) ?? '',
}));

const TONES: Record<MapPoint['tone'], string> = {
  good: 'light-dark(#2c8a4b, #6fcf8c)',
  warning: 'light-dark(#c27803, #f2b84b)',
  bad: 'light-dark(#c4321f, #ff7d6b)',
  info: 'light-dark(#2472b8, #7ab8f5)',
};

interface View {
  x: number;
  y: number;
  zoom: number;
}

const WHOLE: View = { x: WIDTH / 2, y: HEIGHT / 2, zoom: 1 };

/** A view that holds these places with some room around. */
function viewOf(places: readonly { lat: number; lon: number }[]): View {
  const spots = places.flatMap(({ lat, lon }) => projection([lon, lat]) ?? []);
  const xs = spots.filter((_, index) => index % 2 === 0);
  const ys = spots.filter((_, index) => index % 2 === 1);
  if (xs.length === 0) return WHOLE;
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const zoom = Math.min(
    (WIDTH * 0.6) / Math.max(right - left, 40),
    (HEIGHT * 0.6) / Math.max(bottom - top, 20),
  );
  return { x: (left + right) / 2, y: (top + bottom) / 2, zoom: Math.min(Math.max(1, zoom), 12) };
}

const clamp = ({ x, y, zoom }: View): View => {
  const [halfWidth, halfHeight] = [WIDTH / zoom / 2, HEIGHT / zoom / 2];
  return {
    zoom,
    x: Math.min(Math.max(x, halfWidth), WIDTH - halfWidth),
    y: Math.min(Math.max(y, halfHeight), HEIGHT - halfHeight),
  };
};

export function DrawnMap(props: WorldMapProps) {
  const {
    label,
    countries = {},
    countryLabel,
    onCountry,
    points = [],
    onPoint,
    arcs = [],
    fit = false,
  } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const first = useMemo(
    () => (fit ? clamp(viewOf([...points, ...arcs.flatMap(({ from, to }) => [from, to])])) : WHOLE),
    [fit, points, arcs],
  );
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen ?? first;
  const dragged = useRef<{ x: number; y: number } | null>(null);
  const max = Math.max(1, ...Object.values(countries));

  const zoomBy = (factor: number) =>
    setChosen(clamp({ ...view, zoom: Math.min(Math.max(1, view.zoom * factor), MAX_ZOOM) }));
  const shade = (value: number): string =>
    `color-mix(in oklab, #d39f25 ${Math.round(18 + 82 * Math.sqrt(value / max))}%, var(--land))`;
  const drag = (event: React.PointerEvent<SVGSVGElement>) => {
    if (dragged.current === null || view.zoom === 1) return;
    const scale = WIDTH / view.zoom / event.currentTarget.clientWidth;
    const { x, y } = dragged.current;
    setChosen(
      clamp({ ...view, x: view.x - (event.clientX - x) * scale, y: view.y - (event.clientY - y) * scale }),
    );
    dragged.current = { x: event.clientX, y: event.clientY };
  };

  const box = `${view.x - WIDTH / view.zoom / 2} ${view.y - HEIGHT / view.zoom / 2} ${WIDTH / view.zoom} ${HEIGHT / view.zoom}`;
  const hint = (code: string, value: number) =>
    countryLabel?.(code, value) ?? `${formats.country(code)}: ${formats.number(value)}`;
  return (
    <div style={{ position: 'relative' }} dir="ltr">
      <svg
        className="map"
        viewBox={box}
        role="group"
        aria-label={label}
        style={{
          aspectRatio: `${WIDTH} / ${HEIGHT}`,
          ...(view.zoom > 1 ? { cursor: 'grab', touchAction: 'none' } : {}),
        }}
        onPointerDown={(event) => (dragged.current = { x: event.clientX, y: event.clientY })}
        onPointerMove={drag}
        onPointerUp={() => (dragged.current = null)}
        onPointerLeave={() => (dragged.current = null)}
      >
        <g>
          {shapes.map(({ code, d }, index) => {
            const value = code === null ? undefined : countries[code];
            const isLink = value !== undefined && onCountry !== undefined;
            return (
              <path
                key={index}
                d={d}
                className="map-country"
                style={{ fill: value === undefined ? 'var(--land)' : shade(value) }}
                {...(isLink
                  ? {
                      'data-link': true,
                      tabIndex: 0,
                      role: 'button',
                      'aria-label': hint(code!, value),
                      onClick: () => onCountry(code!),
                      onKeyDown: (event: React.KeyboardEvent) => event.key === 'Enter' && onCountry(code!),
                    }
                  : {})}
              >
                {code !== null && value !== undefined && <title>{hint(code, value)}</title>}
              </path>
            );
          })}
        </g>
        {arcs.map(({ from, to, label: words }) => (
          <path
            key={words}
            className="map-arc"
            style={{ stroke: TONES.bad }}
            d={
              path({
                type: 'LineString',
                coordinates: [
                  [from.lon, from.lat],
                  [to.lon, to.lat],
                ],
              }) ?? ''
            }
          >
            <title>{`${words} (${formats.kilometres(geoDistance([from.lon, from.lat], [to.lon, to.lat]) * EARTH_KM)})`}</title>
          </path>
        ))}
        {points.map(({ id, lat, lon, accuracyKm, tone, label: words, weight = 1 }) => {
          const spot = projection([lon, lat]);
          if (spot === null) return null;
          const around =
            accuracyKm === undefined
              ? null
              : geoCircle()
                  .center([lon, lat])
                  .radius((accuracyKm / EARTH_KM) * (180 / Math.PI))();
          return (
            <g key={id}>
              {around !== null && (
                <path d={path(around) ?? ''} style={{ fill: TONES[tone], opacity: 0.16 }} />
              )}
              <circle
                cx={spot[0]}
                cy={spot[1]}
                r={((3.2 + Math.sqrt(weight)) * 1.1) / Math.sqrt(view.zoom) / (view.zoom > 4 ? 2 : 1)}
                style={{
                  fill: TONES[tone],
                  stroke: 'var(--surface)',
                  strokeWidth: 1 / view.zoom,
                  ...(onPoint ? { cursor: 'pointer' } : {}),
                }}
                {...(onPoint
                  ? {
                      tabIndex: 0,
                      role: 'button',
                      onClick: () => onPoint(id),
                      onKeyDown: (event: React.KeyboardEvent) => event.key === 'Enter' && onPoint(id),
                    }
                  : { role: 'img' })}
                aria-label={words}
              >
                <title>{words}</title>
              </circle>
            </g>
          );
        })}
      </svg>
      <Group gap={4} style={{ position: 'absolute', insetBlockEnd: 8, insetInlineEnd: 8 }}>
        <ActionIcon variant="default" aria-label={t('map.zoomIn')} onClick={() => zoomBy(1.8)}>
          <IconPlus size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t('map.zoomOut')}
          onClick={() => zoomBy(1 / 1.8)}
          disabled={view.zoom === 1}
        >
          <IconMinus size={16} />
        </ActionIcon>
        <ActionIcon variant="default" aria-label={t('map.reset')} onClick={() => setChosen(null)}>
          <IconZoomReset size={16} />
        </ActionIcon>
      </Group>
    </div>
  );
}
