import { Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../api/use-api.ts';
import { useFilters } from '../../components/use-filters.ts';
import { isRange, RANGES, USUAL_RANGE, type Span } from './span.ts';

const PAUSE_MS = 200;
const OWN = 'own';

/** Which days and which product, kept in the address. */
export function Filters({ span }: { span: Span }) {
  const { t } = useTranslation('overview');
  const [{ range, since, until, productId }, set] = useFilters();
  const isOwn = since !== undefined && until !== undefined;
  const choose = (value: string) =>
    set(
      value === OWN
        ? { range: undefined, since: span.since, until: span.until }
        : { range: value === USUAL_RANGE ? undefined : value, since: undefined, until: undefined },
    );
  return (
    <Group gap="sm" mb="md" align="center">
      <SegmentedControl
        size="xs"
        aria-label={t('range.label')}
        value={isOwn ? OWN : isRange(range) ? range : USUAL_RANGE}
        onChange={choose}
        data={[...Object.keys(RANGES), OWN].map((value) => ({ value, label: t(`range.${value}`) }))}
      />
      {isOwn && (
        <Group gap="xs">
          <TextInput
            type="date"
            size="xs"
            aria-label={t('range.since')}
            value={since}
            max={until}
            onChange={(event) => event.currentTarget.value && set({ since: event.currentTarget.value })}
          />
          <span aria-hidden>–</span>
          <TextInput
            type="date"
            size="xs"
            aria-label={t('range.until')}
            value={until}
            min={since}
            onChange={(event) => event.currentTarget.value && set({ until: event.currentTarget.value })}
          />
        </Group>
      )}
      <ProductFilter value={productId} onChange={(id) => set({ productId: id })} />
    </Group>
  );
}

function ProductFilter({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}) {
  const { t } = useTranslation('overview');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, PAUSE_MS);
  const chosen = useApi(
    '/api/v1/products/{id}',
    { path: { id: value ?? '' } },
    { enabled: value !== undefined },
  );
  const name = value === undefined ? undefined : chosen.data?.name;
  // What the field shows once something is chosen is no search.
  const isSearch = search !== '' && search !== name && search !== t('allProducts');
  const found = useApi('/api/v1/products', {
    query: { archived: 'all', limit: 50, ...(isSearch ? { search } : {}) },
  });
  const products = (found.data?.data ?? []).map((product) => ({ value: product.id, label: product.name }));
  if (value !== undefined && !products.some((product) => product.value === value))
    products.unshift({ value, label: name ?? value });
  return (
    <Select
      size="xs"
      w={230}
      aria-label={t('product')}
      data={[{ value: '', label: t('allProducts') }, ...products]}
      value={value ?? ''}
      onChange={(id) => onChange(id || undefined)}
      searchable
      allowDeselect={false}
      // The service has searched.
      filter={({ options }) => options}
      onSearchChange={setTyped}
      nothingFoundMessage={t('noProduct')}
    />
  );
}
