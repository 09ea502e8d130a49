import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { StatusBadge } from '../../components/status-badge.tsx';

export type Key = Schemas['ApiKey'];
export type KeyState = 'active' | 'rotating' | 'expired' | 'revoked';

const TONES = { active: 'good', rotating: 'warning', expired: 'neutral', revoked: 'bad' } as const;

/** Revoked before expired: what somebody did says more than what the time did. */
export function stateOf(key: Key, now = Date.now()): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= now) return 'expired';
  const isRotating = key.previousSecretExpiresAt !== null && Date.parse(key.previousSecretExpiresAt) > now;
  return isRotating ? 'rotating' : 'active';
}

export function KeyStateBadge({ value }: { value: Key }) {
  const { t } = useTranslation('developers');
  const state = stateOf(value);
  return <StatusBadge tone={TONES[state]} label={t(`keys.states.${state}`)} />;
}

/** How a key begins and ends; the middle is nobody's. */
export const Hint = ({ value }: { value: Key }) => (
  <span className="mono" dir="ltr">
    {value.prefix}…{value.lastFour}
  </span>
);
