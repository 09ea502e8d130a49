import { Button, Group, Select, Text } from '@mantine/core';
import { IconBriefcase } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Person, PersonSelect } from '../../components/people.tsx';
import { ProductSelect } from '../../components/product-select.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { UnitName } from '../../components/unit-name.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { CaseStatusBadge, STATUSES, type CaseStatus } from './status.tsx';

export function Screen() {
  const { t } = useTranslation('cases');
  const [{ status, assigneeId, productId }, set] = useFilters();
  const isFiltered = status !== undefined || assigneeId !== undefined || productId !== undefined;
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
      cell: (row) => row.signals.map((type) => t(`signals.${type}`, { ns: 'scans' })).join(', '),
    },
    { id: 'scans', header: t('suspiciousScans'), cell: (row) => row.suspiciousScans, align: 'end' },
    { id: 'score', header: t('maxScore'), cell: (row) => row.maxScore, align: 'end' },
    { id: 'assignee', header: t('assignee'), cell: (row) => <Person id={row.assigneeId} /> },
    { id: 'opened', header: t('opened'), cell: (row) => <Time at={row.openedAt} />, align: 'end' },
  ];
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} />
      <Group gap="sm" mb="md" align="flex-end">
        <Select
          label={t('status')}
          w={{ base: 'calc(50% - 6px)', xs: 170 }}
          allowDeselect={false}
          value={status ?? ''}
          onChange={(value) => set({ status: value || undefined })}
          data={[
            { value: '', label: t('all', { ns: 'common' }) },
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
        <ProductSelect
          label={t('product')}
          w={{ base: 'calc(50% - 6px)', xs: 220 }}
          all={t('allProducts', { ns: 'scans' })}
          value={productId ?? null}
          onChange={(id) => set({ productId: id ?? undefined })}
        />
      </Group>
      <DataTable
        path="/api/v1/risk-cases"
        query={{ status: status as CaseStatus | undefined, assigneeId, productId } as never}
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
                  onClick={() => set({ status: undefined, assigneeId: undefined, productId: undefined })}
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
