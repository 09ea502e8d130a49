import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { useSession } from '../../auth/me.ts';
import { session } from '../../auth/session.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { GatePage, TextLink } from './gate-page.tsx';

/** Only a place in here: `//elsewhere` would be another host. */
const safe = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/';

export function Screen() {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const { next, ended } = useSearch({ strict: false }) as { next?: string; ended?: string };
  const state = useSession();
  const [asksCode, setAsksCode] = useState(false);
  const [usesRecovery, setUsesRecovery] = useState(false);

  // Also where another tab signs in.
  useEffect(() => {
    if (state.status === 'signed-in')
      void navigate({ href: `/app${safe(next)}`, to: safe(next), replace: true });
  }, [state, navigate, next]);

  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: { email: '', password: '', code: '' },
    submit: async ({ email, password, code }) => {
      const body = { email, password, ...(code.trim() === '' ? {} : { code: code.replaceAll(' ', '') }) };
      try {
        return await api.post('/api/v1/auth/sign-in', { body });
      } catch (failure) {
        if (!(failure instanceof ApiError && failure.code === 'SECOND_FACTOR_REQUIRED')) throw failure;
        if (asksCode) throw failure;
        setAsksCode(true);
        return null;
      }
    },
    onDone: (tokens) => tokens !== null && session.begin(tokens),
  });

  // A refused password is no fault of the service: it gets words of its own.
  const isRefused =
    error instanceof ApiError && ['UNAUTHENTICATED', 'SECOND_FACTOR_REQUIRED'].includes(error.code);

  return (
    <GatePage
      title={asksCode ? t('signIn.secondFactor') : t('signIn.title')}
      lead={
        // Two lines, whatever it says: nothing moves when a password is refused.
        <div className="gate-lead">
          {isRefused ? (
            <Text role="alert" size="sm" c="var(--mantine-color-error)" fw={550}>
              {t(asksCode ? 'signIn.codeRefused' : 'signIn.refused')}
            </Text>
          ) : asksCode ? (
            t(usesRecovery ? 'signIn.recoveryLead' : 'signIn.codeLead')
          ) : (
            t('signIn.lead')
          )}
        </div>
      }
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {ended !== undefined && !asksCode && (
            <Alert color="yellow" variant="light" icon={<IconShieldLock aria-hidden />}>
              {t('signIn.ended')}
            </Alert>
          )}
          {error !== null && !isRefused && <ErrorAlert error={error} />}
          {asksCode ? (
            <>
              <TextInput
                key={String(usesRecovery)}
                label={t(usesRecovery ? 'signIn.recoveryCode' : 'signIn.code')}
                autoComplete="one-time-code"
                inputMode={usesRecovery ? 'text' : 'numeric'}
                data-autofocus
                autoFocus
                required
                withAsterisk={false}
                dir="ltr"
                {...form.getInputProps('code')}
              />
              <Button type="submit" loading={isBusy} fullWidth>
                {t('signIn.button')}
              </Button>
              <Button variant="subtle" onClick={() => setUsesRecovery(!usesRecovery)}>
                {t(usesRecovery ? 'signIn.useCode' : 'signIn.useRecovery')}
              </Button>
            </>
          ) : (
            <>
              <TextInput
                label={t('email')}
                type="email"
                autoComplete="username"
                required
                withAsterisk={false}
                autoFocus
                {...form.getInputProps('email')}
              />
              <PasswordInput
                label={t('password')}
                autoComplete="current-password"
                required
                withAsterisk={false}
                visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
                {...form.getInputProps('password')}
              />
              <Button type="submit" loading={isBusy} fullWidth>
                {t('signIn.button')}
              </Button>
              <Text size="sm">
                <TextLink to="/forgot-password">{t('signIn.forgotten')}</TextLink>
              </Text>
              <Text size="sm" c="dimmed">
                {t('signIn.new')} <TextLink to="/sign-up">{t('signIn.signUp')}</TextLink>
              </Text>
            </>
          )}
        </Stack>
      </form>
    </GatePage>
  );
}
