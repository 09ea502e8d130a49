import { Alert, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconRepeat } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Facts } from '../../components/facts.tsx';
import { notify } from '../../components/notify.ts';
import { ShortId } from '../../components/short-id.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFailureTold } from '../../components/use-failure-told.ts';
import { useLast } from '../../components/use-last.ts';
import { Answer, ErrorName, OutcomeBadge } from './delivery-state.tsx';
import { DeliveryTimings } from './delivery-timings.tsx';
import { SnippetBlock } from './snippet-block.tsx';

type Delivery = Schemas['Delivery'];

interface DeliveryDrawerProps {
  delivery: Delivery | null;
  endpointId: string;
  onClose: () => void;
}

const headersText = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** One attempt, whole: what was sent, what came back, and how long each part took. */
export function DeliveryDrawer({ delivery, endpointId, onClose }: DeliveryDrawerProps) {
  const { t } = useTranslation('developers');
  const about = useLast(delivery);
  return (
    <Drawer
      opened={delivery !== null}
      onClose={onClose}
      position="right"
      size="xl"
      title={t('deliveries.one')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
    >
      {about !== null && <Details delivery={about} endpointId={endpointId} />}
    </Drawer>
  );
}

function Details({ delivery, endpointId }: { delivery: Delivery; endpointId: string }) {
  const { t } = useTranslation('developers');
  const mayWrite = useMay('webhooks.write');
  const { request, response, error } = delivery;
  const path = { id: delivery.eventId };
  const event = useApi('/api/v1/events/{id}', { path });
  const replay = useChange(
    () => api.post('/api/v1/events/{id}/replay', { path, body: { endpointId } }),
    ['/api/v1/webhook-endpoints', '/api/v1/events'],
  );
  const [failure, setFailure] = useFailureTold();
  const sendAgain = () => {
    setFailure(null);
    replay.mutateAsync(undefined).then(() => notify(t('deliveries.replayDone')), setFailure);
  };
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          <OutcomeBadge delivery={delivery} />
          <Text className="mono" size="sm">
            {delivery.eventType}
          </Text>
        </Group>
        {mayWrite && (
          <Button
            leftSection={<IconRepeat size={16} aria-hidden />}
            loading={replay.isPending}
            onClick={sendAgain}
          >
            {t('deliveries.replay')}
          </Button>
        )}
      </Group>
      {failure !== null && <ErrorAlert error={failure} />}
      <Facts
        facts={[
          { label: t('deliveries.answer'), value: <Answer delivery={delivery} /> },
          {
            label: t('deliveries.attempt'),
            value: delivery.isProbe ? (
              <>
                {t('deliveries.probe')}
                <Text size="xs" c="dimmed">
                  {t('deliveries.probeText')}
                </Text>
              </>
            ) : (
              String(delivery.attempt)
            ),
          },
          { label: t('deliveries.at'), value: <Time at={delivery.startedAt} /> },
          {
            label: t('deliveries.nextAttempt'),
            value: delivery.nextAttemptAt === null ? null : <Time at={delivery.nextAttemptAt} />,
          },
          { label: t('deliveries.eventId'), value: <ShortId id={delivery.eventId} /> },
          { label: t('deliveries.id'), value: <ShortId id={delivery.id} /> },
        ]}
      />
      {error !== null && (
        <Alert
          color="red"
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          title={<ErrorName error={error} />}
        >
          <Text size="sm">{t(`deliveries.advice.${error.class.replaceAll('-', '_')}`, '')}</Text>
          {error.message !== null && (
            <Text size="xs" className="mono" mt={4} dir="ltr">
              {error.message}
            </Text>
          )}
        </Alert>
      )}
      {delivery.timings !== null && <DeliveryTimings timings={delivery.timings} />}
      <Title order={2}>{t('deliveries.request')}</Title>
      {request !== null && (
        <SnippetBlock label={t('deliveries.requestHeaders')} code={headersText(request.headers)} />
      )}
      <Loaded query={event}>
        {({ id, type, createdAt, data }) => (
          <SnippetBlock
            label={t('deliveries.requestBody')}
            code={JSON.stringify({ id, type, createdAt, data }, null, 2)}
            maxHeight={280}
          />
        )}
      </Loaded>
      <Title order={2}>{t('deliveries.response')}</Title>
      {response === null ? (
        <Text size="sm" c="dimmed">
          {t('deliveries.noResponse')}
        </Text>
      ) : (
        <>
          <SnippetBlock
            label={t('deliveries.response')}
            code={`HTTP ${response.status}\n${headersText(response.headers)}\n\n${response.body}`}
            maxHeight={280}
          />
          {response.truncated && (
            <Text size="xs" c="dimmed">
              {t('deliveries.truncated')}
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}
