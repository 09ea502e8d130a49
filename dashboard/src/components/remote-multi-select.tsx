/** Several of many, found on the server while one types. */
import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { enterStays } from './enter-stays.ts';
import { nameQuery, optionsQuery, type Source } from './remote-select.tsx';
import { ErrorAlert } from './states.tsx';
import { useHeld } from './use-held.ts';

const PAUSE_MS = 200;

interface RemoteMultiSelectProps extends Pick<
  MultiSelectProps,
  'description' | 'error' | 'label' | 'nothingFoundMessage' | 'onBlur' | 'onFocus' | 'placeholder'
> {
  source: Source;
  value?: string[];
  onChange: (values: string[]) => void;
}

export function RemoteMultiSelect({
  source,
  value = [],
  nothingFoundMessage,
  ...props
}: RemoteMultiSelectProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), PAUSE_MS);
  const search = settled === '' ? undefined : settled;
  const found = useQuery(optionsQuery(source, search));
  const names = useQueries({ queries: value.map((one) => nameQuery(source, one)) });
  const [options, hold] = useHeld(found.data ?? []);
  const chosen = value.map((one, index) => names[index]?.data ?? { value: one, label: one });
  const further = chosen.filter((one) => !options.some((option) => option.value === one.value));
  return (
    <>
      <MultiSelect
        {...props}
        searchable
        value={value}
        data={[...options, ...further]}
        scrollAreaProps={hold}
        // The service has searched; what is chosen already is not offered again.
        filter={({ options: offered }) =>
          offered.filter(
            (option) => !('value' in option) || !further.some((one) => one.value === option.value),
          )
        }
        searchValue={text}
        onSearchChange={setText}
        selectFirstOptionOnChange={search !== undefined && !found.isFetching && settled === text.trim()}
        onKeyDown={enterStays(text !== '')}
        nothingFoundMessage={
          found.isFetching ? t('loading') : found.isError ? undefined : nothingFoundMessage
        }
      />
      {found.isError && <ErrorAlert error={found.error} retry={() => void found.refetch()} />}
    </>
  );
}
