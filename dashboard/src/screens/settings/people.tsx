import { Button, Group, Menu, Modal, NativeSelect, Stack, TextInput, Title } from '@mantine/core';
import { IconChevronDown, IconUserOff, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Options } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay, useMe } from '../../auth/me.ts';
import { Confirm } from '../../components/confirm.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { MailAddress } from '../../components/mail-address.tsx';
import { notify } from '../../components/notify.ts';
import { EmptyState, ErrorAlert } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { LANGUAGES } from '../../i18n/languages.ts';
import { Invitations } from './invitations.tsx';
import { RoleTable } from './role-table.tsx';
import { rolesUpTo } from './roles-up-to.ts';
import { SettingsPage } from './settings-page.tsx';
import { SingleSignOnCard } from './single-sign-on.tsx';

type User = Schemas['User'];
type Role = User['role'];

export function Screen() {
  const { t } = useTranslation('settings');
  const mayManage = useMay('users.manage');
  const maySeeProvider = useMay('organization.manage');
  // One that is on its way as its dialog is closed has nothing to close where the next is open.
  const [inviting, setInviting] = useState<object | null>(null);
  return (
    <SettingsPage
      title={t('people.title')}
      lead={t('people.lead')}
      actions={
        mayManage && (
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setInviting({})}>
            {t('people.invite')}
          </Button>
        )
      }
    >
      <Stack gap="xl">
        <Users />
        <Invitations />
        {maySeeProvider && <SingleSignOnCard />}
        <section>
          <Title order={2} mb="sm">
            {t('roles.title')}
          </Title>
          <RoleTable />
        </section>
      </Stack>
      <Modal
        opened={inviting !== null}
        onClose={() => setInviting(null)}
        title={t('people.invite')}
        closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
      >
        <InviteForm onDone={() => setInviting((now) => (now === inviting ? null : now))} />
      </Modal>
    </SettingsPage>
  );
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('settings');
  const me = useMe()!;
  const invite = useChange(
    (options: Options<'/api/v1/invitations', 'post'>) => api.post('/api/v1/invitations', options),
    ['/api/v1/invitations'],
  );
  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: { email: '', role: 'analyst' as Role, language: currentLanguage() },
    submit: (body, idempotencyKey) => invite.mutateAsync({ body, idempotencyKey }),
    onDone: (_made, { email }) => {
      notify(t('people.invited', { email }));
      onDone();
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {error !== null && <ErrorAlert error={error} />}
        <TextInput
          label={t('people.email')}
          description={t('people.emailHint')}
          type="email"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <NativeSelect
          label={t('people.role')}
          description={t(`roles.sentences.${form.getValues().role}`)}
          data={rolesUpTo(me.role).map((role) => ({
            value: role,
            label: t(`roles.${role}`, { ns: 'common' }),
          }))}
          {...form.getInputProps('role')}
        />
        <NativeSelect
          label={t('people.mailLanguage')}
          description={t('people.mailLanguageHint')}
          data={Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }))}
          {...form.getInputProps('language')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy}>
            {t('people.sendInvitation')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface Asked {
  user: User;
  about: 'role' | 'disable' | 'enable' | 'forget' | 'remove';
}

function Users() {
  const { t } = useTranslation('settings');
  const me = useMe()!;
  const mayManage = useMay('users.manage');
  const enabled = useMay('organization.manage');
  const singleSignOn = useApi('/api/v1/organization/single-sign-on', {}, { enabled });
  const hasProvider = (singleSignOn.data?.provider ?? null) !== null;
  const [asked, setAsked] = useState<(Asked & { times: number }) | null>(null);
  const [isAsking, setAsking] = useState(false);
  const ask = (about: Asked) => {
    setAsked((before) => ({ ...about, times: (before?.times ?? 0) + 1 }));
    setAsking(true);
  };
  const columns: Column<User>[] = [
    {
      id: 'name',
      header: t('people.name'),
      cell: ({ name, email }) => name ?? <MailAddress address={email} />,
    },
    { id: 'email', header: t('people.email'), cell: ({ email }) => <MailAddress address={email} /> },
    { id: 'role', header: t('people.role'), cell: ({ role }) => t(`roles.${role}`, { ns: 'common' }) },
    {
      id: 'factor',
      header: t('people.secondFactor'),
      cell: ({ secondFactorEnabled }) => (secondFactorEnabled ? t('people.on') : t('people.off')),
    },
    {
      id: 'seen',
      header: t('people.lastSignedIn'),
      cell: ({ lastSignedInAt }) =>
        lastSignedInAt === null ? t('people.never') : <Time at={lastSignedInAt} show="ago" isFocusable />,
    },
    {
      id: 'state',
      header: t('people.state'),
      cell: ({ disabled }) =>
        disabled ? (
          <StatusBadge tone="bad" icon={IconUserOff} label={t('people.disabled')} />
        ) : (
          <StatusBadge tone="good" label={t('people.active')} />
        ),
    },
  ];
  if (mayManage)
    columns.push({
      id: 'actions',
      header: t('people.actions'),
      align: 'end',
      cell: (user) =>
        // Nobody decides about somebody above them; about oneself there is the account's page.
        rolesUpTo(me.role).includes(user.role) && (
          <Actions user={user} hasProvider={hasProvider} onAsk={(about) => ask({ user, about })} />
        ),
    });
  return (
    <>
      <DataTable
        path="/api/v1/users"
        label={t('people.title')}
        columns={columns}
        empty={<EmptyState icon={IconUsers} title={t('people.none')} />}
      />
      {asked !== null && (
        <Decide key={asked.times} asked={asked} opened={isAsking} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

interface ActionsProps {
  user: User;
  /** Whether the organization has people sign in by a provider. */
  hasProvider: boolean;
  onAsk: (about: Asked['about']) => void;
}

function Actions({ user, hasProvider, onAsk }: ActionsProps) {
  const { t } = useTranslation('settings');
  const me = useMe()!;
  const button = useRef<HTMLButtonElement>(null);
  const ask = (about: Asked['about']) => () => {
    // The dialog gives the focus back to where it was, and the item goes with its menu.
    button.current?.focus();
    onAsk(about);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          ref={button}
          size="compact-xs"
          variant="default"
          rightSection={<IconChevronDown size={13} aria-hidden />}
          aria-label={t('people.actionsOf', { name: user.name ?? user.email })}
        >
          {t('people.actions')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={ask('role')}>{t('people.changeRole')}</Menu.Item>
        {hasProvider && <Menu.Item onClick={ask('forget')}>{t('people.forget')}</Menu.Item>}
        {user.id !== me.id && (
          <>
            <Menu.Item onClick={ask(user.disabled ? 'enable' : 'disable')}>
              {user.disabled ? t('people.enable') : t('people.disable')}
            </Menu.Item>
            <Menu.Item color="var(--mantine-color-error)" onClick={ask('remove')}>
              {t('people.remove')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Decide({ asked, ...dialog }: { asked: Asked; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const me = useMe()!;
  const { user, about } = asked;
  const [role, setRole] = useState<Role>(user.role);
  const path = { id: user.id };
  const stale = ['/api/v1/users', '/api/v1/people', '/api/v1/auth/me'];
  const change = useChange(
    (body: { role?: Role; disabled?: boolean }) => api.patch('/api/v1/users/{id}', { path, body }),
    stale,
  );
  const remove = useChange(() => api.delete('/api/v1/users/{id}', { path }), stale);
  const forget = useChange(() => api.post('/api/v1/users/{id}/forget-identity', { path }), stale);
  const name = user.name ?? user.email;
  const effects = {
    role: () => change.mutateAsync({ role }),
    disable: () => change.mutateAsync({ disabled: true }),
    enable: () => change.mutateAsync({ disabled: false }),
    forget: () => forget.mutateAsync(undefined),
    remove: () => remove.mutateAsync(undefined),
  };
  return (
    <Confirm
      {...dialog}
      title={t(`people.asks.${about}.title`, { name })}
      action={t(`people.asks.${about}.action`)}
      isDangerous={about === 'remove' || about === 'disable'}
      onConfirm={effects[about]}
      done={t(`people.asks.${about}.done`, { name })}
    >
      <Stack>
        {t(`people.asks.${about}.text`, { name, email: user.email })}
        {about === 'role' && (
          <NativeSelect
            label={t('people.role')}
            description={t(`roles.sentences.${role}`)}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value as Role)}
            data={rolesUpTo(me.role).map((each) => ({
              value: each,
              label: t(`roles.${each}`, { ns: 'common' }),
            }))}
          />
        )}
      </Stack>
    </Confirm>
  );
}
