import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { Done, IncompleteLink, isUsedLink, UsedLink } from './done.tsx';
import { GatePage } from './gate-page.tsx';
import { useLink } from './link-token.ts';
import { NewPasswordField } from './password-field.tsx';

export function Screen() {
  const { t } = useTranslation('account');
  const { token, isOver } = useLink('accept-invitation');
  const [isDone, setDone] = useState(false);
  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: { name: '', password: '' },
    submit: ({ name, password }) =>
      api.post('/api/v1/auth/accept-invitation', {
        body: { token: token!, name: name.trim() || null, password, language: currentLanguage() },
      }),
    onDone: () => setDone(true),
  });
  const isUsed = !isDone && (isOver || isUsedLink(error));
  // Nothing that is typed here helps.
  const isTaken = error instanceof ApiError && error.code === 'CONFLICT';
  return (
    <GatePage
      title={t('accept.title')}
      {...(isDone || token === null || isUsed || isTaken ? {} : { lead: t('accept.lead') })}
    >
      {token === null ? (
        <IncompleteLink />
      ) : isUsed ? (
        <UsedLink text={t('accept.used')} />
      ) : isTaken ? (
        <UsedLink title={t('accept.takenTitle')} text={t('accept.taken')} />
      ) : isDone ? (
        <Done text={t('accept.done')} />
      ) : (
        <form onSubmit={onSubmit} noValidate>
          <Stack>
            {error !== null && <ErrorAlert error={error} />}
            <TextInput label={t('yourName')} autoComplete="name" autoFocus {...form.getInputProps('name')} />
            <NewPasswordField label={t('password')} {...form.getInputProps('password')} />
            <Button type="submit" loading={isBusy} fullWidth>
              {t('accept.button')}
            </Button>
          </Stack>
        </form>
      )}
    </GatePage>
  );
}
