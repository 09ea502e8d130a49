import { Alert, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useChange } from '../../api/use-api.ts';
import { Confirm } from '../../components/confirm.tsx';
import { CopyLine } from '../../components/copy-line.tsx';
import { Unsaved } from '../../components/leaving.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useApiForm } from '../../components/use-api-form.ts';

export type Domain = NonNullable<Schemas['Organization']['domain']>;

const PATH = '/api/v1/organization/domain';
const STALE = ['/api/v1/organization'];
const TONES: Record<Domain['status'], Tone> = { pending: 'neutral', confirmed: 'good', lapsed: 'bad' };

/** By which consumers can tell who the organization is: naming a domain, and what is known of its record. */
export function DomainCard({ domain, mayManage }: { domain: Domain | null; mayManage: boolean }) {
  const { t } = useTranslation('settings');
  const [isChanging, setChanging] = useState(false);
  const isNaming = mayManage && (domain === null || isChanging);
  return (
    <Paper p="lg" component="section" aria-labelledby="domain-title">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4" id="domain-title">
            {t('domain.title')}
          </Title>
          {domain !== null && (
            <StatusBadge tone={TONES[domain.status]} label={t(`domain.states.${domain.status}`)} />
          )}
        </Group>
        <Text size="sm">{t('domain.lead')}</Text>
        {domain !== null && !isChanging && (
          <Named domain={domain} mayManage={mayManage} onChange={() => setChanging(true)} />
        )}
        {isNaming && (
          <NameForm
            name={domain?.name ?? ''}
            lost={domain?.status === 'confirmed' ? domain.displayName : null}
            onDone={() => setChanging(false)}
            onCancel={domain === null ? null : () => setChanging(false)}
          />
        )}
        {domain === null && !mayManage && <Text size="sm">{t('domain.none')}</Text>}
      </Stack>
    </Paper>
  );
}

function NameForm({
  name,
  lost,
  onDone,
  onCancel,
}: {
  name: string;
  /** What pages name now, and no more once another is named. */
  lost: string | null;
  onDone: () => void;
  onCancel: (() => void) | null;
}) {
  const { t } = useTranslation('settings');
  const put = useChange((body: { name: string }) => api.put(PATH, { body }), STALE);
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: { name },
    submit: (values) => put.mutateAsync(values),
    onDone,
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Unsaved when={isUnsaved} />
      <Stack>
        {error !== null && <ErrorAlert error={error} />}
        <TextInput
          label={t('domain.name')}
          description={t('domain.nameHint')}
          placeholder="example.com"
          dir="ltr"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={onCancel !== null}
          {...form.getInputProps('name')}
        />
        {lost !== null && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
            <Text size="sm">{t('domain.changeWarning', { domain: lost })}</Text>
          </Alert>
        )}
        <Group justify="flex-end">
          {onCancel !== null && (
            <Button variant="default" onClick={onCancel}>
              {t('cancel', { ns: 'common' })}
            </Button>
          )}
          <Button type="submit" loading={isBusy}>
            {t('domain.begin')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Named({
  domain,
  mayManage,
  onChange,
}: {
  domain: Domain;
  mayManage: boolean;
  onChange: () => void;
}) {
  const { t } = useTranslation('settings');
  const { displayName, record, confirmedBy } = domain;
  const [isRemoving, setRemoving] = useState(false);
  const check = useChange(() => api.post(`${PATH}/check`, {}), STALE);
  const remove = useChange(() => api.delete(PATH, {}), STALE);
  return (
    <>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        <bdi dir="ltr">{displayName}</bdi>
      </Text>
      <Standing domain={domain} />
      {mayManage && confirmedBy !== 'operator' && (
        <div>
          <Text size="sm" mb="xs">
            {t(domain.status === 'confirmed' ? 'domain.keep' : 'domain.set')}
          </Text>
          <dl className="facts">
            <Line label={t('domain.recordType')} value={record.type} />
            <Line label={t('domain.recordName')} value={record.name} />
            <Line label={t('domain.recordValue')} value={record.value} />
          </dl>
        </div>
      )}
      {check.error !== null && <ErrorAlert error={check.error} />}
      {mayManage && (
        <Group justify="flex-end">
          <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
            {t('domain.remove')}
          </Button>
          <Button variant="default" onClick={onChange}>
            {t('domain.change')}
          </Button>
          {confirmedBy !== 'operator' && (
            <Button
              variant="light"
              loading={check.isPending || domain.isChecking}
              onClick={() => check.mutate(undefined)}
            >
              {t('domain.check')}
            </Button>
          )}
        </Group>
      )}
      <Confirm
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        title={t('domain.removeTitle')}
        action={t('domain.remove')}
        isDangerous
        onConfirm={() => remove.mutateAsync(undefined)}
      >
        {t('domain.removeText', { domain: displayName })}
      </Confirm>
    </>
  );
}

const Line = ({ label, value }: { label: string; value: string }) => (
  <div style={{ minWidth: 0, marginBottom: 8 }}>
    <dt className="fact-label">{label}</dt>
    <dd className="fact-value">
      <CopyLine label={label} value={value} />
    </dd>
  </div>
);

/** What is known of the record, and what comes of it. */
function Standing({ domain }: { domain: Domain }) {
  const { t } = useTranslation('settings');
  const { status, problem, lapsesAt, lastCheckedAt, confirmedBy, isChecking } = domain;
  const isTrouble = status === 'lapsed' || lapsesAt !== null;
  const text =
    lapsesAt !== null ? (
      <Trans t={t} i18nKey="domain.gone" components={{ time: <Time at={lapsesAt} show="day" /> }} />
    ) : (
      t(`domain.explained.${confirmedBy === 'operator' ? 'operator' : status}`)
    );
  return (
    <div role="status">
      {isTrouble ? (
        <Alert
          color={status === 'lapsed' ? 'red' : 'yellow'}
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
        >
          <Text size="sm">{text}</Text>
        </Alert>
      ) : (
        <Text size="sm">{text}</Text>
      )}
      {isChecking ? (
        <Text size="sm" c="dimmed" mt={4}>
          {t('domain.checking')}
        </Text>
      ) : (
        problem !== null &&
        lastCheckedAt !== null && (
          <Text size="sm" c="dimmed" mt={4}>
            {t(`domain.problems.${problem}`)}{' '}
            <Trans t={t} i18nKey="domain.looked" components={{ time: <Time at={lastCheckedAt} /> }} />
          </Text>
        )
      )}
    </div>
  );
}
