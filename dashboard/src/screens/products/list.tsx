import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { IconBox, IconPlus, IconTableImport } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useMay } from '../../auth/me.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { EmptyState } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { Markets } from './markets.tsx';

type Product = Schemas['Product'];

/** Beside the usual ones, which are not archived. */
const ARCHIVED = ['true', 'all'] as const;

export function Screen() {
  const { t } = useTranslation('products');
  const mayWrite = useMay('products.write');
  const [{ search, archived: asked }, setFilters] = useFilters();
  const archived = ARCHIVED.find((one) => one === asked);

  const columns: Column<Product>[] = [
    { id: 'name', header: t('name'), cell: (product) => product.name },
    { id: 'sku', header: t('sku'), cell: (product) => <span className="mono">{product.sku}</span> },
    { id: 'brand', header: t('brand'), cell: (product) => product.brand ?? '–' },
    { id: 'markets', header: t('markets'), cell: (product) => <Markets codes={product.markets} short /> },
    {
      id: 'state',
      header: t('state'),
      cell: (product) =>
        product.archivedAt === null ? (
          <StatusBadge tone="good" label={t('current')} />
        ) : (
          <StatusBadge tone="neutral" label={t('archived')} />
        ),
    },
    {
      id: 'created',
      header: t('created'),
      cell: (product) => <Time at={product.createdAt} show="day" />,
      align: 'end',
    },
  ];
  const isFiltered = search !== undefined || archived !== undefined;
  const query = { q: search, archived };
  const create = mayWrite && (
    <>
      <Button
        component={Link}
        to="/products/import"
        variant="default"
        leftSection={<IconTableImport size={16} aria-hidden />}
      >
        {t('import.open')}
      </Button>
      <Button component={Link} to="/products/new" leftSection={<IconPlus size={16} aria-hidden />}>
        {t('new')}
      </Button>
    </>
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('lead')}
        actions={
          <>
            <CsvButton path="/api/v1/products.csv" query={query} name="products.csv" />
            {create}
          </>
        }
      />
      <Group mb="sm" gap="sm">
        <SearchField
          label={t('search')}
          value={search ?? ''}
          onChange={(text) => setFilters({ search: text })}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('state')}
          value={archived ?? 'false'}
          onChange={(value) => setFilters({ archived: value === 'false' ? undefined : value })}
          data={[
            { value: 'false', label: t('current') },
            { value: 'true', label: t('archived') },
            { value: 'all', label: t('all', { ns: 'common' }) },
          ]}
        />
      </Group>
      <DataTable
        path="/api/v1/products"
        query={query}
        label={t('title')}
        columns={columns}
        linkTo={(product) => `/products/${product.id}`}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconBox}
              title={t('noneFound')}
              action={
                <Button
                  variant="default"
                  onClick={() => setFilters({ search: undefined, archived: undefined })}
                >
                  {t('clearFilters')}
                </Button>
              }
            />
          ) : (
            <EmptyState icon={IconBox} title={t('none')} action={create}>
              <Text size="sm">{t('noneText')}</Text>
            </EmptyState>
          )
        }
      />
    </>
  );
}
