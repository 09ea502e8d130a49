import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';

export type ReportStatus = Schemas['CounterfeitReport']['status'];
export type Resolution = NonNullable<Schemas['CounterfeitReport']['resolution']>;

export const STATUSES: Record<ReportStatus, Tone> = {
  open: 'warning',
  investigating: 'info',
  confirmed: 'bad',
  dismissed: 'neutral',
};

/** As the API takes them: each belongs to one outcome. */
export const RESOLUTIONS = {
  confirmed: ['counterfeit', 'tampered', 'grey_market', 'stolen'],
  dismissed: ['genuine', 'duplicate', 'spam', 'insufficient_information'],
} as const satisfies Partial<Record<ReportStatus, readonly Resolution[]>>;

export function ReportStatusBadge({ status }: { status: ReportStatus }) {
  const { t } = useTranslation('reports');
  return <StatusBadge tone={STATUSES[status]} label={t(`statuses.${status}`)} />;
}
