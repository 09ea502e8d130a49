import { IconBan, IconCircleDashed, IconPlayerPause, IconUrgent } from '@tabler/icons-react';
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

/** A unit's own state, and the recall that lies over it. */
export function UnitStatus({ unit }: { unit: Pick<Unit, 'status' | 'recall'> }) {
  const { t } = useTranslation('units');
  return (
    <>
      <StatusBadge {...LOOKS[unit.status]} label={t(`status.${unit.status}`)} />
      {unit.recall !== null && <StatusBadge tone="bad" icon={IconUrgent} label={t('recalled')} />}
    </>
  );
}
