import { Button, Group, NumberInput, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { changesOf, isUnchanged, onCondition } from '../../components/changes-of.ts';
import { Facts } from '../../components/facts.tsx';
import { Unsaved } from '../../components/leaving.tsx';
import { notify } from '../../components/notify.ts';
import { ShortId } from '../../components/short-id.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { timeZonesWith } from '../../i18n/time-zones.ts';
import { InternalNetworks } from './internal-networks.tsx';
import { SettingsPage } from './settings-page.tsx';

type Organization = Schemas['Organization'];

export function Screen() {
  const { t } = useTranslation('settings');
  const mayManage = useMay('organization.manage');
  const organization = useApi('/api/v1/organization', {});
  return (
    <SettingsPage title={t('organization.title')} lead={t('organization.lead')}>
      <Loaded query={organization}>
        {(current) => (mayManage ? <Form organization={current} /> : <Read organization={current} />)}
      </Loaded>
      <InternalNetworks mayManage={mayManage} />
    </SettingsPage>
  );
}

function Read({ organization }: { organization: Organization }) {
  const { t } = useTranslation('settings');
  const { retention } = organization;
  return (
    <Paper p="lg">
      <Facts
        facts={[
          { label: t('organization.name'), value: organization.name },
          { label: t('organization.timeZone'), value: organization.timeZone },
          {
            label: t('organization.scansDays'),
            value: t('organization.days', { count: retention.scansDays }),
          },
          {
            label: t('organization.eventsDays'),
            value: t('organization.days', { count: retention.eventsDays }),
          },
          { label: t('organization.securityContact'), value: organization.securityContact },
          { label: t('id'), value: <ShortId id={organization.id} /> },
        ]}
      />
    </Paper>
  );
}

const valuesOf = ({ name, timeZone, retention, securityContact }: Organization) => ({
  name,
  timeZone: timeZone as string | null,
  scansDays: retention.scansDays as string | number,
  eventsDays: retention.eventsDays as string | number,
  securityContact: securityContact ?? '',
});
type Values = ReturnType<typeof valuesOf>;

const settingsOf = ({ name, timeZone, securityContact }: Values) => ({
  name,
  timeZone: timeZone ?? 'UTC',
  securityContact: securityContact.trim() || null,
});

const retentionOf = ({ scansDays, eventsDays }: Values) => ({
  scansDays: Number(scansDays),
  eventsDays: Number(eventsDays),
});

function Form({ organization }: { organization: Organization }) {
  const { t } = useTranslation('settings');
  // Each name is tried for what the browser knows: not anew for every letter that is typed.
  const timeZones = useMemo(() => timeZonesWith(organization.timeZone), [organization.timeZone]);
  const client = useQueryClient();
  const update = useChange(
    (body: BodyOf<'/api/v1/organization', 'patch'>) => api.patch('/api/v1/organization', { body }),
    ['/api/v1/organization', '/api/v1/auth/me'],
  );
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: valuesOf(organization),
    follows: true,
    submit: async (values, _idempotencyKey, begun) => {
      const { expected: kept = {}, ...retention } = onCondition(
        changesOf(retentionOf(begun), retentionOf(values)),
        retentionOf(begun),
      );
      const changes = {
        ...changesOf(settingsOf(begun), settingsOf(values)),
        ...(isUnchanged(retention) ? {} : { retention }),
      };
      const read = { ...settingsOf(begun), retention: kept };
      return isUnchanged(changes) ? null : update.mutateAsync(onCondition(changes, read));
    },
    renew: async () => valuesOf(await api.get('/api/v1/organization', {})),
    describe: (field, now) => String(now[field] ?? ''),
    names: { 'retention.scansDays': 'scansDays', 'retention.eventsDays': 'eventsDays' },
    onDone: async () => {
      // The name in the corner and every time on every screen follow.
      await client.invalidateQueries();
      notify(t('saved', { ns: 'common' }));
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Unsaved when={isUnsaved} />
      <Paper p="lg" maw={720}>
        <Stack>
          {error !== null && <ErrorAlert error={error} />}
          <TextInput
            label={t('organization.name')}
            description={t('organization.nameHint')}
            required
            {...form.getInputProps('name')}
          />
          <Select
            label={t('organization.timeZone')}
            description={t('organization.timeZoneHint')}
            data={timeZones}
            searchable
            allowDeselect={false}
            {...form.getInputProps('timeZone')}
          />
          <Group grow align="flex-start" preventGrowOverflow={false}>
            <NumberInput
              label={t('organization.scansDays')}
              description={t('organization.scansDaysHint')}
              min={30}
              max={3650}
              allowDecimal={false}
              miw={220}
              {...form.getInputProps('scansDays')}
            />
            <NumberInput
              label={t('organization.eventsDays')}
              description={t('organization.eventsDaysHint')}
              min={7}
              max={3650}
              allowDecimal={false}
              miw={220}
              {...form.getInputProps('eventsDays')}
            />
          </Group>
          <TextInput
            label={t('organization.securityContact')}
            description={t('organization.securityContactHint')}
            type="email"
            {...form.getInputProps('securityContact')}
          />
          <Group justify="space-between">
            <Text size="xs" c="dimmed" component="div">
              <ShortId id={organization.id} /> ·{' '}
              <Trans
                t={t}
                i18nKey="organization.since"
                components={{ day: <Time at={organization.createdAt} show="day" isFocusable /> }}
              />
            </Text>
            <Button type="submit" loading={isBusy}>
              {t('save', { ns: 'common' })}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </form>
  );
}
