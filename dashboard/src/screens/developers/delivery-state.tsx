import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { StatusBadge } from '../../components/status-badge.tsx';

type Delivery = Schemas['Delivery'];

const TONES = { delivered: 'good', failed: 'bad', pending: 'neutral' } as const;

export function OutcomeBadge({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('developers');
  return <StatusBadge tone={TONES[delivery.outcome]} label={t(`deliveries.outcomes.${delivery.outcome}`)} />;
}

/** "No such host": why there was no good answer. */
export function ErrorName({ error }: { error: NonNullable<Delivery['error']> }) {
  const { t } = useTranslation('developers');
  return t(`deliveries.errors.${error.class.replaceAll('-', '_')}`, { defaultValue: error.class });
}

/** "204", or why there was no answer. */
export function Answer({ delivery }: { delivery: Delivery }) {
  if (delivery.response !== null) return <span className="mono">{delivery.response.status}</span>;
  return delivery.error === null ? '–' : <ErrorName error={delivery.error} />;
}
