import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { StatusBadge } from '../../components/status-badge.tsx';

type Delivery = Schemas['Delivery'];

const TONES = { delivered: 'good', failed: 'bad', pending: 'neutral' } as const;

export function OutcomeBadge({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('developers');
  return <StatusBadge tone={TONES[delivery.outcome]} label={t(`deliveries.outcomes.${delivery.outcome}`)} />;
}

/** "204", or why there was no answer. */
export function Answer({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('developers');
  if (delivery.response !== null) return <span className="mono">{delivery.response.status}</span>;
  if (delivery.error === null) return '–';
  return t(`deliveries.errors.${delivery.error.class.replaceAll('-', '_')}`, {
    defaultValue: delivery.error.class,
  });
}
