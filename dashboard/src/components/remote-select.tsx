import { Loader, Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface RemoteOption {
  value: string;
  label: string;
}

export interface RemoteSelectProps extends Omit<
  SelectProps,
  'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange' | 'filter'
> {
  value?: string;
  /** '' where it was cleared. */
  onChange: (value: string) => void;
}

interface Props extends RemoteSelectProps {
  /** What the service finds; called on every render, as a hook. */
  useFound: (search: string | undefined) => { options: RemoteOption[] | undefined; isFetching: boolean };
  /** What is chosen, which may not be among what is found. */
  chosen: RemoteOption | undefined;
}

const same = (options: readonly RemoteOption[]) => [...options];

/** One of many, found on the server while one types. */
export function RemoteSelect({ value = '', onChange, useFound, chosen, ...props }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, 200);
  // The words of what is chosen are no search: opening shows the newest again.
  const search = settled === '' || settled === chosen?.label ? undefined : settled;
  const { options = [], isFetching } = useFound(search);
  const isListed = chosen === undefined || options.some((option) => option.value === chosen.value);
  return (
    <Select
      searchable
      data={isListed ? options : [chosen, ...options]}
      filter={({ options: found }) => same(found as RemoteOption[])}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={isFetching ? t('loading') : t('palette.nothing')}
      clearButtonProps={{ 'aria-label': t('clear') }}
      {...(isFetching && search !== undefined ? { rightSection: <Loader size={14} /> } : {})}
      {...props}
    />
  );
}
