import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';

export type Consignment = Schemas['Consignment'];
export type ConsignmentStatus = Consignment['status'];

export const STATUSES: Record<ConsignmentStatus, Tone> = {
  draft: 'neutral',
  dispatched: 'info',
  received: 'good',
  partially_received: 'warning',
  cancelled: 'neutral',
  recalled: 'bad',
};

const OVERDUE_MS = 14 * 86_400_000;

/** As the service counts it: under way for more than two weeks. */
export const isOverdue = ({ status, dispatchedAt }: Consignment): boolean =>
  status === 'dispatched' && dispatchedAt !== null && Date.now() - Date.parse(dispatchedAt) > OVERDUE_MS;

export function ConsignmentBadge({ consignment }: { consignment: Consignment }) {
  const { t } = useTranslation('consignments');
  if (isOverdue(consignment)) return <StatusBadge tone="warning" label={t('overdue')} />;
  return <StatusBadge tone={STATUSES[consignment.status]} label={t(`statuses.${consignment.status}`)} />;
}
