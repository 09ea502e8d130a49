import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { Done, IncompleteLink, isUsedLink, UsedLink } from './done.tsx';
import { GatePage } from './gate-page.tsx';
import { useLink } from './link-token.ts';
import { NewPasswordField } from './password-field.tsx';

export function Screen() {
  const { t } = useTranslation('account');
  const { token, isOver } = useLink('reset-password');
  const [isDone, setDone] = useState(false);
  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: { password: '' },
    submit: ({ password }) => api.post('/api/v1/auth/reset-password', { body: { token: token!, password } }),
    onDone: () => setDone(true),
  });
  const isUsed = !isDone && (isOver || isUsedLink(error));
  return (
    <GatePage
      title={t('reset.title')}
      {...(isDone || token === null || isUsed ? {} : { lead: t('reset.lead') })}
    >
      {token === null ? (
        <IncompleteLink />
      ) : isUsed ? (
        <UsedLink text={t('reset.used')} again={{ to: '/forgot-password', label: t('reset.again') }} />
      ) : isDone ? (
        <Done text={t('reset.done')} />
      ) : (
        <form onSubmit={onSubmit} noValidate>
          <Stack>
            {error !== null && <ErrorAlert error={error} />}
            <NewPasswordField autoFocus {...form.getInputProps('password')} />
            <Button type="submit" loading={isBusy} fullWidth>
              {t('reset.button')}
            </Button>
          </Stack>
        </form>
      )}
    </GatePage>
  );
}
