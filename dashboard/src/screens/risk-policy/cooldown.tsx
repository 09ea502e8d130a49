import { NumberInput, Paper, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { COOLDOWN_MINUTES, useRangeError } from './ranges.ts';

/**
 * How long a unit's further alerts are counted and not sent.
 * @param minutes null: as inherited, which is shown in the empty field where it is in force.
 */
export function Cooldown({
  minutes,
  inForce,
  onChange,
  isReadOnly,
}: {
  minutes: number | null;
  inForce: number | null;
  onChange: (minutes: number | null) => void;
  isReadOnly: boolean;
}) {
  const { t } = useTranslation('risk-policy');
  const rangeError = useRangeError();
  return (
    <Paper p="md" mt="md">
      <Title order={2}>{t('cooldown.title')}</Title>
      <Text size="sm" c="dimmed" mt={2} mb="sm">
        {t('cooldown.text')}
      </Text>
      <NumberInput
        label={t('cooldown.minutes')}
        description={t('cooldown.empty')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        styles={{ wrapper: { maxWidth: 180 } }}
        {...COOLDOWN_MINUTES}
        step={15}
        allowDecimal={false}
        error={minutes !== null && rangeError(minutes, COOLDOWN_MINUTES)}
        disabled={isReadOnly}
        value={minutes ?? ''}
        placeholder={inForce === null ? '' : String(inForce)}
        onChange={(typed) => onChange(typeof typed === 'number' ? typed : null)}
      />
    </Paper>
  );
}
