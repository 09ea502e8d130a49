import { Button, Group, Text } from '@mantine/core';
import { IconPlus, IconStack2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../auth/me.ts';
import { DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { ALL_PRODUCTS } from '../../components/product-sources.ts';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { useBatchColumns } from './columns.tsx';

export function Screen() {
  const { t } = useTranslation('batches');
  const mayWrite = useMay('batches.write');
  const [{ search, productId }, setFilters] = useFilters();
  const columns = useBatchColumns('everything');
  const isFiltered = search !== undefined || productId !== undefined;
  const create = (
    <Button
      component={Link}
      to="/batches/new"
      search={{ productId } as never}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t('new')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} actions={mayWrite && create} />
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
          w={{ base: '100%', xs: 260 }}
        />
      </Group>
      <DataTable
        path="/api/v1/batches"
        query={{ q: search, productId }}
        label={t('title')}
        columns={columns}
        linkTo={(batch) => `/batches/${batch.id}`}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconStack2}
              title={t('noneFound')}
              action={
                <Button
                  variant="default"
                  onClick={() => setFilters({ search: undefined, productId: undefined })}
                >
                  {t('clearFilters')}
                </Button>
              }
            />
          ) : (
            <EmptyState icon={IconStack2} title={t('none')} action={mayWrite && create}>
              <Text size="sm">{t('noneText')}</Text>
            </EmptyState>
          )
        }
      />
    </>
  );
}
