import { Pill } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useUnit } from '../api/unit-names.ts';

/** A list is narrowed to one unit, until that is taken away. */
export function UnitPill({ unitId, onRemove }: { unitId: string; onRemove: () => void }) {
  const { t } = useTranslation('scans');
  const unit = useUnit(unitId);
  return (
    <Pill
      size="lg"
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{ 'aria-label': t('anyUnit'), 'aria-hidden': false, tabIndex: 0 }}
    >
      {t('onlyUnit', { serial: unit?.serial ?? '…' })}
    </Pill>
  );
}
