import { Button, Group, NativeSelect, NumberInput, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { IconHistory, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Confirm } from '../../components/confirm.tsx';
import { disabledIf } from '../../components/disabled-if.ts';
import { EmptyState, ErrorAlert, Loaded } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';

type Recovery = Schemas['WebhookRecovery'];

const PATH = '/api/v1/webhook-endpoints/{id}/recoveries';
const STALE = ['/api/v1/webhook-endpoints'];
const LIVE_MS = 700;
const HOURS = ['1', '6', '24', '72', '168', '720'] as const;
const TONES = { queued: 'neutral', running: 'info', completed: 'good', cancelled: 'warning' } as const;

const isLive = ({ status }: Recovery): boolean => status === 'queued' || status === 'running';

export function Recoveries({ endpointId }: { endpointId: string }) {
  const { t } = useTranslation('developers');
  const mayWrite = useMay('webhooks.write');
  const recoveries = useApi(
    PATH,
    { path: { id: endpointId }, query: { limit: 20 } },
    { refetchInterval: ({ state }) => (state.data?.data.some(isLive) ? LIVE_MS : false) },
  );
  return (
    <Stack>
      {mayWrite && (
        <StartRecovery endpointId={endpointId} isOneLive={recoveries.data?.data.some(isLive) === true} />
      )}
      <Loaded query={recoveries}>
        {({ data }) =>
          data.length === 0 ? (
            <Paper>
              <EmptyState icon={IconHistory} title={t('recoveries.none')}>
                {t('recoveries.noneText')}
              </EmptyState>
            </Paper>
          ) : (
            <>
              {data.map((recovery) => (
                <RecoveryCard key={recovery.id} recovery={recovery} mayWrite={mayWrite} />
              ))}
            </>
          )
        }
      </Loaded>
    </Stack>
  );
}

function StartRecovery({ endpointId, isOneLive }: { endpointId: string; isOneLive: boolean }) {
  const { t } = useTranslation('developers');
  const [hours, setHours] = useState('24');
  const [rate, setRate] = useState<string | number>(50);
  const start = useChange(
    () =>
      api.post('/api/v1/webhook-endpoints/{id}/recover', {
        path: { id: endpointId },
        body: {
          since: new Date(Date.now() - Number(hours) * 3_600_000).toISOString(),
          // Emptied, it is what the service takes without one.
          ...(rate === '' ? {} : { ratePerSecond: Number(rate) }),
        },
      }),
    STALE,
  );
  return (
    <Paper p="lg">
      <Title order={2}>{t('recoveries.start')}</Title>
      <Text size="sm" c="dimmed" mt={4} mb="md" maw={680}>
        {t('recoveries.lead')}
      </Text>
      <Group align="flex-end">
        <NativeSelect
          label={t('recoveries.since')}
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
          data={HOURS.map((value) => ({ value, label: t(`recoveries.hours.${value}`) }))}
        />
        <NumberInput
          label={t('recoveries.rate')}
          value={rate}
          onChange={setRate}
          min={1}
          max={1000}
          allowDecimal={false}
          w={170}
        />
        <Button
          leftSection={<IconHistory size={16} aria-hidden />}
          loading={start.isPending}
          {...disabledIf(isOneLive)}
          onClick={() => {
            if (!isOneLive) start.mutate(undefined);
          }}
        >
          {t('recoveries.go')}
        </Button>
      </Group>
      {isOneLive && (
        <Text size="sm" mt="sm">
          {t('recoveries.oneLive')}
        </Text>
      )}
      {start.error !== null && !isOneLive && (
        <Stack mt="md">
          <ErrorAlert
            error={start.error}
            nameOf={(path) => (path === 'ratePerSecond' ? t('recoveries.rate') : null)}
          />
        </Stack>
      )}
    </Paper>
  );
}

function RecoveryCard({ recovery, mayWrite }: { recovery: Recovery; mayWrite: boolean }) {
  const { t } = useTranslation('developers');
  const formats = useFormats();
  const [asks, setAsks] = useState(false);
  const { done, total, recovered } = recovery.progress;
  const cancel = useChange(
    () =>
      api.post(`${PATH}/{recoveryId}/cancel`, {
        path: { id: recovery.endpointId, recoveryId: recovery.id },
      }),
    STALE,
  );
  const share = recovery.status === 'completed' ? 100 : total ? (done / total) * 100 : 0;
  return (
    <Paper p="md">
      <Group justify="space-between" mb={8}>
        <Group gap="sm">
          <StatusBadge tone={TONES[recovery.status]} label={t(`recoveries.states.${recovery.status}`)} />
          <Text size="sm">
            {t('recoveries.from')} <Time at={recovery.since} isFocusable />
          </Text>
        </Group>
        {mayWrite && isLive(recovery) && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlayerStop size={14} aria-hidden />}
            onClick={() => setAsks(true)}
          >
            {t('recoveries.cancel')}
          </Button>
        )}
      </Group>
      <Progress value={share} aria-label={t('recoveries.progress')} />
      <Text size="xs" c="dimmed" mt={6} role="status">
        {t('recoveries.figures', {
          ...formats.progress(done, total),
          recovered: formats.number(recovered),
        })}
      </Text>
      <Confirm
        opened={asks}
        onClose={() => setAsks(false)}
        title={t('recoveries.cancelTitle')}
        action={t('recoveries.cancel')}
        onConfirm={() => cancel.mutateAsync(undefined)}
      >
        {t('recoveries.cancelText')}
      </Confirm>
    </Paper>
  );
}
