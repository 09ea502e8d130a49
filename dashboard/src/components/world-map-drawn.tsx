import { ActionIcon, Group } from '@mantine/core';
import { IconMinus, IconPlus, IconZoomReset } from '@tabler/icons-react';
import { geoCircle, geoDistance } from 'd3-geo';
import { useMemo, useRef, useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../i18n/format.ts';
import { MAP_HEIGHT as HEIGHT, MAP_WIDTH as WIDTH, SHADE, TONES, type WorldMapProps } from './world-map.tsx';
import { MAX_ZOOM, projectWorld, WHOLE, type Projected, type View, type World } from './world-projection.ts';

const EARTH_KM = 6371;

/** From here on the grid is shown. */
const CELL_ZOOM = 2.5;
/** In percent, of what was scanned once. A cell is small, and alone on its land. */
const LEAST_SHADE = 18;
const LEAST_SHADE_OF_CELL = 50;

const clamp = ({ x, y, zoom }: View): View => {
  const [halfWidth, halfHeight] = [WIDTH / zoom / 2, HEIGHT / zoom / 2];
  return {
    zoom,
    x: Math.min(Math.max(x, halfWidth), WIDTH - halfWidth),
    y: Math.min(Math.max(y, halfHeight), HEIGHT - halfHeight),
  };
};

/** @returns the map of this world. */
export function drawnMap(world: World): ComponentType<WorldMapProps> {
  const projected = projectWorld(world);
  return (props) => <DrawnMap {...props} projected={projected} />;
}

function DrawnMap({ projected, ...props }: WorldMapProps & { projected: Projected }) {
  const { project, path, shapes, viewOf, viewOfCountry, cellPath } = projected;
  const {
    label,
    countries = {},
    countryLabel,
    onCountry,
    cells = [],
    points = [],
    onPoint,
    arcs = [],
    fit = false,
  } = props;
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const first = useMemo(
    () => (fit ? clamp(viewOf([...points, ...arcs.flatMap(({ from, to }) => [from, to])])) : WHOLE),
    [fit, points, arcs, viewOf],
  );
  const [chosen, setChosen] = useState<View | null>(null);
  const [hovered, setHovered] = useState<{ text: string; x: number; y: number; isRight: boolean } | null>(
    null,
  );
  const view = chosen ?? first;
  const wasDragged = useRef(false);
  const dragged = useRef<{ x: number; y: number; hasMoved: boolean } | null>(null);
  const max = Math.max(1, ...Object.values(countries));

  const zoomBy = (factor: number) =>
    setChosen(clamp({ ...view, zoom: Math.min(Math.max(1, view.zoom * factor), MAX_ZOOM) }));
  const showsCells = cells.length > 0 && view.zoom >= CELL_ZOOM;
  const maxCell = Math.max(1, ...cells.map(({ value }) => value));
  const shade = (share: number, least = LEAST_SHADE): string =>
    `color-mix(in oklab, ${SHADE} ${Math.round(least + (100 - least) * Math.sqrt(share))}%, var(--land))`;
  const hint = (code: string, value: number) =>
    countryLabel?.(code, value) ?? `${formats.country(code)}: ${formats.number(value)}`;

  const move = (event: React.PointerEvent<SVGSVGElement>) => {
    const text = (event.target as Element).closest('[data-hint]')?.getAttribute('data-hint');
    const { left, top, width } = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    if (text) setHovered({ text, x: x > width / 2 ? width - x : x, y, isRight: x > width / 2 });
    else if (hovered !== null) setHovered(null);
    const from = dragged.current;
    if (from === null || view.zoom === 1) return;
    const scale = WIDTH / view.zoom / event.currentTarget.clientWidth;
    const [dx, dy] = [(event.clientX - from.x) * scale, (event.clientY - from.y) * scale];
    setChosen(clamp({ ...view, x: view.x - dx, y: view.y - dy }));
    dragged.current = { x: event.clientX, y: event.clientY, hasMoved: from.hasMoved || dx !== 0 || dy !== 0 };
  };
  const leave = () => {
    dragged.current = null;
    setHovered(null);
  };
  const press = (code: string) => {
    if (wasDragged.current) return;
    if (onCountry) onCountry(code);
    else setChosen(clamp(viewOfCountry(code)));
  };

  const box = `${view.x - WIDTH / view.zoom / 2} ${view.y - HEIGHT / view.zoom / 2} ${WIDTH / view.zoom} ${HEIGHT / view.zoom}`;
  return (
    <div style={{ position: 'relative' }} dir="ltr">
      <svg
        className="map"
        viewBox={box}
        role={onPoint === undefined ? 'img' : 'group'}
        aria-label={label}
        style={{
          aspectRatio: `${WIDTH} / ${HEIGHT}`,
          ...(view.zoom > 1 ? { cursor: 'grab', touchAction: 'none' } : {}),
        }}
        onPointerDown={(event) => {
          dragged.current = { x: event.clientX, y: event.clientY, hasMoved: false };
          wasDragged.current = false;
        }}
        onPointerMove={move}
        onPointerUp={() => {
          wasDragged.current = dragged.current?.hasMoved ?? false;
          dragged.current = null;
        }}
        onPointerLeave={leave}
      >
        <g>
          {shapes.map(({ code, d }, index) => {
            const value = code === null ? undefined : countries[code];
            return (
              <path
                key={index}
                d={d}
                className="map-country"
                style={{ fill: value === undefined || showsCells ? 'var(--land)' : shade(value / max) }}
                // The table beside it has the same for the keyboard.
                {...(value === undefined
                  ? {}
                  : { 'data-link': true, 'data-hint': hint(code!, value), onClick: () => press(code!) })}
              />
            );
          })}
        </g>
        {showsCells && (
          <g>
            {cells.map((cell) => (
              <path
                key={`${cell.south} ${cell.west}`}
                d={cellPath(cell)}
                className="map-cell"
                style={{ fill: shade(cell.value / maxCell, LEAST_SHADE_OF_CELL) }}
                data-hint={cell.label}
              />
            ))}
          </g>
        )}
        {arcs.map(({ from, to, label: words }) => (
          <path
            key={words}
            className="map-arc"
            style={{ stroke: TONES.bad }}
            data-hint={`${words} (${formats.kilometres(geoDistance([from.lon, from.lat], [to.lon, to.lat]) * EARTH_KM)})`}
            d={
              path({
                type: 'LineString',
                coordinates: [
                  [from.lon, from.lat],
                  [to.lon, to.lat],
                ],
              }) ?? ''
            }
          />
        ))}
        {points.map(({ id, lat, lon, accuracyKm, tone, label: words, weight = 1 }) => {
          const spot = project([lon, lat]);
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
                data-hint={words}
              />
            </g>
          );
        })}
      </svg>
      {hovered !== null && (
        <div
          className="hint"
          dir={i18n.dir()}
          style={{ top: hovered.y + 14, [hovered.isRight ? 'right' : 'left']: hovered.x + 14 }}
        >
          {hovered.text}
        </div>
      )}
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
