import { Button, Group, Paper, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconLayoutKanban, IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { readStatus, signIn, signOut, useIsOperator, type Status } from './credentials.ts';
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
  const isRefused = error instanceof ApiError && error.code === 'UNAUTHENTICATED';
  return (
    <Paper p="lg" maw={460}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <Text size="sm">{t('signInText')}</Text>
          {isRefused ? (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {t('refused')}
            </Text>
          ) : (
            error !== null && <ErrorAlert error={error} />
          )}
          <TextInput
            label={t('user')}
            autoComplete="off"
            dir="ltr"
            required
            withAsterisk={false}
            {...form.getInputProps('user')}
          />
          <PasswordInput
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
  const status = useQuery<Status>({
    queryKey: ['operator-status'],
    queryFn: ({ signal }) => readStatus(signal),
    refetchInterval: REFRESH_MS,
    gcTime: 0,
    retry: false,
  });
  return <Loaded query={status}>{(now) => <StatusBoard status={now} isOld={status.isError} />}</Loaded>;
}
