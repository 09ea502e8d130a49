import { Button, Group, Select, Text } from '@mantine/core';
import { IconBriefcase } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { QueryOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Person, PersonSelect } from '../../components/people.tsx';
import { ALL_PRODUCTS } from '../../components/product-sources.ts';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { UnitName } from '../../components/unit-name.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { useFormats } from '../../i18n/format.ts';
import { CaseStatusBadge, STATUSES, type CaseStatus } from './status.tsx';

/** A choice beside the statuses: those that somebody has still to decide. */
const UNDECIDED = 'undecided';
const filterOf = (status: string | undefined): QueryOf<'/api/v1/risk-cases'> =>
  status === UNDECIDED ? { undecided: 'true' } : { status: status as CaseStatus | undefined };

export function Screen() {
  const { t } = useTranslation('cases');
  const formats = useFormats();
  const [{ search, status, assigneeId, productId }, set] = useFilters();
  const query = { ...filterOf(status), q: search, assigneeId, productId };
  const isFiltered = [search, status, assigneeId, productId].some((value) => value !== undefined);
  const columns: Column<Schemas['RiskCase']>[] = [
    {
      id: 'unit',
      header: t('unit'),
      cell: (row) => <UnitName unitId={row.productUnitId} productId={row.productId} />,
    },
    { id: 'status', header: t('status'), cell: (row) => <CaseStatusBadge status={row.status} /> },
    {
      id: 'signals',
      header: t('why'),
      cell: ({ signals, openedBy, reportId }) =>
        signals.length > 0 || openedBy === null
          ? formats.series(signals.map((type) => t(`signals.${type}`, { ns: 'scans' })))
          : t(reportId === null ? 'byHand' : 'byReport'),
    },
    {
      id: 'scans',
      header: t('suspiciousScans'),
      cell: (row) => formats.number(row.suspiciousScans),
      align: 'end',
    },
    { id: 'score', header: t('maxScore'), cell: (row) => row.maxScore, align: 'end' },
    { id: 'assignee', header: t('assignee'), cell: (row) => <Person id={row.assigneeId} /> },
    { id: 'opened', header: t('opened'), cell: (row) => <Time at={row.openedAt} show="day" />, align: 'end' },
  ];
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('lead')}
        actions={<CsvButton path="/api/v1/risk-cases.csv" query={query} name="risk-cases.csv" />}
      />
      <Group gap="sm" mb="md" align="flex-end">
        <SearchField
          label={t('search')}
          value={search ?? ''}
          onChange={(text) => set({ search: text || undefined })}
        />
        <Select
          label={t('status')}
          w={{ base: 'calc(50% - 6px)', xs: 170 }}
          allowDeselect={false}
          value={status ?? ''}
          onChange={(value) => set({ status: value || undefined })}
          data={[
            { value: '', label: t('all', { ns: 'common' }) },
            { value: UNDECIDED, label: t('undecided') },
            ...Object.keys(STATUSES).map((value) => ({ value, label: t(`statuses.${value}`) })),
          ]}
        />
        <PersonSelect
          label={t('assignee')}
          w={{ base: 'calc(50% - 6px)', xs: 220 }}
          nobody={t('anybody')}
          value={assigneeId ?? null}
          onChange={(id) => set({ assigneeId: id ?? undefined })}
        />
        <RemoteSelect
          source={ALL_PRODUCTS}
          label={t('product')}
          w={{ base: 'calc(50% - 6px)', xs: 220 }}
          all={t('allProducts', { ns: 'scans' })}
          value={productId ?? ''}
          onChange={(id) => set({ productId: id || undefined })}
        />
      </Group>
      <DataTable
        path="/api/v1/risk-cases"
        query={query}
        label={t('title')}
        columns={columns}
        linkTo={(row) => `/cases/${row.id}`}
        empty={
          <EmptyState
            icon={IconBriefcase}
            title={isFiltered ? t('noneFound') : t('none')}
            action={
              isFiltered && (
                <Button
                  variant="default"
                  onClick={() =>
                    set({ search: undefined, status: undefined, assigneeId: undefined, productId: undefined })
                  }
                >
                  {t('clearFilters')}
                </Button>
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
