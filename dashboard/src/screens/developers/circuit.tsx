import { Alert, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBolt,
  IconCircleCheck,
  IconHandStop,
  IconPlayerPause,
} from '@tabler/icons-react';
import { Trans, useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';

export type Endpoint = Schemas['WebhookEndpoint'];

const LOOKS = {
  closed: { tone: 'good', icon: IconCircleCheck, color: 'green' },
  open: { tone: 'bad', icon: IconBolt, color: 'red' },
  'half-open': { tone: 'warning', icon: IconAlertTriangle, color: 'yellow' },
  disabled: { tone: 'neutral', icon: IconPlayerPause, color: 'gray' },
} as const;

export function CircuitBadge({ endpoint }: { endpoint: Endpoint }) {
  const { t } = useTranslation('developers');
  const { state } = endpoint.circuit;
  return (
    <StatusBadge tone={LOOKS[state].tone} icon={LOOKS[state].icon} label={t(`circuit.${state}.label`)} />
  );
}

/** What the state of the circuit means for whoever waits for events, and what to do about it. */
export function CircuitExplained({ endpoint }: { endpoint: Endpoint }) {
  const { t } = useTranslation('developers');
  const { state, openUntil, failingSince, disabledReason } = endpoint.circuit;
  if (state === 'closed') return null;
  const { icon: Icon, color } = LOOKS[state];
  const reason = state === 'disabled' ? (disabledReason ?? 'manual') : null;
  const text = reason === null ? `circuit.${state}.text` : `circuit.disabled.${reason}`;
  return (
    <Alert
      color={color}
      variant="light"
      icon={reason === 'manual' ? <IconHandStop aria-hidden /> : <Icon aria-hidden />}
      title={t(`circuit.${state}.title`)}
    >
      <Text size="sm">
        <Trans
          t={t}
          i18nKey={text}
          components={{ until: openUntil === null ? <span /> : <Time at={openUntil} /> }}
        />
        {failingSince !== null && (
          <>
            {' '}
            <Trans
              t={t}
              i18nKey="circuit.since"
              components={{ since: <Time at={failingSince} show="ago" /> }}
            />
          </>
        )}
      </Text>
    </Alert>
  );
}

/** "99.2% of 340": how many of the last attempts arrived. */
export function SuccessRate({ endpoint }: { endpoint: Endpoint }) {
  const { t } = useTranslation('developers');
  const formats = useFormats();
  const { successRate, delivered, failed } = endpoint.recent;
  if (successRate === null) return t('webhooks.noAttempts');
  return t('webhooks.rateOf', { rate: formats.percent(successRate), count: delivered + failed });
}
