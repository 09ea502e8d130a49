import { Button, Group, SegmentedControl, Select, Text } from '@mantine/core';
import { IconAlertOctagon } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../auth/me.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { RecallBadge, SCOPES, TargetName, type Recall } from './target.tsx';

const IN_FORCE = ['true', 'false'] as const;

export function Screen() {
  const { t } = useTranslation('recalls');
  const mayWrite = useMay('product_units.write');
  const [asked, set] = useFilters();
  const inForce = IN_FORCE.find((one) => one === asked['inForce']);
  const scope = SCOPES.find((one) => one === asked['scope']);
  const isFiltered = inForce !== undefined || scope !== undefined;
  const columns: Column<Recall>[] = [
    { id: 'target', header: t('target'), cell: (row) => <TargetName scope={row.scope} id={row.targetId} /> },
    { id: 'state', header: t('state'), cell: (row) => <RecallBadge recall={row} /> },
    { id: 'reason', header: t('reason'), cell: (row) => <bdi>{row.reason ?? '–'}</bdi> },
    { id: 'starts', header: t('starts'), cell: (row) => <Time at={row.startsAt} />, align: 'end' },
  ];
  const start = mayWrite && (
    <Button component={Link} to="/recalls/new" leftSection={<IconAlertOctagon size={16} aria-hidden />}>
      {t('new')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} actions={start} />
      <Group gap="sm" mb="md">
        <SegmentedControl
          size="xs"
          aria-label={t('state')}
          value={inForce ?? ''}
          onChange={(value) => set({ inForce: value || undefined })}
          data={[
            { value: '', label: t('all', { ns: 'common' }) },
            { value: 'true', label: t('inForce') },
            { value: 'false', label: t('notInForce') },
          ]}
        />
        <Select
          aria-label={t('scope')}
          w={{ base: '100%', xs: 190 }}
          allowDeselect={false}
          value={scope ?? ''}
          onChange={(value) => set({ scope: value || undefined })}
          data={[
            { value: '', label: t('allScopes') },
            ...SCOPES.map((value) => ({ value, label: t(`scopes.${value}`) })),
          ]}
        />
      </Group>
      <DataTable
        path="/api/v1/recalls"
        query={{ inForce, scope }}
        label={t('title')}
        columns={columns}
        linkTo={(row) => `/recalls/${row.id}`}
        empty={
          <EmptyState
            icon={IconAlertOctagon}
            title={isFiltered ? t('noneFound') : t('none')}
            action={
              isFiltered ? (
                <Button variant="default" onClick={() => set({ inForce: undefined, scope: undefined })}>
                  {t('clearFilters')}
                </Button>
              ) : (
                start
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
