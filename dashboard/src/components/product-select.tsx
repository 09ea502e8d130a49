import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useProductName } from '../api/unit-names.ts';
import { useApi } from '../api/use-api.ts';

const PAUSE_MS = 200;

/** One product out of any number, found by typing; null for all of them. */
export function ProductSelect({
  value,
  onChange,
  all,
  ...props
}: Omit<SelectProps, 'data' | 'onChange' | 'value'> & {
  value: string | null;
  onChange: (id: string | null) => void;
  /** The word for none chosen: "All products". */
  all: string;
}) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, PAUSE_MS);
  const chosen = useProductName(value);
  // What the field shows is no search.
  const isSearch = search !== '' && search !== all && search !== chosen && search !== value;
  const list = useApi('/api/v1/products', {
    query: { archived: 'all', limit: 50, ...(isSearch ? { q: search } : {}) },
  });
  const data = (list.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  if (value !== null && !data.some((product) => product.value === value))
    data.unshift({ value, label: chosen ?? value });
  return (
    <Select
      data={[{ value: '', label: all }, ...data]}
      value={value ?? ''}
      onChange={(id) => onChange(id || null)}
      searchable
      // The service has searched.
      filter={({ options }) => options}
      onSearchChange={setTyped}
      allowDeselect={false}
      {...props}
    />
  );
}
