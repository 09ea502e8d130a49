import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { isSignUpOpen } from '../../auth/sign-up-open.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { Done } from './done.tsx';
import { GatePage, TextLink } from './gate-page.tsx';
import { NewPasswordField } from './password-field.tsx';

export function Screen() {
  const { t } = useTranslation('account');
  if (isSignUpOpen) return <SignUp />;
  return (
    <GatePage title={t('signUp.title')} lead={t('signUp.closed')}>
      <TextLink to="/sign-in">{t('toSignIn')}</TextLink>
    </GatePage>
  );
}

function SignUp() {
  const { t } = useTranslation('account');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: { organizationName: '', name: '', email: '', password: '' },
    submit: (values) =>
      api.post('/sign-up', {
        body: { ...values, name: values.name.trim() || null, language: currentLanguage() },
      }),
    onDone: (_, { email }) => setSentTo(email),
  });
  if (sentTo !== null)
    return (
      <GatePage title={t('signUp.sentTitle')}>
        <Done isMail text={t('signUp.sent', { email: sentTo })} />
      </GatePage>
    );
  return (
    <GatePage title={t('signUp.title')} lead={t('signUp.lead')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {error !== null && <ErrorAlert error={error} />}
          <TextInput
            label={t('organization')}
            autoComplete="organization"
            required
            withAsterisk={false}
            autoFocus
            {...form.getInputProps('organizationName')}
          />
          <TextInput label={t('yourName')} autoComplete="name" {...form.getInputProps('name')} />
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="email"
            required
            withAsterisk={false}
            {...form.getInputProps('email')}
          />
          <NewPasswordField label={t('password')} {...form.getInputProps('password')} />
          <Button type="submit" loading={isBusy} fullWidth>
            {t('signUp.button')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('signUp.have')} <TextLink to="/sign-in">{t('toSignIn')}</TextLink>
          </Text>
        </Stack>
      </form>
    </GatePage>
  );
}
