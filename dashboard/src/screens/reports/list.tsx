import { Button, Group, Select, Text } from '@mantine/core';
import { IconMailExclamation, IconPhoto } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { QueryOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useMay } from '../../auth/me.ts';
import { useProductName } from '../../api/unit-names.ts';
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
import { UnitPill } from '../../components/unit-pill.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { COUNTRY_CODES } from '../../i18n/countries.ts';
import { useFormats } from '../../i18n/format.ts';
import { CHANNELS, ReportStatusBadge, STATUSES } from './status.tsx';

type Query = Omit<QueryOf<'/api/v1/counterfeit-reports'>, 'limit' | 'cursor'>;

const FILTERS = ['q', 'status', 'channel', 'assigneeId', 'productId', 'country', 'unitId'] as const;
const EXCERPT = 90;

/** Without half of a character that takes two, as an emoji does. */
const excerptOf = (text: string): string =>
  text.length > EXCERPT ? `${text.slice(0, EXCERPT).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/** Of which no unit is known. */
const ProductName = ({ id }: { id: string }) => useProductName(id) ?? '–';

export function Screen() {
  const { t, i18n } = useTranslation('reports');
  const formats = useFormats();
  const [filters, set] = useFilters();
  const query = Object.fromEntries(FILTERS.map((name) => [name, filters[name]])) as Query;
  const mayWrite = useMay('reports.write');
  const isFiltered = FILTERS.some((name) => filters[name] !== undefined);
  const columns: Column<Schemas['CounterfeitReport']>[] = [
    {
      id: 'description',
      header: t('description'),
      cell: ({ description }) => <span className="as-written">{excerptOf(description)}</span>,
    },
    { id: 'status', header: t('status'), cell: (row) => <ReportStatusBadge status={row.status} /> },
    {
      id: 'about',
      header: t('about'),
      cell: ({ productUnitId, productId, brand }) =>
        productUnitId !== null && productId !== null ? (
          <UnitName unitId={productUnitId} productId={productId} />
        ) : productId !== null ? (
          <ProductName id={productId} />
        ) : (
          t('withoutCode', { brand: brand ?? '', context: brand === null ? undefined : 'brand' })
        ),
    },
    {
      id: 'bought',
      header: t('place'),
      cell: ({ purchasedFrom }) =>
        purchasedFrom === null ? '–' : <span className="as-written">{purchasedFrom}</span>,
    },
    {
      id: 'photos',
      header: t('photos'),
      cell: ({ photoCount }) =>
        photoCount === 0 ? (
          '–'
        ) : (
          <Group gap={4} wrap="nowrap">
            <IconPhoto size={16} stroke={1.6} aria-hidden />
            {photoCount}
          </Group>
        ),
    },
    { id: 'assignee', header: t('assignee'), cell: (row) => <Person id={row.assigneeId} /> },
    {
      id: 'filed',
      header: t('filed'),
      cell: ({ createdAt, country, channel }) => (
        // One piece, which a narrow screen sets beside the header.
        <div>
          <Time at={createdAt} />
          {channel !== 'consumer' && (
            <Text size="xs" c="dimmed">
              {t(`channels.${channel}`)}
            </Text>
          )}
          {country !== null && (
            <Text size="xs" c="dimmed">
              {formats.country(country)}
            </Text>
          )}
        </div>
      ),
      align: 'end',
    },
  ];
  const all = { value: '', label: t('all', { ns: 'common' }) };
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('lead')}
        actions={
          <>
            <CsvButton path="/api/v1/counterfeit-reports.csv" query={query} name="counterfeit-reports.csv" />
            {mayWrite && (
              <Button component={Link} to="/reports/new">
                {t('new')}
              </Button>
            )}
          </>
        }
      />
      <Group gap="sm" mb="md" align="flex-end">
        <SearchField
          label={t('search')}
          value={filters['q'] ?? ''}
          onChange={(text) => set({ q: text || undefined })}
        />
        <Select
          label={t('status')}
          w={{ base: 'calc(50% - 6px)', xs: 170 }}
          allowDeselect={false}
          value={filters['status'] ?? ''}
          onChange={(value) => set({ status: value || undefined })}
          data={[all, ...Object.keys(STATUSES).map((value) => ({ value, label: t(`statuses.${value}`) }))]}
        />
        <Select
          label={t('channel')}
          w={{ base: 'calc(50% - 6px)', xs: 200 }}
          allowDeselect={false}
          value={filters['channel'] ?? ''}
          onChange={(value) => set({ channel: value || undefined })}
          data={[all, ...CHANNELS.map((value) => ({ value, label: t(`channels.${value}`) }))]}
        />
        <PersonSelect
          label={t('assignee')}
          w={{ base: 'calc(50% - 6px)', xs: 200 }}
          nobody={t('anybody', { ns: 'cases' })}
          value={filters['assigneeId'] ?? null}
          onChange={(id) => set({ assigneeId: id ?? undefined })}
        />
        <RemoteSelect
          source={ALL_PRODUCTS}
          label={t('product', { ns: 'scans' })}
          w={{ base: 'calc(50% - 6px)', xs: 200 }}
          all={t('allProducts', { ns: 'scans' })}
          value={filters['productId'] ?? ''}
          onChange={(id) => set({ productId: id || undefined })}
        />
        <Select
          label={t('country', { ns: 'scans' })}
          w={{ base: 'calc(50% - 6px)', xs: 180 }}
          allowDeselect={false}
          searchable
          value={filters['country'] ?? ''}
          onChange={(value) => set({ country: value || undefined })}
          data={[
            all,
            ...COUNTRY_CODES.map((value) => ({ value, label: formats.country(value) })).sort((a, b) =>
              a.label.localeCompare(b.label, i18n.language),
            ),
          ]}
        />
        {query.unitId !== undefined && (
          <UnitPill unitId={query.unitId} onRemove={() => set({ unitId: undefined })} />
        )}
      </Group>
      <DataTable
        path="/api/v1/counterfeit-reports"
        query={query}
        label={t('title')}
        columns={columns}
        linkTo={(row) => `/reports/${row.id}`}
        empty={
          <EmptyState
            icon={IconMailExclamation}
            title={isFiltered ? t('noneFound') : t('none')}
            action={
              isFiltered && (
                <Button
                  variant="default"
                  onClick={() => set(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
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
