import { Checkbox, Fieldset, Group, Select, Stack, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { FORMATS, type Values } from './form-values.ts';
import { SymbolDetails } from './symbol-details.tsx';
import { GROUPS, SYMBOLOGIES, type Symbology } from './symbologies.ts';

/** What is printed, in which files, and how it looks. */
export function SymbolFields({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation('minting');
  const { symbology } = form.values;
  const { holds } = SYMBOLOGIES[symbology];
  const data = GROUPS.map((group) => ({
    group: t(`holds.${group}`),
    items: (Object.keys(SYMBOLOGIES) as Symbology[])
      .filter((name) => SYMBOLOGIES[name].holds === group)
      .map((value) => ({ value, label: SYMBOLOGIES[value].name })),
  }));
  return (
    <Fieldset legend={t('theSymbol')}>
      <Stack>
        <Select
          label={t('symbology')}
          description={t(`holdsHint.${holds}`)}
          data={data}
          allowDeselect={false}
          maxDropdownHeight={420}
          {...form.getInputProps('symbology')}
        />
        <Checkbox.Group
          label={t('formats')}
          description={t('formatsHint')}
          {...form.getInputProps('formats')}
        >
          <Group gap="md" mt={6}>
            {FORMATS.map((format) => (
              <Checkbox key={format} value={format} label={t(`format.${format}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <Switch
          label={t('text')}
          description={t('textHint')}
          {...form.getInputProps('text', { type: 'checkbox' })}
        />
        <SymbolDetails form={form} />
      </Stack>
    </Fieldset>
  );
}
