import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';

export type CaseStatus = Schemas['RiskCase']['status'];
export type ClosingReason = NonNullable<Schemas['RiskCase']['closingReason']>;

export const STATUSES: Record<CaseStatus, Tone> = {
  open: 'warning',
  investigating: 'info',
  confirmed: 'bad',
  dismissed: 'neutral',
};

/** As the API takes them: each belongs to one outcome. */
export const REASONS = {
  confirmed: ['copied_code', 'counterfeit_seen', 'stolen_code', 'other_abuse'],
  dismissed: [
    'shop_display',
    'owner_scans',
    'resold',
    'wrong_position',
    'internal_scans',
    'mistaken_report',
    'other_harmless',
  ],
} as const satisfies Partial<Record<CaseStatus, readonly ClosingReason[]>>;

export function CaseStatusBadge({ status }: { status: CaseStatus }) {
  const { t } = useTranslation('cases');
  return <StatusBadge tone={STATUSES[status]} label={t(`statuses.${status}`)} />;
}
