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

export type Channel = Schemas['CounterfeitReport']['channel'];

/** How the organization's own people come by what they report; as the API takes them. */
export const OWN_CHANNELS = [
  'inspection',
  'test_purchase',
  'online_listing',
  'customer_service',
  'authority',
  'partner',
] as const satisfies readonly Channel[];
export const CHANNELS = ['consumer', ...OWN_CHANNELS] as const satisfies readonly Channel[];

export function ReportStatusBadge({ status }: { status: ReportStatus }) {
  const { t } = useTranslation('reports');
  return <StatusBadge tone={STATUSES[status]} label={t(`statuses.${status}`)} />;
}
