import { Anchor, Paper, Skeleton, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import type { FigureTable } from '../../components/figure.tsx';
import { usePlaceNames } from '../../components/place-names.ts';
import { PlaceAttribution } from '../../components/place-attribution.tsx';
import { Time } from '../../components/time.tsx';
import {
  MAP_HEIGHT,
  MAP_WIDTH,
  mapTone,
  WorldMap,
  type MapArc,
  type MapPoint,
} from '../../components/world-map.tsx';
import { useFormats } from '../../i18n/format.ts';
import { LEVELS, RESULTS } from './badges.tsx';
import { useEvidenceWords } from './evidence-words.ts';
import { signalsOf } from './signals.ts';

type Scan = Schemas['Scan'];

const MOST_JOURNEYS = 3;

const SEVERITY: readonly MapPoint['tone'][] = ['good', 'info', 'warning', 'bad'];

/** Scans of one unit where they were made, each with its uncertainty, and the journeys that nobody can have made. */
export function EvidenceMap({ scans, selectedId }: { scans: readonly Scan[]; selectedId?: string }) {
  const { t } = useTranslation('scans');
  const formats = useFormats();
  const names = usePlaceNames();
  const words = useEvidenceWords();
  const navigate = useNavigate();
  const drawn: MapPoint[] = [];
  const rows: FigureTable['rows'][number][] = [];
  const journeys = new Map<string, MapArc>();
  for (const scan of scans) {
    const { id, place } = scan;
    if (place !== null) {
      const tone = scan.result === 'genuine' ? LEVELS[scan.risk.level] : RESULTS[scan.result];
      const where = names.long({ ...place, country: scan.country });
      drawn.push({
        id,
        lat: place.lat,
        lon: place.lon,
        tone: mapTone(tone),
        weight: id === selectedId ? 6 : 1,
        ...(place.accuracyKm === null ? {} : { accuracyKm: place.accuracyKm }),
        label: `${t(`results.${scan.result}`)}, ${where}, ${formats.instant(scan.at)}`,
      });
      rows.push([
        <Anchor key="place" component={Link} to={`/scans/${id}`} inherit>
          {where}
        </Anchor>,
        t(`results.${scan.result}`),
        place.accuracyKm === null ? '–' : formats.kilometres(place.accuracyKm),
        <Time key="at" at={scan.at} />,
      ]);
    }
    // Of the scan on the screen, or the newest few of the unit.
    if (selectedId === undefined ? journeys.size >= MOST_JOURNEYS : scan.id !== selectedId) continue;
    for (const signal of signalsOf(scan)) {
      if (signal.type !== 'impossible_travel') continue;
      const { headline } = words(signal);
      journeys.set(headline, { from: signal.from, to: signal.to, label: headline });
    }
  }
  // Drawn one over the other: what is harmless below, of its kind the newest above, and above all the scan on the screen.
  const rank = ({ id, tone }: MapPoint) => (id === selectedId ? SEVERITY.length : SEVERITY.indexOf(tone));
  drawn.reverse().sort((a, b) => rank(a) - rank(b));
  const arcs = [...journeys.values()];
  const tables = (): FigureTable[] => [
    { headers: [t('place'), t('result'), t('mapAccuracy'), t('at')], rows },
    ...(arcs.length === 0
      ? []
      : [{ headers: [t('mapJourneys')], rows: arcs.map(({ label }) => [label] as const) }]),
  ];
  return (
    <Paper p="xs">
      {drawn.length === 0 && arcs.length === 0 ? (
        <Text size="sm" c="dimmed" p="md">
          {t('noPlaces')}
        </Text>
      ) : (
        <>
          <WorldMap
            label={t('mapLabel', { count: drawn.length })}
            points={drawn}
            arcs={arcs}
            fit
            tables={tables}
            onPoint={(id) => void navigate({ to: `/scans/${id}` })}
          />
          <Text size="xs" c="dimmed" p={6}>
            {t('mapLegend')} {arcs.length > 0 && t('mapLegendJourneys')} <PlaceAttribution />
          </Text>
        </>
      )}
    </Paper>
  );
}

/** As high as the map will be, so that what is below does not jump. */
export const EvidenceMapLoading = () => (
  <Paper p="xs">
    <Skeleton height="auto" style={{ aspectRatio: `${MAP_WIDTH} / ${MAP_HEIGHT + 90}` }} />
  </Paper>
);
