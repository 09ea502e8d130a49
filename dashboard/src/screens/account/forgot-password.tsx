import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { Done } from './done.tsx';
import { GatePage, TextLink } from './gate-page.tsx';

export function Screen() {
  const { t } = useTranslation('account');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: { email: '' },
    submit: (body) => api.post('/api/v1/auth/forgot-password', { body }),
    onDone: (_, { email }) => setSentTo(email),
  });
  return (
    <GatePage title={t('forgot.title')} {...(sentTo === null ? { lead: t('forgot.lead') } : {})}>
      {sentTo === null ? (
        <form onSubmit={onSubmit} noValidate>
          <Stack>
            {error !== null && <ErrorAlert error={error} />}
            <TextInput
              label={t('email')}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus
              {...form.getInputProps('email')}
            />
            <Button type="submit" loading={isBusy} fullWidth>
              {t('forgot.button')}
            </Button>
            <Text size="sm">
              <TextLink to="/sign-in">{t('toSignIn')}</TextLink>
            </Text>
          </Stack>
        </form>
      ) : (
        <Done isMail text={t('forgot.sent', { email: sentTo })} />
      )}
    </GatePage>
  );
}
