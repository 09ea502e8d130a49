import { Text, Title } from '@mantine/core';
import { IconMapPinCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { UnitName } from '../../components/unit-name.tsx';
import { useFormats } from '../../i18n/format.ts';

/** Scans of its units outside of the markets that they were meant for. */
export function StrayScans({ id }: { id: string }) {
  const { t } = useTranslation('consignments');
  const formats = useFormats();
  const columns: Column<Schemas['Scan']>[] = [
    {
      id: 'unit',
      header: t('unit'),
      cell: (scan) => <UnitName unitId={scan.productUnitId} productId={scan.productId} />,
    },
    {
      id: 'country',
      header: t('country'),
      cell: (scan) => (scan.country === null ? '–' : formats.country(scan.country)),
    },
    { id: 'at', header: t('scanned'), cell: (scan) => <Time at={scan.at} />, align: 'end' },
  ];
  return (
    <div>
      <Title order={2} size="h3" mb={4}>
        {t('stray')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('strayLead')}
      </Text>
      <DataTable
        path="/api/v1/scans"
        query={{ consignmentId: id, result: 'diverted' }}
        label={t('stray')}
        columns={columns}
        pageSize={10}
        linkTo={(scan) => `/scans/${scan.id}`}
        empty={<EmptyState icon={IconMapPinCheck} title={t('strayNone')} />}
      />
    </div>
  );
}
