import { Checkbox, ColorInput, Fieldset, Group, NumberInput, Select, Stack, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { FORMATS, type Values } from './form-values.ts';
import { GROUPS, SYMBOLOGIES, type Symbology } from './symbologies.ts';

/** What is printed, in which files, and how it looks. */
export function SymbolFields({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation('minting');
  const { symbology } = form.values;
  const { holds, isQr } = SYMBOLOGIES[symbology];
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
        <Group grow align="flex-start" preventGrowOverflow={false} gap="md">
          <NumberInput
            label={t('scale')}
            description={t('scaleHint')}
            allowDecimal={false}
            miw={150}
            {...form.getInputProps('scale')}
          />
          <NumberInput
            label={t('dpi')}
            description={t('dpiHint')}
            placeholder="300"
            allowDecimal={false}
            miw={150}
            {...form.getInputProps('dpi')}
          />
          <NumberInput
            label={t('quietZone')}
            description={t('quietZoneHint')}
            placeholder={t('asStandard')}
            allowDecimal={false}
            miw={150}
            {...form.getInputProps('quietZone')}
          />
        </Group>
        <Group grow align="flex-start" preventGrowOverflow={false} gap="md">
          {isQr && (
            <Select
              label={t('errorCorrection')}
              description={t('errorCorrectionHint')}
              allowDeselect={false}
              data={[
                { value: 'L', label: 'L (7 %)' },
                { value: 'M', label: 'M (15 %)' },
                { value: 'Q', label: 'Q (25 %)' },
                { value: 'H', label: 'H (30 %)' },
              ]}
              miw={150}
              {...form.getInputProps('errorCorrection')}
            />
          )}
          {(['foreground', 'background'] as const).map((name) => (
            <ColorInput
              key={name}
              label={t(name)}
              description={t(`${name}Hint`)}
              format="hex"
              withEyeDropper={false}
              miw={150}
              dir="ltr"
              {...form.getInputProps(name)}
            />
          ))}
        </Group>
        <Switch
          label={t('text')}
          description={t('textHint')}
          {...form.getInputProps('text', { type: 'checkbox' })}
        />
      </Stack>
    </Fieldset>
  );
}
