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

interface Typed {
  /** What the service is asked for, once the typing pauses. */
  search: string | undefined;
  text: string;
  setText: (text: string) => void;
}

interface Props extends RemoteSelectProps {
  typed: Typed;
  /** What the service found. */
  options: readonly RemoteOption[] | undefined;
  isFetching: boolean;
  /** May not be among what is found. */
  chosen: RemoteOption | undefined;
}

const PAUSE_MS = 200;

/** What is typed into a {@link RemoteSelect}. */
export function useTyped(chosen: RemoteOption | undefined): Typed {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  // The words of what is chosen are no search: opening shows the newest again.
  const search = settled === '' || settled === chosen?.label ? undefined : settled;
  return { search, text, setText };
}

/** One of many, found on the server while one types. */
export function RemoteSelect({ value, onChange, typed, options = [], isFetching, chosen, ...props }: Props) {
  const { t } = useTranslation();
  const isListed = chosen === undefined || options.some((option) => option.value === chosen.value);
  return (
    <Select
      searchable
      data={isListed ? [...options] : [chosen, ...options]}
      // The service has searched.
      filter={({ options: found }) => found}
      value={value || null}
      onChange={(next) => onChange(next ?? '')}
      searchValue={typed.text}
      onSearchChange={typed.setText}
      nothingFoundMessage={isFetching ? t('loading') : t('palette.nothing')}
      clearButtonProps={{ 'aria-label': t('clear') }}
      {...(isFetching && typed.search !== undefined ? { rightSection: <Loader size={14} /> } : {})}
      {...props}
    />
  );
}
