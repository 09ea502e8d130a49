import { Skeleton, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueryOf } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import { PlaceAttribution } from '../../components/place-attribution.tsx';
import { Loaded } from '../../components/states.tsx';
import { MAP_HEIGHT, MAP_WIDTH, WorldMap, type MapCell, type MapPoint } from '../../components/world-map.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Kept } from './kept.tsx';
import { middleOf, usePlaceTables, type Cell, type Place } from './place-tables.tsx';
import { countOf, POINTS, RESULTS } from './results.ts';
import type { Span } from './span.ts';

/** Where scans were made: countries, the one-degree grid when zoomed in, and what is wrong as points. */
export function ScanMap({
  span,
  query,
}: {
  span: Span;
  query: Omit<QueryOf<'/api/v1/analytics/map'>, 'by'>;
}) {
  const countries = useApi('/api/v1/analytics/map', { query: { ...query, by: 'country' } });
  const cells = useApi('/api/v1/analytics/map', { query: { ...query, by: 'cell' } });
  return (
    <Loaded
      query={countries}
      skeleton={<Skeleton height="auto" style={{ aspectRatio: `${MAP_WIDTH} / ${MAP_HEIGHT + 25}` }} />}
    >
      {({ data }) => (
        <Kept isStale={countries.isPlaceholderData || cells.isPlaceholderData}>
          <Places span={span} countries={data} cells={cells.data?.data ?? NONE} />
          {/* Countries are drawn before the cells; without these, no point says that anything is wrong. */}
          <Loaded query={cells} isBrief>
            {() => null}
          </Loaded>
        </Kept>
      )}
    </Loaded>
  );
}

const NONE: Place[] = [];

function Places({ span, countries, cells }: { span: Span; countries: Place[]; cells: Place[] }) {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  const known = useMemo(() => cells.filter(({ cell }) => Boolean(cell)) as Cell[], [cells]);
  const tables = usePlaceTables(span);
  const { grid, points } = useMemo(() => {
    const words = ({ scans, byResult }: Place) =>
      [
        t('map.scans', { count: scans }),
        ...RESULTS.filter(({ result }) => result !== 'genuine' && countOf(byResult, result) > 0).map(
          ({ result }) => formats.labelled(t(`results.${result}`), formats.number(countOf(byResult, result))),
        ),
      ].join('\n');
    return {
      grid: known.map((place): MapCell => ({ ...place.cell, value: place.scans, label: words(place) })),
      points: POINTS.flatMap(({ result, tone }) =>
        known.flatMap((place): MapPoint[] => {
          const { south, west } = place.cell;
          const weight = countOf(place.byResult, result);
          if (weight === 0) return [];
          return [
            {
              id: `${result} ${south} ${west}`,
              ...middleOf(place),
              tone,
              weight,
              label: words(place),
            },
          ];
        }),
      ),
    };
  }, [known, formats, t]);
  const shades = useMemo(
    () =>
      Object.fromEntries(
        countries.flatMap(({ country, scans }) => (country ? [[country, scans] as const] : [])),
      ),
    [countries],
  );
  const byCountry = new Map(countries.map((place) => [place.country, place]));
  const unknown = byCountry.get(null)?.scans ?? 0;
  return (
    <>
      <WorldMap
        label={t('map.label')}
        countries={shades}
        countryLabel={(code) => {
          const { scans, byResult } = byCountry.get(code)!;
          const wrong = POINTS.map(({ result }) =>
            formats.labelled(t(`results.${result}`), formats.number(countOf(byResult, result))),
          );
          return [formats.labelled(formats.country(code), t('map.scans', { count: scans })), ...wrong].join(
            '\n',
          );
        }}
        cells={grid}
        points={points}
        shadeLegend={t('map.shade')}
        pointLegend={POINTS.map(({ result, tone }) => ({ tone, label: t(`results.${result}`) }))}
        tables={(shown) => tables(shown, countries, known)}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {countries.length === 0 ? t('noScans') : t('map.hint')}
        {unknown > 0 && ` ${t('map.unknown', { count: unknown })}`} <PlaceAttribution />
      </Text>
    </>
  );
}
