import { Button, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconDeviceDesktop } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMe } from '../../auth/me.ts';
import { changesOf, isUnchanged } from '../../components/changes-of.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Unsaved } from '../../components/leaving.tsx';
import { notify } from '../../components/notify.ts';
import { PasswordField } from '../../components/password-field.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useLast } from '../../components/use-last.ts';
import { SecondFactor } from './second-factor.tsx';
import { SettingsPage } from './settings-page.tsx';
import { atPassword } from './wrong-password.ts';

export function Screen() {
  const { t } = useTranslation('settings');
  return (
    <SettingsPage title={t('account.title')} lead={t('account.lead')}>
      <Stack maw={760}>
        <Profile />
        <Password />
        <SecondFactor />
        <Sessions />
      </Stack>
    </SettingsPage>
  );
}

type Change = BodyOf<'/api/v1/auth/me', 'patch'>;

const EVERY = ['hourly', 'daily', 'never'] as const satisfies readonly Change['alertMails'][];
const SUMMARIES = ['weekly', 'never'] as const satisfies readonly Change['summaryMails'][];

const profileOf = <Values extends { name: string }>(values: Values) => ({
  ...values,
  name: values.name.trim() || null,
});

function Profile() {
  const { t } = useTranslation('settings');
  const me = useMe()!;
  const change = useChange((body: Change) => api.patch('/api/v1/auth/me', { body }), ['/api/v1/auth/me']);
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: { name: me.name ?? '', alertMails: me.alertMails, summaryMails: me.summaryMails },
    follows: true,
    submit: async (values, _idempotencyKey, begun) => {
      const changes = changesOf(profileOf(begun), profileOf(values));
      return isUnchanged(changes) ? null : change.mutateAsync(changes);
    },
    onDone: () => notify(t('saved', { ns: 'common' })),
  });
  return (
    <Paper p="lg">
      <Title order={2} mb="sm">
        {t('account.profile')}
      </Title>
      <form onSubmit={onSubmit} noValidate>
        <Unsaved when={isUnsaved} />
        <Stack>
          {error !== null && <ErrorAlert error={error} />}
          <Text size="sm">
            {me.email} · {t(`roles.${me.role}`, { ns: 'common' })}
          </Text>
          <TextInput label={t('account.name')} autoComplete="name" {...form.getInputProps('name')} />
          <Select
            label={t('account.alertMails')}
            description={t('account.alertMailsHint')}
            data={EVERY.map((value) => ({ value, label: t(`account.every.${value}`) }))}
            allowDeselect={false}
            {...form.getInputProps('alertMails')}
          />
          <Select
            label={t('account.summaryMails')}
            description={t('account.summaryMailsHint')}
            data={SUMMARIES.map((value) => ({ value, label: t(`account.every.${value}`) }))}
            allowDeselect={false}
            {...form.getInputProps('summaryMails')}
          />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={isBusy}>
              {t('save', { ns: 'common' })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function Password() {
  const { t } = useTranslation('settings');
  const [isOpen, setOpen] = useState(false);
  return (
    <Paper p="lg">
      <Group justify="space-between">
        <Title order={2}>{t('account.password')}</Title>
        {!isOpen && (
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('account.changePassword')}
          </Button>
        )}
      </Group>
      {isOpen && <PasswordForm onClose={() => setOpen(false)} />}
    </Paper>
  );
}

/** Keeps nothing of what was typed once it is closed. */
function PasswordForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const me = useMe()!;
  const change = useChange(
    (body: { currentPassword: string; newPassword: string }) =>
      api.post('/api/v1/auth/change-password', { body }),
    ['/api/v1/auth/sessions'],
  );
  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: { currentPassword: '', newPassword: '' },
    submit: (body) =>
      change.mutateAsync(body).catch(atPassword('currentPassword', t('account.wrongPassword'))),
    onDone: () => {
      onClose();
      notify(t('account.passwordDone'));
    },
  });
  const toggle = { visibilityToggleButtonProps: { 'aria-label': t('account.showPassword') } };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack mt="sm">
        {error !== null && <ErrorAlert error={error} />}
        <input type="hidden" autoComplete="username" value={me.email} readOnly />
        <PasswordField
          label={t('account.currentPassword')}
          autoComplete="current-password"
          autoFocus
          required
          withAsterisk={false}
          {...toggle}
          {...form.getInputProps('currentPassword')}
        />
        <PasswordField
          label={t('account.newPassword')}
          description={t('account.newPasswordHint')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...toggle}
          {...form.getInputProps('newPassword')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('account.changePassword')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** "Chrome on Windows", roughly: enough to tell one's own devices apart. */
function deviceOf(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const browser = /(Edg|OPR|Firefox|Chrome|Safari|curl)\/?/.exec(
    userAgent.replace(/^(.*)(Edg|OPR)\//, '$2/'),
  )?.[1];
  // Android says first that it is a Linux.
  const system = /(Windows|iPhone|iPad|Android|Mac OS X|Linux(?!.*Android))/.exec(userAgent)?.[1];
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };
  const parts = [browser, system].flatMap((part) => (part === undefined ? [] : [names[part] ?? part]));
  return parts.length === 0 ? userAgent : parts.join(' · ');
}

function Sessions() {
  const { t } = useTranslation('settings');
  const sessions = useApi('/api/v1/auth/sessions', {});
  const [asked, setAsked] = useState<Schemas['Session'] | null>(null);
  const about = useLast(asked);
  const end = useChange(
    (id: string) => api.delete('/api/v1/auth/sessions/{id}', { path: { id } }),
    ['/api/v1/auth/sessions'],
  );
  return (
    <Paper p="lg">
      <Title order={2}>{t('sessions.title')}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('sessions.lead')}
      </Text>
      <Loaded query={sessions}>
        {({ data }) => (
          <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
            {data.map((one) => (
              <Group key={one.id} component="li" justify="space-between" wrap="nowrap" align="flex-start">
                <Group gap="sm" wrap="nowrap" align="flex-start">
                  <IconDeviceDesktop size={20} stroke={1.5} aria-hidden style={{ flex: 'none' }} />
                  <div>
                    <Group gap="xs">
                      <Text size="sm" fw={550}>
                        {deviceOf(one.userAgent) ?? t('sessions.unknown')}
                      </Text>
                      {one.isCurrent && <StatusBadge tone="good" label={t('sessions.current')} />}
                    </Group>
                    <Text size="xs" c="dimmed" component="div">
                      <span className="mono">{one.ip ?? '–'}</span> · {t('sessions.lastUsed')}{' '}
                      <Time at={one.lastUsedAt} show="ago" isFocusable /> · {t('sessions.since')}{' '}
                      <Time at={one.createdAt} show="day" isFocusable />
                    </Text>
                  </div>
                </Group>
                {!one.isCurrent && (
                  <Button size="compact-sm" variant="default" flex="none" onClick={() => setAsked(one)}>
                    {t('sessions.end')}
                  </Button>
                )}
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
      <Confirm
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t('sessions.endTitle')}
        action={t('sessions.end')}
        onConfirm={() => end.mutateAsync(asked!.id)}
        done={t('sessions.endDone')}
      >
        {t('sessions.endText', { device: deviceOf(about?.userAgent ?? null) ?? t('sessions.unknown') })}
      </Confirm>
    </Paper>
  );
}
