import { Button, Group, Select, Text } from '@mantine/core';
import { IconDownload, IconQrcode, IconTags } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type QueryOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useMay } from '../../auth/me.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { BATCHES } from '../batches/batch-source.ts';
import { BulkProgress } from '../batches/bulk-progress.tsx';
import { ALL_PRODUCTS } from '../../components/product-sources.ts';
import { foundOf } from '../../components/found-source.ts';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { ExportFile } from '../scans/export-file.tsx';
import { ChangeListed } from './change-listed.tsx';
import { RISKS, UnitStatus } from './unit-status.tsx';

type Unit = Schemas['ProductUnit'];
type Filters = QueryOf<'/api/v1/product-units'>;

const CONSIGNMENT = foundOf('consignment');
const STATUSES = ['minted', 'active', 'suspended', 'voided'] as const;
const NONE = {
  search: undefined,
  batchId: undefined,
  productId: undefined,
  consignmentId: undefined,
  status: undefined,
  risk: undefined,
};

export function Screen() {
  const { t } = useTranslation('units');
  const mayMint = useMay('barcodes.generate');
  const maySeeConsignments = useMay('consignments.read');
  const maySeeRisk = useMay('scans.read');
  const mayMove = useMay('product_units.write');
  const [isExporting, setExporting] = useState(false);
  const [{ search, batchId, productId, consignmentId, status, risk, bulk }, setFilters] = useFilters();
  const columns: Column<Unit>[] = [
    { id: 'serial', header: t('serial'), cell: (unit) => <span className="mono">{unit.serial}</span> },
    { id: 'product', header: t('product'), cell: (unit) => unit.productName },
    {
      id: 'lot',
      header: t('lot'),
      cell: (unit) => (unit.lot === null ? '–' : <span className="mono">{unit.lot}</span>),
    },
    {
      id: 'status',
      header: t('state'),
      cell: (unit) => (
        <Group gap={4} component="span" display="inline-flex">
          <UnitStatus unit={unit} />
        </Group>
      ),
    },
    {
      id: 'activated',
      header: t('activatedAt'),
      cell: ({ activatedAt }) => (activatedAt === null ? '–' : <Time at={activatedAt} />),
      align: 'end',
    },
  ];
  const query: Filters = {
    q: search,
    batchId,
    productId,
    consignmentId,
    status: status as Filters['status'],
    risk: risk as Filters['risk'],
  };
  const isFiltered = [search, batchId, productId, consignmentId, status, risk].some(
    (value) => value !== undefined,
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('lead')}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => setExporting(true)}
            >
              {t('export.open', { ns: 'scans' })}
            </Button>
            {mayMove && <ChangeListed onStarted={(id) => setFilters({ bulk: id })} />}
          </>
        }
      />
      {bulk !== undefined && (
        <BulkProgress key={bulk} id={bulk} onClose={() => setFilters({ bulk: undefined })} />
      )}
      <Group mb="sm" gap="sm">
        <SearchField
          label={t('search')}
          value={search ?? ''}
          onChange={(text) => setFilters({ search: text || undefined })}
        />
        <RemoteSelect
          source={ALL_PRODUCTS}
          aria-label={t('product')}
          placeholder={t('anyProduct')}
          clearable
          value={productId ?? ''}
          onChange={(id) => setFilters({ productId: id || undefined })}
          w={{ base: '100%', xs: 220 }}
        />
        <RemoteSelect
          source={BATCHES}
          aria-label={t('batch')}
          placeholder={t('anyBatch')}
          clearable
          value={batchId ?? ''}
          onChange={(id) => setFilters({ batchId: id || undefined })}
          w={{ base: '100%', xs: 260 }}
        />
        {maySeeConsignments && (
          <RemoteSelect
            source={CONSIGNMENT}
            aria-label={t('consignment')}
            placeholder={t('anyConsignment')}
            clearable
            value={consignmentId ?? ''}
            onChange={(id) => setFilters({ consignmentId: id || undefined })}
            w={{ base: '100%', xs: 220 }}
          />
        )}
        <Select
          aria-label={t('state')}
          placeholder={t('anyState')}
          clearable
          clearButtonProps={{ 'aria-label': t('clear', { ns: 'common' }) }}
          value={status ?? null}
          onChange={(value) => setFilters({ status: value ?? undefined })}
          data={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
          w={{ base: '100%', xs: 170 }}
        />
        {maySeeRisk && (
          <Select
            aria-label={t('risk.title')}
            placeholder={t('risk.any')}
            clearable
            clearButtonProps={{ 'aria-label': t('clear', { ns: 'common' }) }}
            value={risk ?? null}
            onChange={(value) => setFilters({ risk: value ?? undefined })}
            data={Object.keys(RISKS).map((value) => ({ value, label: t(`risk.${value}`) }))}
            w={{ base: '100%', xs: 190 }}
          />
        )}
      </Group>
      <DataTable
        path="/api/v1/product-units"
        query={query}
        label={t('title')}
        columns={columns}
        linkTo={(unit) => `/units/${unit.id}`}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconTags}
              title={t('noneFound')}
              action={
                <Button variant="default" onClick={() => setFilters(NONE)}>
                  {t('clearFilters')}
                </Button>
              }
            >
              {search !== undefined && t('noneFoundText')}
            </EmptyState>
          ) : (
            <EmptyState
              icon={IconTags}
              title={t('none')}
              action={
                mayMint && (
                  <Button
                    component={Link}
                    to="/minting/new"
                    leftSection={<IconQrcode size={16} aria-hidden />}
                  >
                    {t('mint')}
                  </Button>
                )
              }
            >
              <Text size="sm">{t('noneText')}</Text>
            </EmptyState>
          )
        }
      />
      <ExportFile
        kind="units"
        opened={isExporting}
        onClose={() => setExporting(false)}
        isFiltered={isFiltered}
        start={(form) => api.post('/api/v1/unit-exports', { body: { ...form, ...query } })}
      />
    </>
  );
}
