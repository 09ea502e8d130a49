import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconLayoutKanban, IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useEffect } from 'react';
import { ApiError } from '../../api/errors.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useFirstFocus } from '../../components/use-first-focus.ts';
import { readStatus, signIn, signOut, useHasLapsed, useIsOperator, type Status } from './credentials.ts';
import { StatusBoard } from './status-board.tsx';

const REFRESH_MS = 5_000;

export function Screen() {
  const { t } = useTranslation('operator');
  const isOperator = useIsOperator();
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('lead')}
        actions={
          isOperator && (
            <>
              <Button variant="default" leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
                {t('leave')}
              </Button>
              <Button
                component="a"
                href="/ops/queues/"
                target="_blank"
                rel="noreferrer"
                leftSection={<IconLayoutKanban size={16} aria-hidden />}
              >
                {t('bullBoard')}
              </Button>
            </>
          )
        }
      />
      {isOperator ? <Board /> : <SignIn />}
    </>
  );
}

function SignIn() {
  const { t } = useTranslation('operator');
  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: { user: '', password: '' },
    submit: ({ user, password }) => signIn(user, password),
    onDone: () => undefined,
  });
  const first = useFirstFocus();
  const hasLapsed = useHasLapsed();
  const code = error instanceof ApiError ? error.code : null;
  const isRefused = code === 'UNAUTHENTICATED' || (hasLapsed && error === null);
  return (
    <Paper p="lg" maw={460}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <Text size="sm">{t('signInText')}</Text>
          {isRefused || code === 'NOT_FOUND' ? (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {t(isRefused ? 'refused' : 'off')}
            </Text>
          ) : (
            error !== null && <ErrorAlert error={error} />
          )}
          <TextInput
            ref={first}
            label={t('user')}
            autoComplete="off"
            dir="ltr"
            required
            withAsterisk={false}
            {...form.getInputProps('user')}
          />
          <PasswordField
            label={t('password')}
            autoComplete="off"
            dir="ltr"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
            {...form.getInputProps('password')}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy}>
              {t('signIn')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function Board() {
  // The form that had the focus is gone.
  useEffect(() => document.getElementById('content')?.focus({ preventScroll: true }), []);
  const status = useQuery<Status>({
    queryKey: ['operator-status'],
    queryFn: ({ signal }) => readStatus(signal),
    refetchInterval: REFRESH_MS,
    gcTime: 0,
    retry: false,
  });
  return <Loaded query={status}>{(now) => <StatusBoard status={now} isOld={status.isError} />}</Loaded>;
}
