import { IconBan, IconCircleDashed, IconFlag, IconPlayerPause, IconUrgent } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';

type Unit = Schemas['ProductUnit'];

const LOOKS = {
  minted: { tone: 'neutral', icon: IconCircleDashed },
  active: { tone: 'good' },
  suspended: { tone: 'warning', icon: IconPlayerPause },
  voided: { tone: 'bad', icon: IconBan },
} as const satisfies Record<Unit['status'], { tone: Tone; icon?: unknown }>;

export const RISKS = {
  clear: 'good',
  suspect: 'warning',
  confirmed: 'bad',
} as const satisfies Record<NonNullable<Unit['risk']>, Tone>;

/** A unit's own state, the recall that lies over it, and what speaks against it. */
export function UnitStatus({ unit }: { unit: Pick<Unit, 'status' | 'recall' | 'risk'> }) {
  const { t } = useTranslation('units');
  return (
    <>
      <StatusBadge {...LOOKS[unit.status]} label={t(`status.${unit.status}`)} />
      {unit.recall !== null && <StatusBadge tone="bad" icon={IconUrgent} label={t('recalled')} />}
      {unit.risk !== null && unit.risk !== 'clear' && (
        <StatusBadge tone={RISKS[unit.risk]} icon={IconFlag} label={t(`risk.${unit.risk}`)} />
      )}
    </>
  );
}
