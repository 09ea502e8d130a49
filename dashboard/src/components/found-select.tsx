import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { ResponseOf } from '../api/client.ts';
import { useApi } from '../api/use-api.ts';

type Hit = ResponseOf<'/api/v1/search'>['data'][number];

const PAUSE_MS = 200;

const nameOf = ({ title, subtitle }: Hit) => (subtitle === null ? title : `${title} · ${subtitle}`);

interface FoundSelectProps extends Omit<SelectProps, 'data' | 'onChange' | 'value'> {
  type: Hit['type'];
  /** Public id, or null. */
  value: string | null;
  onChange: (id: string | null) => void;
}

/** One thing of a kind, out of any number, found by typing its name, lot, serial, reference or id. */
export function FoundSelect({ type, value, onChange, ...props }: FoundSelectProps) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim().slice(0, 100), PAUSE_MS);
  const chosen = useApi('/api/v1/search', { query: { q: value ?? '' } }, { enabled: value !== null });
  const hit = value === null ? undefined : chosen.data?.data.find(({ id }) => id === value);
  const isSearch = q !== '' && !(hit !== undefined && q === nameOf(hit));
  const found = useApi('/api/v1/search', { query: { q } }, { enabled: isSearch });
  const hits = isSearch ? (found.data?.data ?? []).filter((one) => one.type === type) : [];
  if (hit !== undefined && !hits.some(({ id }) => id === hit.id)) hits.unshift(hit);
  return (
    <Select
      data={hits.map((one) => ({ value: one.id, label: nameOf(one) }))}
      value={value}
      onChange={onChange}
      searchable
      clearable
      // The service has searched.
      filter={({ options }) => options}
      onSearchChange={setTyped}
      {...props}
    />
  );
}

/** @returns the name of what an id names, once it is known. */
export function useNameOf(id: string): Hit | undefined {
  return useApi('/api/v1/search', { query: { q: id } }).data?.data[0];
}
