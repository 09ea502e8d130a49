import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Confirm } from '../../components/confirm.tsx';
import { CopyLine } from '../../components/copy-line.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { ProviderForm } from './provider-form.tsx';

type SingleSignOn = Schemas['SingleSignOn'];
type Provider = NonNullable<SingleSignOn['provider']>;

const PATH = '/api/v1/organization/single-sign-on';
/** While a worker looks at the provider. */
const POLL_MS = 1_000;
const TONES: Record<Provider['status'], Tone> = { pending: 'neutral', ready: 'good', failed: 'bad' };

/** By which provider the organization's people sign in: naming it, and what is known of it. */
export function SingleSignOnCard() {
  const { t } = useTranslation('settings');
  const query = useApi(
    PATH,
    {},
    { refetchInterval: ({ state }) => (state.data?.provider?.isChecking ? POLL_MS : false) },
  );
  const provider = query.data?.provider ?? null;
  return (
    <Paper p="lg" maw={720} component="section" aria-labelledby="single-sign-on-title">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4" id="single-sign-on-title">
            {t('singleSignOn.title')}
          </Title>
          {provider !== null && (
            <StatusBadge tone={TONES[provider.status]} label={t(`singleSignOn.states.${provider.status}`)} />
          )}
        </Group>
        <Text size="sm">{t('singleSignOn.lead')}</Text>
        <Loaded query={query}>{(current) => <Current current={current} />}</Loaded>
      </Stack>
    </Paper>
  );
}

function Current({ current }: { current: SingleSignOn }) {
  const { t } = useTranslation('settings');
  const mayManage = useMay('single_sign_on.manage');
  const [isChanging, setChanging] = useState(false);
  const { provider, redirectUrl } = current;
  if (isChanging)
    return (
      <>
        <Line label={t('singleSignOn.redirectUrl')} hint={t('singleSignOn.register')} value={redirectUrl} />
        <ProviderForm provider={provider} onDone={() => setChanging(false)} />
      </>
    );
  if (provider !== null)
    return (
      <Named current={current} provider={provider} mayManage={mayManage} onChange={() => setChanging(true)} />
    );
  if (!mayManage) return <Text size="sm">{t('singleSignOn.none')}</Text>;
  return (
    <Group justify="flex-end">
      <Button variant="light" onClick={() => setChanging(true)}>
        {t('singleSignOn.setUp')}
      </Button>
    </Group>
  );
}

const Line = ({ label, hint, value }: { label: string; hint: string; value: string }) => (
  <div style={{ minWidth: 0 }}>
    <Text size="sm" fw={550}>
      {label}
    </Text>
    <Text size="sm" c="dimmed" mb={4}>
      {hint}
    </Text>
    <CopyLine label={label} value={value} />
  </div>
);

interface NamedProps {
  current: SingleSignOn;
  provider: Provider;
  mayManage: boolean;
  onChange: () => void;
}

function Named({ current: { signInUrl, redirectUrl }, provider, mayManage, onChange }: NamedProps) {
  const { t } = useTranslation('settings');
  const { issuer, clientId, required, newcomerRole, isChecking, provenAt } = provider;
  const ofOwners = provenAt !== null ? 'passwordsOfOwners' : 'passwordsOfOwnersSoon';
  const [isRemoving, setRemoving] = useState(false);
  const check = useChange(() => api.post(`${PATH}/check`, {}), [PATH]);
  const remove = useChange(() => api.delete(PATH, {}), [PATH]);
  return (
    <>
      <Standing provider={provider} />
      <dl className="facts" style={{ margin: 0 }}>
        <Fact label={t('singleSignOn.issuer')} value={<bdi dir="ltr">{issuer}</bdi>} />
        <Fact label={t('singleSignOn.clientId')} value={<bdi dir="ltr">{clientId}</bdi>} />
        <Fact
          label={t('singleSignOn.passwords')}
          value={t(`singleSignOn.${required ? ofOwners : 'passwordsOfAll'}`)}
        />
        <Fact
          label={t('singleSignOn.newcomers')}
          value={
            newcomerRole === null ? t('singleSignOn.nobody') : t(`roles.${newcomerRole}`, { ns: 'common' })
          }
        />
      </dl>
      <Line label={t('singleSignOn.signInUrl')} hint={t('singleSignOn.signInUrlHint')} value={signInUrl} />
      {mayManage && (
        <Line label={t('singleSignOn.redirectUrl')} hint={t('singleSignOn.registered')} value={redirectUrl} />
      )}
      {check.error !== null && <ErrorAlert error={check.error} />}
      {mayManage && (
        <Group justify="flex-end">
          <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
            {t('singleSignOn.remove')}
          </Button>
          <Button variant="default" onClick={onChange}>
            {t('singleSignOn.change')}
          </Button>
          <Button
            variant="light"
            loading={check.isPending || isChecking}
            onClick={() => check.mutate(undefined)}
          >
            {t('singleSignOn.check')}
          </Button>
        </Group>
      )}
      <Confirm
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        title={t('singleSignOn.removeTitle')}
        action={t('singleSignOn.remove')}
        isDangerous
        onConfirm={() => remove.mutateAsync(undefined)}
        done={t('singleSignOn.removeDone')}
      >
        {t('singleSignOn.removeText')}
      </Confirm>
    </>
  );
}

const Fact = ({ label, value }: { label: string; value: ReactNode }) => (
  <div style={{ minWidth: 0, marginBottom: 8 }}>
    <dt className="fact-label">{label}</dt>
    <dd className="fact-value" style={{ overflowWrap: 'anywhere' }}>
      {value}
    </dd>
  </div>
);

/** What the last look at the provider came to. */
function Standing({ provider }: { provider: Provider }) {
  const { status, problem, provenAt, lastCheckedAt, isChecking } = provider;
  const { t } = useTranslation('settings');
  return (
    <div role="status">
      {problem !== null && (
        <Alert
          color={status === 'failed' ? 'red' : 'yellow'}
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          mb={4}
        >
          <Text size="sm">
            {t(`singleSignOn.problems.${problem}`)} {status === 'ready' && t('singleSignOn.stillWorks')}
          </Text>
        </Alert>
      )}
      {status === 'ready' && provenAt === null && <Text size="sm">{t('singleSignOn.unproven')}</Text>}
      <Text size="sm" c="dimmed">
        {isChecking
          ? t('singleSignOn.checking')
          : lastCheckedAt !== null && (
              <Trans t={t} i18nKey="singleSignOn.looked" components={{ time: <Time at={lastCheckedAt} /> }} />
            )}
      </Text>
    </div>
  );
}
