import { Button, Group, Select, Text } from '@mantine/core';
import { IconQrcode } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { QueryOf } from '../../api/client.ts';
import { useMay } from '../../auth/me.ts';
import { DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { BATCHES } from '../batches/batch-source.ts';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { useJobColumns } from './columns.tsx';

type Jobs = QueryOf<'/api/v1/barcode-jobs'>;

const STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
const REFRESH_MS = 3_000;

/** A choice beside the states: what the overview counts. */
const ATTENTION = 'attention';
const filterOf = (status: string | undefined): Jobs =>
  status === ATTENTION ? { needsAttention: 'true' } : { status: status as Jobs['status'] };

export function Screen() {
  const { t } = useTranslation('minting');
  const mayMint = useMay('barcodes.generate');
  const [{ batchId, status }, setFilters] = useFilters();
  const columns = useJobColumns('everything');
  const create = (
    <Button
      component={Link}
      to="/minting/new"
      search={{ batchId } as never}
      leftSection={<IconQrcode size={16} aria-hidden />}
    >
      {t('new')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} actions={mayMint && create} />
      <Group mb="sm" gap="sm">
        <RemoteSelect
          source={BATCHES}
          aria-label={t('batch')}
          placeholder={t('anyBatch')}
          clearable
          value={batchId ?? ''}
          onChange={(id) => setFilters({ batchId: id || undefined })}
          w={{ base: '100%', xs: 280 }}
        />
        <Select
          aria-label={t('state')}
          placeholder={t('anyState')}
          clearable
          clearButtonProps={{ 'aria-label': t('clear', { ns: 'common' }) }}
          value={status ?? null}
          onChange={(value) => setFilters({ status: value ?? undefined })}
          data={[
            { value: ATTENTION, label: t('needsAttention') },
            ...STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
          ]}
          w={{ base: '100%', xs: 180 }}
        />
      </Group>
      <DataTable
        path="/api/v1/barcode-jobs"
        query={{ batchId, ...filterOf(status) }}
        label={t('title')}
        columns={columns}
        linkTo={(job) => `/minting/${job.id}`}
        refreshMs={REFRESH_MS}
        empty={
          batchId !== undefined || status !== undefined ? (
            <EmptyState
              icon={IconQrcode}
              title={t('noneFound')}
              action={
                <Button
                  variant="default"
                  onClick={() => setFilters({ batchId: undefined, status: undefined })}
                >
                  {t('clearFilters')}
                </Button>
              }
            />
          ) : (
            <EmptyState icon={IconQrcode} title={t('none')} action={mayMint && create}>
              <Text size="sm">{t('noneText')}</Text>
            </EmptyState>
          )
        }
      />
    </>
  );
}
