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
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/states.tsx';
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
      <Text size="sm" component="div">
        <Trans
          t={t}
          i18nKey={text}
          components={{ until: openUntil === null ? <span /> : <Time at={openUntil} isFocusable /> }}
        />
        <LastFailure endpoint={endpoint} />
        {failingSince !== null && (
          <>
            {' '}
            <Trans
              t={t}
              i18nKey="circuit.since"
              components={{ since: <Time at={failingSince} show="ago" isFocusable /> }}
            />
          </>
        )}
      </Text>
    </Alert>
  );
}

const UNRELATED = new Set<Endpoint['circuit']['disabledReason']>(['manual', 'unreadable']);

/** "The last of them: no such host. Correct the address": what to mend, without a look at the deliveries. */
function LastFailure({ endpoint }: { endpoint: Endpoint }) {
  const { t } = useTranslation('developers');
  const failures = useApi('/api/v1/webhook-endpoints/{id}/deliveries', {
    path: { id: endpoint.id },
    query: { outcome: 'failed', limit: 1 },
  });
  // A failure before somebody disabled it, or before its secret was lost, is not why it stands still.
  if (UNRELATED.has(endpoint.circuit.disabledReason)) return null;
  return (
    <Loaded query={failures} isBrief>
      {({ data: [newest] }) => {
        const error = newest?.error ?? null;
        if (error === null) return null;
        const name = error.class.replaceAll('-', '_');
        return (
          <>
            {' '}
            {t('circuit.why', { error: t(`deliveries.errors.${name}`, { defaultValue: error.class }) })}{' '}
            {t(`deliveries.advice.${name}`, '')}
          </>
        );
      }}
    </Loaded>
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

/** As of the last time that the endpoint was read. */
const isDue = (at: string): boolean => Date.parse(at) <= Date.now();

/** When the next attempt is made, or that it is due. */
export function NextAttempt({ at }: { at: string }) {
  const { t } = useTranslation('developers');
  return isDue(at) ? t('webhooks.now') : <Time at={at} />;
}
