import { Button, Group, Select, Text } from '@mantine/core';
import { IconPlus, IconTruckDelivery } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { QueryOf } from '../../api/client.ts';
import { useMay } from '../../auth/me.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { useFormats } from '../../i18n/format.ts';
import { ConsignmentBadge, STATUSES, useDiscrepancyWords, type Consignment } from './status.tsx';

/** What the overview counts, as the service does. */
const LATELY_DAYS = 14;

/** Choices that are no status of the service's own. */
const FURTHER: Record<string, QueryOf<'/api/v1/consignments'>> = {
  overdue: { overdue: 'true' },
  'discrepant-lately': { hasDiscrepancy: 'true', receivedWithinDays: LATELY_DAYS },
  discrepant: { hasDiscrepancy: 'true' },
};

export function Screen() {
  const { t } = useTranslation('consignments');
  const formats = useFormats();
  const mayWrite = useMay('consignments.write');
  const [{ q, status }, set] = useFilters();
  const discrepancies = useDiscrepancyWords();
  const isFiltered = q !== undefined || status !== undefined;
  const columns: Column<Consignment>[] = [
    { id: 'reference', header: t('reference'), cell: (row) => row.reference ?? row.sscc ?? t('unnamed') },
    {
      id: 'destination',
      header: t('destination'),
      cell: ({ destination }) =>
        destination === null
          ? '–'
          : formats.series(
              [destination.name, destination.country && formats.country(destination.country)].filter(
                (part) => part !== null,
              ),
            ),
    },
    { id: 'status', header: t('status'), cell: (row) => <ConsignmentBadge consignment={row} /> },
    { id: 'units', header: t('units'), cell: (row) => formats.number(row.unitCount), align: 'end' },
    {
      id: 'lacks',
      header: t('discrepancies'),
      cell: (row) => discrepancies(row) ?? '–',
    },
    {
      id: 'dispatched',
      header: t('dispatched'),
      cell: (row) => (row.dispatchedAt === null ? '–' : <Time at={row.dispatchedAt} show="day" />),
      align: 'end',
    },
  ];
  const filters: QueryOf<'/api/v1/consignments'> =
    status !== undefined && Object.hasOwn(FURTHER, status)
      ? { q, ...FURTHER[status] }
      : { q, status: status as Consignment['status'] | undefined };
  const create = mayWrite && (
    <Button component={Link} to="/consignments/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {t('new')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} actions={create} />
      <Group gap="sm" mb="md">
        <SearchField label={t('search')} value={q ?? ''} onChange={(text) => set({ q: text || undefined })} />
        <Select
          aria-label={t('status')}
          w={{ base: '100%', xs: 300 }}
          allowDeselect={false}
          value={status ?? ''}
          onChange={(value) => set({ status: value || undefined })}
          data={[
            { value: '', label: t('allStatuses') },
            ...Object.keys(FURTHER).map((value) => ({ value, label: t(`further.${value}`) })),
            ...Object.keys(STATUSES).map((value) => ({ value, label: t(`statuses.${value}`) })),
          ]}
        />
      </Group>
      <DataTable
        path="/api/v1/consignments"
        query={filters}
        label={t('title')}
        columns={columns}
        linkTo={(row) => `/consignments/${row.id}`}
        empty={
          <EmptyState
            icon={IconTruckDelivery}
            title={isFiltered ? t('noneFound') : t('none')}
            action={
              isFiltered ? (
                <Button variant="default" onClick={() => set({ q: undefined, status: undefined })}>
                  {t('clearFilters')}
                </Button>
              ) : (
                create
              )
            }
          >
            {!isFiltered && <Text size="sm">{t('noneText')}</Text>}
          </EmptyState>
        }
      />
    </>
  );
}
