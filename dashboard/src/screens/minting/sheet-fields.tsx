import { Fieldset, MultiSelect, NumberInput, Select, SimpleGrid, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import { LENGTHS, OWN_SHEET, SHEET_FIELDS, type Values } from './form-values.ts';
import { SHEETS, sheetName } from './symbologies.ts';

/** The sheets of labels that the PDF consists of. */
export function SheetFields({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation('minting');
  const formats = useFormats();
  return (
    <Fieldset legend={t('theSheet')}>
      <Stack>
        <Select
          label={t('layout')}
          allowDeselect={false}
          data={[
            ...Object.keys(SHEETS).map((value) => ({ value, label: sheetName(value, formats.number) })),
            { value: OWN_SHEET, label: t('ownSheet') },
          ]}
          {...form.getInputProps('layout')}
        />
        {form.values.layout === OWN_SHEET && (
          <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
            {LENGTHS.map((name) => (
              <NumberInput
                key={name}
                label={t(`length.${name}`)}
                hideControls
                {...form.getInputProps(name)}
              />
            ))}
          </SimpleGrid>
        )}
        <MultiSelect
          label={t('labelLines')}
          description={t('labelLinesHint')}
          data={SHEET_FIELDS.map((value) => ({ value, label: t(`line.${value}`) }))}
          {...form.getInputProps('fields')}
        />
      </Stack>
    </Fieldset>
  );
}
