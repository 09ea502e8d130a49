import { Button, Menu, NativeSelect, Paper, Stack, Tabs, Text } from '@mantine/core';
import {
  IconChevronDown,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Facts } from '../../components/facts.tsx';
import { notify, notifyError } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useGoOn } from '../../components/use-go-on.ts';
import { useFilters } from '../../components/use-filters.ts';
import { useUntilAnswered } from '../../components/use-idempotency-key.ts';
import { useFormats } from '../../i18n/format.ts';
import { LANGUAGES } from '../../i18n/languages.ts';
import { CircuitBadge, CircuitExplained, NextAttempt, SuccessRate, type Endpoint } from './circuit.tsx';
import { Deliveries } from './deliveries.tsx';
import { Recoveries } from './recoveries.tsx';

const REFRESH_MS = 3_000;
const HOUR_SECONDS = 3600;
// Beyond what two clocks differ by.
const SOON_MS = 5_000;
/** Where the API stops counting what waits. */
const MOST_COUNTED = 1_000;
const STALE = ['/api/v1/webhook-endpoints'];
const PATH = '/api/v1/webhook-endpoints/{id}';

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const endpoint = useApi(PATH, { path: { id } }, { refetchInterval: REFRESH_MS });
  return (
    <Loaded query={endpoint} isScreen>
      {(current) => <Webhook endpoint={current} />}
    </Loaded>
  );
}

type Asked = 'disable' | 'delete' | 'rotate';

function Webhook({ endpoint }: { endpoint: Endpoint }) {
  const { t } = useTranslation('developers');
  const client = useQueryClient();
  const goOn = useGoOn();
  const mayWrite = useMay('webhooks.write');
  const [filters, setFilters] = useFilters();
  const tab = filters.tab === 'recoveries' ? 'recoveries' : 'deliveries';
  const [asks, setAsks] = useState<Asked | null>(null);
  const [overlapHours, setOverlapHours] = useState('24');
  const [secret, setSecret] = useState<string | null>(null);
  const path = { id: endpoint.id };
  const enable = useChange(() => api.post(`${PATH}/enable`, { path }), STALE);
  const disable = useChange(() => api.post(`${PATH}/disable`, { path }), STALE);
  const test = useChange(() => api.post(`${PATH}/test`, { path }), STALE);
  const remove = useChange(() => api.delete(PATH, { path }));
  const untilAnswered = useUntilAnswered();
  const rotate = useChange(
    () =>
      untilAnswered(overlapHours, (idempotencyKey) =>
        api.post(`${PATH}/rotate-secret`, {
          path,
          body: { overlapSeconds: Number(overlapHours) * HOUR_SECONDS },
          idempotencyKey,
        }),
      ),
    STALE,
  );
  const isClosed = endpoint.circuit.state === 'closed';
  const say = async <Result,>(work: Promise<Result>, done: string | ((result: Result) => string)) => {
    try {
      const result = await work;
      notify(typeof done === 'string' ? done : done(result));
    } catch (error) {
      notifyError(error);
    }
  };
  const close = () => setAsks(null);
  return (
    <>
      <PageHeader
        title={new URL(endpoint.url).host}
        badge={<CircuitBadge endpoint={endpoint} />}
        description={endpoint.description ?? undefined}
        parents={[{ label: t('webhooks.title'), to: '/developers/webhooks' }]}
        actions={
          mayWrite && (
            <>
              <Menu position="bottom-end" width={230}>
                <Menu.Target>
                  <Button variant="default" rightSection={<IconChevronDown size={15} aria-hidden />}>
                    {t('webhooks.actions')}
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item
                    component={Link}
                    to={`/developers/webhooks/${endpoint.id}/edit`}
                    leftSection={<IconPencil size={16} aria-hidden />}
                  >
                    {t('edit', { ns: 'common' })}
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<IconRefresh size={16} aria-hidden />}
                    onClick={() => setAsks('rotate')}
                  >
                    {t('webhooks.rotate')}
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<IconHistory size={16} aria-hidden />}
                    onClick={() => setFilters({ tab: 'recoveries' })}
                  >
                    {t('recoveries.start')}
                  </Menu.Item>
                  {endpoint.circuit.state !== 'disabled' && (
                    <Menu.Item
                      leftSection={<IconPlayerPause size={16} aria-hidden />}
                      onClick={() => setAsks('disable')}
                    >
                      {t('webhooks.disable')}
                    </Menu.Item>
                  )}
                  <Menu.Item
                    color="var(--mantine-color-error)"
                    leftSection={<IconTrash size={16} aria-hidden />}
                    onClick={() => setAsks('delete')}
                  >
                    {t('webhooks.delete')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
              {!isClosed && (
                <Button
                  variant="default"
                  leftSection={<IconPlayerPlay size={16} aria-hidden />}
                  loading={enable.isPending}
                  onClick={() => void say(enable.mutateAsync(undefined), t('webhooks.enableDone'))}
                >
                  {t('webhooks.enable')}
                </Button>
              )}
              <Button
                leftSection={<IconSend size={16} aria-hidden />}
                loading={test.isPending}
                onClick={() =>
                  void say(test.mutateAsync(undefined), ({ nextAttemptAt }) =>
                    t(
                      Date.parse(nextAttemptAt) > Date.now() + SOON_MS
                        ? 'webhooks.testWaits'
                        : 'webhooks.testDone',
                    ),
                  )
                }
              >
                {t('webhooks.test')}
              </Button>
            </>
          )
        }
      />
      <Stack>
        <CircuitExplained endpoint={endpoint} />
        <Paper p="lg">
          <EndpointFacts endpoint={endpoint} />
        </Paper>
        <Tabs value={tab} onChange={(value) => setFilters({ tab: value ?? undefined })} keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="deliveries">{t('deliveries.title')}</Tabs.Tab>
            <Tabs.Tab value="recoveries">{t('recoveries.title')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="deliveries">
            <Deliveries endpointId={endpoint.id} />
          </Tabs.Panel>
          <Tabs.Panel value="recoveries">
            <Recoveries endpointId={endpoint.id} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
      <Confirm
        opened={asks === 'disable'}
        onClose={close}
        title={t('webhooks.disableTitle')}
        action={t('webhooks.disable')}
        onConfirm={() => disable.mutateAsync(undefined)}
        done={t('webhooks.disableDone')}
      >
        {t('webhooks.disableText')}
      </Confirm>
      <Confirm
        opened={asks === 'delete'}
        onClose={close}
        title={t('webhooks.deleteTitle', { host: new URL(endpoint.url).host })}
        action={t('webhooks.delete')}
        isDangerous
        onConfirm={async () => {
          const lead = goOn();
          await remove.mutateAsync(undefined);
          // The list alone: the endpoint itself is not there to be read again.
          void client.invalidateQueries({ queryKey: STALE });
          await lead('/developers/webhooks');
        }}
        done={t('webhooks.deleteDone')}
      >
        {t('webhooks.deleteText')}
      </Confirm>
      <Confirm
        opened={asks === 'rotate'}
        onClose={close}
        title={t('webhooks.rotateTitle')}
        action={t('webhooks.rotate')}
        onConfirm={async () => setSecret((await rotate.mutateAsync(undefined)).secret)}
      >
        <Stack>
          {t('webhooks.rotateText')}
          <NativeSelect
            label={t('webhooks.overlap')}
            value={overlapHours}
            onChange={(event) => setOverlapHours(event.currentTarget.value)}
            data={[0, 1, 24, 72, 168].map((hours) => ({
              value: String(hours),
              label:
                hours === 0
                  ? t('webhooks.overlapNone')
                  : hours < 24
                    ? t('webhooks.overlapHours', { count: hours })
                    : t('keys.graceDays', { count: hours / 24 }),
            }))}
          />
        </Stack>
      </Confirm>
      <SecretOnce
        title={t('webhooks.secretTitle')}
        secret={secret}
        isComing={rotate.isPending}
        onClose={() => setSecret(null)}
      />
    </>
  );
}

function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const { t } = useTranslation('developers');
  const formats = useFormats();
  const { format, language, events, productIds, headerNames, ratePerSecond, fifo, waitingCount } = endpoint;
  const waiting = formats.number(waitingCount);
  return (
    <Facts
      facts={[
        {
          label: t('webhooks.url'),
          value: (
            <span className="mono" dir="ltr">
              {endpoint.url}
            </span>
          ),
        },
        {
          label: t('webhooks.format'),
          value:
            format === 'event'
              ? t('webhooks.formats.event')
              : t('webhooks.formatIn', {
                  format: t(`webhooks.formats.${format}`),
                  language: LANGUAGES[language].name,
                }),
        },
        {
          label: t('webhooks.events'),
          value: events.includes('*') ? (
            t('webhooks.allEvents')
          ) : (
            <Text component="span" size="sm" className="mono" dir="ltr">
              {events.join(', ')}
            </Text>
          ),
        },
        {
          label: t('webhooks.products'),
          value:
            productIds === null
              ? t('webhooks.allProducts')
              : t('webhooks.productCount', { count: productIds.length }),
        },
        {
          label: t('webhooks.rateIn', { count: endpoint.recent.hours }),
          value: <SuccessRate endpoint={endpoint} />,
        },
        {
          label: t('webhooks.next'),
          value: endpoint.nextAttemptAt !== null && <NextAttempt at={endpoint.nextAttemptAt} />,
        },
        {
          label: t('webhooks.waiting'),
          value: waitingCount < MOST_COUNTED ? waiting : t('webhooks.waitingMost', { number: waiting }),
        },
        {
          label: t('webhooks.order'),
          value: fifo ? t('webhooks.inOrder') : t('webhooks.anyOrder'),
        },
        {
          label: t('webhooks.ratePerSecond'),
          value: ratePerSecond === null ? t('webhooks.noLimit') : formats.number(ratePerSecond),
        },
        {
          label: t('webhooks.headers'),
          value: headerNames.length > 0 && (
            <span className="mono" dir="ltr">
              {headerNames.join(', ')}
            </span>
          ),
        },
        { label: t('created'), value: <Time at={endpoint.createdAt} /> },
        { label: t('id'), value: <ShortId id={endpoint.id} /> },
      ]}
    />
  );
}
