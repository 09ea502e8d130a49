import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { COUNTRY_CODES } from '../i18n/countries.ts';
import { useFormats } from '../i18n/format.ts';
import { enterStays } from './enter-stays.ts';

/** Countries by name, in the reader's language; the value is their codes. */
export function CountriesField(props: Omit<MultiSelectProps, 'data'>) {
  const formats = useFormats();
  const { i18n } = useTranslation();
  const data = useMemo(
    () =>
      COUNTRY_CODES.map((value) => ({ value, label: formats.country(value) })).sort((a, b) =>
        a.label.localeCompare(b.label, i18n.language),
      ),
    [formats, i18n.language],
  );
  const [search, setSearch] = useState('');
  return (
    <MultiSelect
      data={data}
      searchable
      hidePickedOptions
      clearable
      searchValue={search}
      onSearchChange={setSearch}
      // Enter takes the first that fits what was typed, and then sends the form again instead of taking another.
      selectFirstOptionOnChange={search !== ''}
      onKeyDown={enterStays(search !== '')}
      {...props}
    />
  );
}
