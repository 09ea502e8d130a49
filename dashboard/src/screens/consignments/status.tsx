import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { useFormats } from '../../i18n/format.ts';

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
const isOverdue = ({ status, dispatchedAt }: Consignment): boolean =>
  status === 'dispatched' && dispatchedAt !== null && Date.now() - Date.parse(dispatchedAt) > OVERDUE_MS;

/** More were counted than were sent. @returns how many, nought where none */
export const surplusOf = ({ unitCount, receipt }: Consignment): number =>
  Math.max(0, (receipt?.counted ?? unitCount) - unitCount);

/** Which of the texts under `leads` says best how it stands. */
export function leadOf(consignment: Consignment): string {
  const { status, receipt } = consignment;
  if (isOverdue(consignment)) return 'overdue';
  const isSurplus = surplusOf(consignment) > 0;
  if (status === 'partially_received') return isSurplus ? 'missingAndSurplus' : status;
  if (status !== 'received' || !receipt?.hasDiscrepancy) return status;
  if (receipt.damagedCount === 0) return 'surplus';
  return isSurplus ? 'damagedAndSurplus' : 'damaged';
}

/** What was not as it was sent, in a few words; null where all was, or nobody has told yet. */
export function useDiscrepancyWords(): (consignment: Consignment) => string | null {
  const { t } = useTranslation('consignments');
  const { series } = useFormats();
  return (consignment) => {
    const { receipt } = consignment;
    if (!receipt?.hasDiscrepancy) return null;
    const counts = [
      ['missingUnits', receipt.missingCount],
      ['damagedUnits', receipt.damagedCount],
      ['surplusUnits', surplusOf(consignment)],
    ] as const;
    return series(counts.flatMap(([key, count]) => (count > 0 ? [t(key, { count })] : [])));
  };
}

export function ConsignmentBadge({ consignment }: { consignment: Consignment }) {
  const { t } = useTranslation('consignments');
  if (isOverdue(consignment)) return <StatusBadge tone="warning" label={t('overdue')} />;
  return <StatusBadge tone={STATUSES[consignment.status]} label={t(`statuses.${consignment.status}`)} />;
}
