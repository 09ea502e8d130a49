import { ColorInput, NumberInput, Select, SimpleGrid } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { Fold } from '../../components/fold.tsx';
import type { Values } from './form-values.ts';
import { SYMBOLOGIES } from './symbologies.ts';

const NAMES = ['scale', 'dpi', 'foreground', 'background', 'quietZone', 'errorCorrection'] as const;

export function SymbolDetails({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation('minting');
  return (
    <Fold label={t('fineTuning')} isWrong={NAMES.some((name) => form.errors[name] !== undefined)}>
      <Fields form={form} />
    </Fold>
  );
}

function Fields({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation('minting');
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <NumberInput
        label={t('scale')}
        description={t('scaleHint')}
        allowDecimal={false}
        {...form.getInputProps('scale')}
      />
      <NumberInput
        label={t('dpi')}
        description={t('dpiHint')}
        placeholder="300"
        allowDecimal={false}
        {...form.getInputProps('dpi')}
      />
      {(['foreground', 'background'] as const).map((name) => (
        <ColorInput
          key={name}
          label={t(name)}
          description={t(`${name}Hint`)}
          format="hex"
          withEyeDropper={false}
          dir="ltr"
          {...form.getInputProps(name)}
        />
      ))}
      <NumberInput
        label={t('quietZone')}
        description={t('quietZoneHint')}
        placeholder={t('asStandard')}
        allowDecimal={false}
        {...form.getInputProps('quietZone')}
      />
      {SYMBOLOGIES[form.values.symbology].isQr && (
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
          {...form.getInputProps('errorCorrection')}
        />
      )}
    </SimpleGrid>
  );
}
