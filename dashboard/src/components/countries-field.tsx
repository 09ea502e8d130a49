import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { COUNTRY_CODES } from '../i18n/countries.ts';
import { useFormats } from '../i18n/format.ts';

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
  return <MultiSelect data={data} searchable hidePickedOptions clearable {...props} />;
}
