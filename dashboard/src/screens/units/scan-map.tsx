import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import type { FigureTable } from '../../components/figure.tsx';
import { PlaceAttribution } from '../../components/place-attribution.tsx';
import { PlaceName } from '../../components/place-names.ts';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { mapTone, WorldMap, type MapPoint } from '../../components/world-map.tsx';
import { useFormats } from '../../i18n/format.ts';
import { RESULTS } from '../scans/badges.tsx';
import { LIFE_REFRESH_MS } from './refresh.ts';

type Scanned = Extract<Schemas['TimelineEntry'], { type: 'scanned' }>;

/** Where the unit was scanned, each place with how sure it is. */
export function ScanMap({ unitId }: { unitId: string }) {
  const scans = useApi(
    '/api/v1/product-units/{id}/timeline',
    { path: { id: unitId }, query: { type: 'scanned', limit: 200 } },
    { refetchInterval: LIFE_REFRESH_MS },
  );
  return (
    <Loaded query={scans} skeleton={<Skeleton style={{ aspectRatio: '960 / 470' }} />}>
      {({ data }) => <Drawn scans={data as unknown as Scanned[]} />}
    </Loaded>
  );
}

function Drawn({ scans }: { scans: readonly Scanned[] }) {
  const { t } = useTranslation('units');
  const { t: scanText } = useTranslation('scans');
  const formats = useFormats();
  const points = useMemo(
    () =>
      scans.flatMap((scan): MapPoint[] => {
        const { lat, lon, accuracyKm, result, at, country, scanId } = scan;
        if (lat === null || lon === null) return [];
        const place = country === null ? t('placeUnknown') : formats.country(country);
        const label = formats.labelled(formats.series([place, formats.instant(at)]), t(`result.${result}`));
        const sure = accuracyKm === null ? {} : { accuracyKm };
        return [{ id: scanId, lat, lon, tone: mapTone(RESULTS[result]), label, ...sure }];
      }),
    [scans, t, formats],
  );
  const table = (): FigureTable => ({
    headers: [scanText('place'), scanText('result'), scanText('at')],
    rows: scans.flatMap(({ lat, lon, country, result, at, scanId }) =>
      lat === null || lon === null
        ? []
        : [
            [
              <Anchor key="place" component={Link} to={`/scans/${scanId}`} inherit>
                <PlaceName spot={{ lat, lon, country }} />
              </Anchor>,
              t(`result.${result}`),
              <Time key="at" at={at} />,
            ],
          ],
    ),
  });
  if (points.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {scans.length === 0 ? t('mapEmpty') : t('mapNoPlaces')}
      </Text>
    );
  return (
    <>
      <WorldMap
        label={t('mapLabel', { count: points.length })}
        points={points}
        fit
        tables={() => [table()]}
      />
      <Text size="xs" c="dimmed" mt={6}>
        {t('mapHint')} <PlaceAttribution />
      </Text>
    </>
  );
}
