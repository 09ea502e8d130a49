import { Button, Text } from '@mantine/core';
import { IconDownload, IconScan } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type QueryOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PlaceAttribution } from '../../components/place-attribution.tsx';
import { usePlaceNames } from '../../components/place-names.ts';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useTimeRange } from '../../components/time-range.tsx';
import { UnitName } from '../../components/unit-name.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { useFormats } from '../../i18n/format.ts';
import { untilFinal } from './assessment.ts';
import { RiskScore, ScanResultBadges } from './badges.tsx';
import { ExportFile } from './export-file.tsx';
import { ScanFilters } from './filters.tsx';
import { isCounted, signalsOf } from './signals.ts';

type Scan = Schemas['Scan'];
export type ScanQuery = Omit<QueryOf<'/api/v1/scans'>, 'limit' | 'cursor'>;

const FILTERS = [
  'productId',
  'batchId',
  'unitId',
  'country',
  'result',
  'riskLevel',
  'isInternal',
  'hiddenCode',
  'nfcTap',
] as const;
const SPAN = ['range', 'since', 'until'] as const;

export function Screen() {
  const { t } = useTranslation('scans');
  const formats = useFormats();
  const [filters, set] = useFilters();
  const span = useTimeRange();
  const names = usePlaceNames();
  const [isExporting, setExporting] = useState(false);
  const query = {
    ...Object.fromEntries(FILTERS.map((name) => [name, filters[name]])),
    ...span,
  } as ScanQuery;
  const isFiltered = [...FILTERS, ...SPAN].some((name) => filters[name] !== undefined);
  const columns: Column<Scan>[] = [
    { id: 'at', header: t('at'), cell: (scan) => <Time at={scan.at} /> },
    { id: 'result', header: t('result'), cell: (scan) => <ScanResultBadges scan={scan} /> },
    {
      id: 'unit',
      header: t('unit'),
      cell: (scan) => <UnitName unitId={scan.productUnitId} productId={scan.productId} />,
    },
    {
      id: 'place',
      header: t('place'),
      cell: (scan) => {
        if (scan.place !== null) return names.long({ ...scan.place, country: scan.country });
        return scan.country === null ? '–' : names.short({ lat: 90, lon: 0, country: scan.country });
      },
    },
    {
      id: 'risk',
      header: t('risk'),
      cell: ({ risk }) => <RiskScore level={risk.level} score={risk.score} />,
    },
    {
      id: 'signals',
      header: t('why'),
      cell: (scan) => {
        const types = [
          ...new Set(
            signalsOf(scan)
              .filter(isCounted)
              .map(({ type }) => type),
          ),
        ];
        return types.length === 0 ? '–' : formats.series(types.map((type) => t(`signals.${type}`)));
      },
    },
  ];
  const clear = () => set(Object.fromEntries([...FILTERS, ...SPAN].map((name) => [name, undefined])));
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('lead')}
        actions={
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => setExporting(true)}
          >
            {t('export.open')}
          </Button>
        }
      />
      <ScanFilters />
      <DataTable
        path="/api/v1/scans"
        query={query}
        label={t('title')}
        columns={columns}
        linkTo={(scan) => `/scans/${scan.id}`}
        refreshMs={untilFinal}
        empty={
          <EmptyState
            icon={IconScan}
            title={isFiltered ? t('noneFound') : t('none')}
            action={
              isFiltered && (
                <Button variant="default" onClick={clear}>
                  {t('clearFilters')}
                </Button>
              )
            }
          >
            <Text size="sm">{isFiltered ? t('noneFoundText') : t('noneText')}</Text>
          </EmptyState>
        }
      />
      <Text size="xs" c="dimmed" mt="sm">
        <PlaceAttribution />
      </Text>
      <ExportFile
        kind="scans"
        opened={isExporting}
        onClose={() => setExporting(false)}
        isFiltered={isFiltered}
        start={(form) => api.post('/api/v1/scan-exports', { body: { ...form, ...query } })}
      />
    </>
  );
}
