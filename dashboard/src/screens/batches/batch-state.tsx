import { IconCircleDashed, IconUrgent } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { StatusBadge } from '../../components/status-badge.tsx';

/** What is most worth knowing of a batch: its recall, else how far its minting is. */
export function BatchState({ batch }: { batch: Schemas['Batch'] }) {
  const { t } = useTranslation('batches');
  const { recall, mintedCount, quantity } = batch;
  if (recall !== null) return <StatusBadge tone="bad" icon={IconUrgent} label={t('recalled')} />;
  if (mintedCount === 0) return <StatusBadge tone="neutral" icon={IconCircleDashed} label={t('notMinted')} />;
  if (mintedCount < quantity) return <StatusBadge tone="info" label={t('partlyMinted')} />;
  return <StatusBadge tone="good" label={t('minted')} />;
}
