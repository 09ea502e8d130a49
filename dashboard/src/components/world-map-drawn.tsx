import { VisuallyHidden } from '@mantine/core';
import { geoCircle, geoDistance } from 'd3-geo';
import { useEffect, useId, useMemo, useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../i18n/format.ts';
import { MapButtons } from './map-buttons.tsx';
import { clampView, useMapView } from './use-map-view.ts';
import { MAP_HEIGHT as HEIGHT, MAP_WIDTH as WIDTH, SHADE, TONES, type WorldMapProps } from './world-map.tsx';
import { projectWorld, WHOLE, type Projected, type World } from './world-projection.ts';

const EARTH_KM = 6371;

/** From here on the grid is shown. */
const CELL_ZOOM = 2.5;
/** In percent, of what was scanned once. A cell is small, and alone on its land. */
const LEAST_SHADE = 18;
const LEAST_SHADE_OF_CELL = 50;

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
    onShow,
  } = props;
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const first = useMemo(
    () => (fit ? clampView(viewOf([...points, ...arcs.flatMap(({ from, to }) => [from, to])])) : WHOLE),
    [fit, points, arcs, viewOf],
  );
  const map = useMapView(first);
  const { view } = map;
  const keys = useId();
  const [hovered, setHovered] = useState<{ text: string; x: number; y: number; isRight: boolean } | null>(
    null,
  );
  const max = Math.max(1, ...Object.values(countries));

  const showsCells = cells.length > 0 && view.zoom >= CELL_ZOOM;
  useEffect(() => {
    const [halfWidth, halfHeight] = [WIDTH / view.zoom / 2, HEIGHT / view.zoom / 2];
    onShow?.({
      isClose: view.zoom >= CELL_ZOOM,
      holds({ lat, lon }) {
        const [x, y] = project([lon, lat]) ?? [Infinity, Infinity];
        return Math.abs(x - view.x) <= halfWidth && Math.abs(y - view.y) <= halfHeight;
      },
    });
  }, [view, project, onShow]);
  const maxCell = Math.max(1, ...cells.map(({ value }) => value));
  const shade = (share: number, least = LEAST_SHADE): string =>
    `color-mix(in oklab, ${SHADE} ${Math.round(least + (100 - least) * Math.sqrt(share))}%, var(--land))`;
  const hint = (code: string, value: number) =>
    countryLabel?.(code, value) ?? formats.labelled(formats.country(code), formats.number(value));

  const say = (element: Element, clientX: number, clientY: number) => {
    const text = element.closest('[data-hint]')?.getAttribute('data-hint');
    if (!text) return setHovered(null);
    const { left, top, width } = map.svg.current!.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    setHovered({ text, x: x > width / 2 ? width - x : x, y, isRight: x > width / 2 });
  };
  const press = (code: string) => {
    if (map.wasDragged()) return;
    if (onCountry) onCountry(code);
    else map.show(viewOfCountry(code));
  };

  const box = `${view.x - WIDTH / view.zoom / 2} ${view.y - HEIGHT / view.zoom / 2} ${WIDTH / view.zoom} ${HEIGHT / view.zoom}`;
  return (
    <div style={{ position: 'relative' }} dir="ltr">
      {/* It takes keys of its own, which a reader of the screen hands on to an application alone; the table has it as text. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <svg
        ref={map.svg}
        className="map"
        viewBox={box}
        role="application"
        aria-label={label}
        aria-describedby={keys}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        style={{
          aspectRatio: `${WIDTH} / ${HEIGHT}`,
          ...(view.zoom > 1 ? { cursor: 'grab', touchAction: 'none' } : {}),
        }}
        {...map.handlers}
        onPointerMove={(event) => {
          say(event.target as Element, event.clientX, event.clientY);
          map.handlers.onPointerMove(event);
        }}
        onPointerLeave={() => setHovered(null)}
        onFocus={({ target }) => {
          if (target === map.svg.current || !target.matches(':focus-visible')) return;
          const { right, bottom } = target.getBoundingClientRect();
          say(target, right, bottom);
        }}
        onBlur={() => setHovered(null)}
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
                      onClick: () => map.wasDragged() || onPoint(id),
                      onKeyDown(event: React.KeyboardEvent) {
                        if (event.key !== 'Enter' && event.key !== ' ') return;
                        event.preventDefault();
                        onPoint(id);
                      },
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
      <VisuallyHidden id={keys}>{t('map.keys')}</VisuallyHidden>
      <MapButtons map={map} />
    </div>
  );
}
